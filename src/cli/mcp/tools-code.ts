// Tools that run machines of the code on disk, and check recordings.
import { access } from 'node:fs/promises'
import { checkTrace, describeAssertionFailure, invariants } from '../../public/devtools/assertions.ts'
import { readTrace, type ReplayableTrace } from '../../public/devtools/replay.ts'
import { selectMachines, timeInWords } from '../../trace/index.ts'
import { writeNew } from '../write-file.ts'
import { stepLines } from './chart-text.ts'
import { runCode } from './code-process.ts'
import { FAILS_ABOUT, readFailure, readJson } from './failure.ts'
import { name, valueText } from './output.ts'
import { copyPath, MACHINES_ABOUT, RECORDING_ABOUT } from './session.ts'
import { defineTool, type Tool } from './tool.ts'

const RECORDING = { type: 'string', required: true, about: RECORDING_ABOUT } as const
const MACHINES = { type: 'string', about: MACHINES_ABOUT } as const
const FAILS = { type: 'string', about: FAILS_ABOUT, json: true } as const

const replay = defineTool({
  name: 'replay',
  title: 'Replay exactly',
  about:
    'Replays a recording with the machines of the code on disk and compares every step: whether the code still does what was recorded, else the first difference and its cause.',
  fields: { recording: RECORDING, machines: MACHINES },
  async run({ recording, machines }, call) {
    const { input } = await call.session.open(recording)
    const { outcome, lines } = await runCode(
      'replay',
      { input, machines: await call.session.machines(machines) },
      call,
    )
    return {
      head: [`Outcome: ${outcome}.`],
      data: lines,
      next: outcome === 'exact' ? [] : ['Next: "drive" runs changed machines to the end.'],
    }
  },
})

const drive = defineTool({
  name: 'drive',
  title: 'Drive the code on disk',
  about:
    'Runs the code on disk with the recorded inputs to the end, and says whether the failure still occurs: call it after each change to verify a fix. Lists where the run differs from the recording.',
  fields: { recording: RECORDING, fails: FAILS, machines: MACHINES },
  async run({ recording, fails, machines }, call) {
    const { input, report } = await call.session.open(recording)
    const failure = readFailure(fails, incidentOf(report))
    const module = await call.session.machines(machines)
    const { finding, verdict, noTest, run } = await runCode(
      'drive',
      { input, machines: module, failure },
      call,
    )
    const runId = run && call.session.keep(run)
    const sentence =
      verdict?.outcome === 'fails'
        ? 'FAILS: the failure still occurs with the code on disk.'
        : verdict?.outcome === 'passes'
          ? 'PASSES: the failure does not occur with the code on disk.'
          : 'The recording shows no failure that could be checked; compared with what was recorded instead.'
    return {
      head: [sentence, `Compared with the recording: ${finding.outcome}.`],
      data: [
        ...(verdict ? [verdict.summary] : []),
        ...(noTest === undefined ? [] : [noTest]),
        ...shortened(finding.lines),
      ],
      next: [
        ...(runId === undefined ? [] : [`The run is the recording "${runId}".`]),
        ...(verdict?.outcome === 'fails' ? ['Next: change the code and call this again.'] : []),
      ],
    }
  },
})

/** Differences of a run; the rest of them seldom helps. */
const MOST_DIFFERENCES = 12

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_DIFFERENCES
    ? lines
    : [
        ...lines.slice(0, MOST_DIFFERENCES),
        `and ${lines.length - MOST_DIFFERENCES} more lines: see "diff" with the run`,
      ]

const minimize = defineTool({
  name: 'minimize',
  title: 'Fewest inputs that fail',
  about:
    'Finds the fewest recorded inputs with which the code on disk still fails, and lists them with the steps that they cause. The result is a recording for the other tools.',
  fields: {
    recording: RECORDING,
    fails: FAILS,
    limit: { type: 'integer', about: 'Maximum number of runs; default unlimited' },
    machines: MACHINES,
  },
  async run({ recording, fails, limit, machines }, call) {
    const { input, report } = await call.session.open(recording)
    const failure = readFailure(fails, incidentOf(report))
    const module = await call.session.machines(machines)
    const result = await runCode('minimize', { input, machines: module, failure, limit }, call)
    if (result.outcome !== 'minimized')
      return {
        head: [
          result.outcome === 'fine'
            ? 'The code on disk does not fail with these inputs.'
            : 'It cannot be minimized.',
        ],
        data: [result.reason],
        next: ['Next: name the failure with `fails`, or "replay" to compare the code with the recording.'],
        isError: true,
      }
    const { trace: bytes, keptCount, of, triedCount, isOneMinimal, name: failureName } = result
    const recordingId = call.session.keep(bytes)
    const read = await readTrace(bytes)
    const trace = read.kind === 'trace' ? read.trace : undefined
    return {
      head: [
        `${keptCount} of ${of} inputs are enough${isOneMinimal ? '; none can be removed' : ''} (${triedCount} runs). The result is the recording "${recordingId}".`,
      ],
      data: [`failure: ${failureName}`, ...(trace ? minimizedLines(trace) : [])],
      next: [
        `Next: "write_test" with "${recordingId}"${fails === undefined ? '' : ' and the same `fails`'}.`,
      ],
    }
  },
})

const incidentOf = (
  report:
    | { readonly cause: 'user' | 'error' | 'signedOut' | 'invariant'; readonly fingerprint: string }
    | undefined,
) => report && { kind: report.cause, fingerprint: report.fingerprint }

const writeTest = defineTool({
  name: 'write_test',
  title: 'Write a test',
  about:
    'Writes a Vitest test of a recording. "failing" fails until the failure is fixed; "recorded" asserts what was recorded. With `out`, writes new files, never over existing ones; without, returns the text.',
  writes: true,
  fields: {
    recording: RECORDING,
    kind: { type: 'string', oneOf: ['failing', 'recorded'], about: 'Default failing' },
    fails: FAILS,
    report: { type: 'string', about: 'For made:N of a report: its report:ID, which has the failure' },
    out: { type: 'string', about: 'Path of the new test, such as tests/report.test.ts' },
    title: { type: 'string', about: 'Title of the test' },
    machines: MACHINES,
  },
  async run({ recording, kind = 'failing', fails, report, out, title, machines }, call) {
    const { session } = call
    const opened = await session.open(recording)
    const of = report === undefined ? opened.report : (await session.open(report)).report
    const failure = readFailure(fails, incidentOf(of))
    const target = await session.roots.fresh(out ?? 'recording.test.ts')
    const copy = copyPath(target)
    if (out !== undefined)
      for (const file of [target, copy]) await needFree(file, session.roots.displayPath(file))
    const request = { kind, failure, out: target, copyName: copy.split(/[\\/]/).at(-1) ?? copy, title }
    const module = await session.machines(machines)
    const result = await runCode('test', { input: opened.input, machines: module, request }, call)
    const note = result.problem === undefined ? [] : ['The test may not behave as named:', result.problem]
    if (out === undefined)
      return {
        head: ['The text of the test; nothing was written. A line that ends with …(+N) is cut: give `out`.'],
        data: [...note, ...result.text.split('\n')],
      }
    await writeNew(target, result.text, false)
    if (result.copy) await writeNew(copy, result.copy, false)
    return {
      head: [
        `Written: ${result.copy ? '2 files' : '1 file'}. It ${kind === 'failing' ? 'fails until the failure is fixed' : 'passes while the code does what was recorded'}.`,
      ],
      data: [
        name(session.roots.displayPath(target)),
        ...(result.copy ? [name(session.roots.displayPath(copy))] : []),
        ...note,
      ],
      next: ['Next: change the code, then "drive" or run the test.'],
    }
  },
})

/** The inputs that are left, and the steps that the last one of them caused. */
function* minimizedLines(trace: ReplayableTrace): Generator<string> {
  yield 'inputs:'
  const inputs = trace.stimuli.filter(({ anchor }) => !anchor)
  for (const { seq, t, kind, to, event } of inputs)
    yield `  input ${seq} ${timeInWords(t)} ${kind} to ${name(trace.actors[to]?.path ?? '')}: ${valueText(event)}`
  yield 'steps of the last one:'
  const last = trace.steps.filter(({ cause }) => cause === inputs.at(-1)?.seq)
  for (const step of last) for (const line of stepLines(trace, step)) yield `  ${line}`
}

/** @throws Error with the next step, if the file exists */
async function needFree(file: string, displayPath: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`${displayPath} exists, and no file is replaced. Choose another name for out.`)
}

const coverage = defineTool({
  name: 'coverage',
  title: 'Coverage of machines',
  about:
    'Replays recordings with the code on disk and reports which states, transitions and guard branches they reach, and which they miss.',
  fields: {
    recordings: { type: 'string', required: true, about: 'Recordings, separated by spaces' },
    machine: { type: 'string', about: 'Only this machine' },
    missing: { type: 'boolean', about: 'List what is not reached' },
    machines: MACHINES,
  },
  async run({ recordings, machine, missing = false, machines }, call) {
    const opened = await Promise.all(
      recordings
        .split(/\s+/)
        .filter(Boolean)
        .map(ref => call.session.open(ref)),
    )
    const inputs = opened.map(({ input }) => input)
    const all = await runCode('coverage', { inputs, machines: await call.session.machines(machines) }, call)
    const report = machine === undefined ? all : selectMachines(all, [machine])
    const share = ({ covered, total }: { readonly covered: number; readonly total: number }) =>
      `${covered}/${total}`
    const row = (id: string, { states, transitions, guards }: (typeof report)['totals']) =>
      `${name(id)}: states ${share(states)}, transitions ${share(transitions)}, guards ${share(guards)}`
    return {
      head: [`Of ${inputs.length} recordings.`],
      data: [
        ...report.traces.flatMap(({ how, reason }) =>
          how === 'replayed' ? [] : [`counted from what was recorded: ${reason ?? 'unknown'}`],
        ),
        ...report.machines.flatMap(({ id, totals, missing: missed }) => [
          row(id, totals),
          ...(missing
            ? [
                ...missed.states.map(path => `  state ${name(path || '(root)')}`),
                ...missed.transitions.map(path => `  transition ${name(path)}`),
                ...missed.guards.map(
                  ({ guard, transition, branch }) =>
                    `  guard ${name(guard)} at ${name(transition)} never ${branch ? 'passed' : 'refused'}`,
                ),
              ]
            : []),
        ]),
        row('all', report.totals),
      ],
    }
  },
})

const check = defineTool({
  name: 'check',
  title: 'Check assertions',
  about:
    'Checks a recording against assertions as JSON, or the invariants of Chartroom\'s client. Each failure names its step. An assertion that fails here can be `fails` of "minimize", "drive" and "write_test".',
  fields: {
    recording: RECORDING,
    assertions: {
      type: 'string',
      json: true,
      about:
        'JSON: a formula such as {"never":{"src":"door","entered":"broken"}}, {"responds":{"event":"saved"},"to":{"event":"save"},"within":"5 s"}, or a list of {name, check}; default the invariants',
    },
    closed: { type: 'boolean', about: 'What is still pending at the end fails' },
    machines: MACHINES,
  },
  async run({ recording, assertions, closed = false, machines }, call) {
    const { trace } = await call.session.openWithSteps(recording, machines, call)
    const assertionList = assertions === undefined ? invariants() : readJson(assertions)
    const { results } = checkTrace(trace, assertionList, closed ? { isClosed: true } : {})
    const failed = results.filter(({ verdict }) => verdict === 'fails')
    return {
      head: [`${results.length} assertions, ${failed.length} failed.`],
      data: results.flatMap(({ name: assertionName, verdict, failures, isMet, waiting }) => [
        `${verdict === 'fails' ? 'fails' : verdict === 'pending' ? 'pending' : 'passes'}: ${name(assertionName)}${verdict !== 'fails' && !isMet ? ', but matched no actor' : ''}`,
        ...[...failures, ...(verdict === 'pending' ? waiting : [])].flatMap(one =>
          describeAssertionFailure(one)
            .split('\n')
            .map(line => `  ${line}`),
        ),
      ]),
      next: failed.length > 0 ? ['Next: "explain" the step of the failure.'] : [],
    }
  },
})

export const CODE_TOOLS: readonly Tool[] = [replay, drive, minimize, writeTest, coverage, check]
