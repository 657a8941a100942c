// Tools that list and summarize recordings, and show their machines.
import type { ReplayableTrace } from '../../public/devtools/replay.ts'
import { createFileStore } from '../../public/devtools/node.ts'
import type { Report } from '../../services/reports/rows.ts'
import {
  checkInvariants,
  describeDamage,
  describeViolation,
  isOwnSystem,
  endProblem,
  notesOf,
  stateLabel,
  timeInWords,
} from '../../trace/index.ts'
import { UsageError } from '../command.ts'
import { groupQuery } from '../reports/groups.ts'
import { chartLines, type Charts, stepLines, stepText } from './chart-text.ts'
import { runCode } from './code-process.ts'
import { name, quoted } from './output.ts'
import {
  latestSteps,
  MACHINES_ABOUT,
  RECORDING_ABOUT,
  runningSteps,
  type Session,
  timelineOf,
} from './session.ts'
import { defineTool, type Tool } from './tool.ts'

const ENDINGS = ['.trace.gz', '.jsonl.gz', '.jsonl', '.trace']
const KINDS = ['files', 'stores', 'reports', 'live', 'all'] as const
/** Most entries of each kind that are looked at. */
const MAX_LINES = 500

const recordings = defineTool({
  name: 'recordings',
  title: 'List recordings',
  about:
    'Lists recordings of XState apps: files and stores below the allowed folders, reports of users, and live apps. Start here without a report id or path.',
  fields: {
    kind: { type: 'string', oneOf: KINDS, about: 'Only these; default all' },
    search: { type: 'string', about: 'Only those whose line contains this text' },
  },
  async run({ kind = 'all', search }, { session }) {
    const wants = (one: string) => kind === 'all' || kind === one
    const notes: string[] = []
    const lines = [
      ...(wants('live') ? await liveLines(session) : []),
      ...(wants('files') || wants('stores') ? await fileLines(session, wants) : []),
      ...(wants('reports') ? await reportLines(session, kind === 'reports', notes) : []),
    ]
    const pattern = search?.toLowerCase()
    const matches = pattern === undefined ? lines : lines.filter(line => line.toLowerCase().includes(pattern))
    return {
      head: [
        `${matches.length} ${matches.length === 1 ? 'recording' : 'recordings'}; the first word is its name for other tools.`,
      ],
      data: matches,
      next: [
        ...notes,
        matches.length > 0
          ? 'Next: "overview" with a name.'
          : 'Next: another folder needs --root when the server starts.',
      ],
    }
  },
})

async function liveLines(session: Session): Promise<string[]> {
  const apps = await session.live.list()
  return apps.map(
    ({ id, label, from, isRunning }) =>
      `live:${name(id)} ${quoted(label)} of ${from === 'vite' ? 'vite dev' : 'chartroom serve'}${isRunning ? '' : ', ended'}`,
  )
}

async function fileLines({ roots }: Session, wants: (kind: string) => boolean): Promise<string[]> {
  const lines: string[] = []
  const isStore = (entries: readonly string[]) => entries.includes('card.json')
  const stores = new Set<string>()
  for await (const { path, isFolder } of roots.search(ENDINGS, isStore)) {
    if (lines.length >= MAX_LINES) break
    if (!isFolder && wants('files')) lines.push(`${name(roots.displayPath(path))} file`)
    if (isFolder && wants('stores')) stores.add(path.replace(/[\\/][^\\/]*$/, ''))
  }
  for (const folder of stores) lines.push(...(await storeLines(roots.displayPath(folder), folder)))
  return lines
}

async function storeLines(displayPath: string, folder: string): Promise<string[]> {
  const store = createFileStore(folder)
  try {
    return (await store.list()).map(
      ({ id, system, startedAt, steps, failures, state }) =>
        `${name(`store:${displayPath}#${id}`)} ${name(system)} of ${name(startedAt)}, ${steps} steps, ${failures} failures, ${state}`,
    )
  } finally {
    await store.close()
  }
}

async function reportLines(session: Session, isAsked: boolean, notes: string[]): Promise<string[]> {
  try {
    const host = session.reports()
    const groups = await host.groups(groupQuery({ status: 'open', since: undefined, search: undefined }), 50)
    const newest = await Promise.all(
      groups.map(async ({ fingerprint, title, reports }) => {
        const [report] = await host.reports(
          `fingerprint=eq.${encodeURIComponent(fingerprint)}&order=received_at.desc,id`,
          1,
        )
        return report ? [`report:${name(report.id)} ${quoted(title)}, ${reports} reports`] : []
      }),
    )
    return newest.flat()
  } catch (error) {
    if (isAsked) throw error
    notes.push(
      error instanceof UsageError
        ? 'Reports are not configured: start the server with --reports URL, and SUPABASE_SECRET_KEY in its environment.'
        : 'The project with the reports could not be read.',
    )
    return []
  }
}

const overview = defineTool({
  name: 'overview',
  title: 'Summarize a recording',
  about:
    'Summarizes a recording: what its report says, how it ends and why, with the source lines of the steps that led to it, its failures, actors and notes. The first call for a report id.',
  fields: {
    recording: { type: 'string', required: true, about: RECORDING_ABOUT },
    machines: { type: 'string', about: MACHINES_ABOUT },
  },
  async run({ recording, machines }, call) {
    const opened = await call.session.openWithSteps(recording, machines, call)
    const { trace, report } = opened
    const { charts, note } = await call.session.located(opened, machines, call)
    const { header, steps, stimuli, damage } = trace
    const seconds = timeInWords(Math.max(steps.at(-1)?.t ?? 0, stimuli.at(-1)?.t ?? 0))
    return {
      head: [
        `${steps.length} steps, ${stimuli.length} inputs, ${seconds}; ${Object.keys(header.machines).length} machines; ${damage.length === 0 ? 'undamaged' : `${damage.length} damaged places`}.`,
      ],
      data: overviewLines(trace, report, charts),
      next: [
        ...(note === undefined ? [] : [note]),
        'Next: "explain" a step or actor, "machine" for its chart, "minimize" for the fewest inputs, "drive" after a change of the code.',
      ],
    }
  },
})

/** Last failures that are listed. */
const FAILURES = 5
const ACTORS = 12
const VIOLATIONS = 2
const CAUSES = 4

function* overviewLines(
  trace: ReplayableTrace,
  report: Report | undefined,
  charts: Charts,
): Generator<string> {
  const { header, steps, actors, damage, bookmarks } = trace
  if (report) {
    yield `report ${report.cause} in version ${name(report.app_version || '?')}: ${quoted(report.title, 240)}`
    if (report.note !== '') yield `user wrote: ${quoted(report.note, 400)}`
  }
  yield `system ${name(header.system)} of ${name(header.startedAt)}, app version ${name(header.appVersion || '?')}, XState ${name(header.xstateVersion)}`
  yield* endLines(trace, charts)
  yield* violationLines(trace, charts)
  for (const { step, note } of notesOf(bookmarks)) yield `note at #${step}: ${quoted(note)}`
  for (const one of damage.slice(0, 3)) yield `damage: ${describeDamage(one)}`
  const { failures } = timelineOf(trace)
  if (failures.length > 0) yield `last failures, of ${failures.length}:`
  for (const seq of failures.slice(-FAILURES)) {
    const step = steps[seq]
    if (step) yield `  ${stepText(trace, step)}`
  }
  const last = runningSteps(latestSteps(trace, steps.length - 1)).filter(({ value }) => value !== undefined)
  yield `machines at the end, of ${last.length}:`
  for (const { actor, value, status, seq } of last.slice(0, ACTORS))
    yield `  ${name(actors[actor]?.path ?? '')}: ${name(stateLabel(value) || status)}${status === 'active' ? '' : ` (${status})`} since #${seq}`
}

/** How the recording ends, and the steps from the reason on with what they took. */
function* endLines(trace: ReplayableTrace, charts: Charts): Generator<string> {
  const problem = endProblem(trace)
  if (!problem) {
    yield 'ends without a visible problem'
    return
  }
  const { sentence, next, because } = problem.explanation
  yield `problem at the end: ${sentence}`
  if (next !== undefined) yield `  ${next}`
  for (const { step } of because) {
    const record = trace.steps[step]
    if (record) for (const line of stepLines(trace, record, charts)) yield `  ${line}`
  }
}

/** The broken invariants of the client, with what their steps took. */
function* violationLines(trace: ReplayableTrace, charts: Charts): Generator<string> {
  if (!isOwnSystem(trace.header.system)) return
  for (const violation of checkInvariants(trace).slice(0, VIOLATIONS)) {
    yield `broken invariant: ${describeViolation(violation)}`
    for (const seq of stepsBefore(trace, violation.seq)) {
      const step = trace.steps[seq]
      if (step) for (const line of stepLines(trace, step, charts)) yield `  ${line}`
    }
  }
}

/** A step and those that led to it, oldest first. */
function stepsBefore({ steps }: ReplayableTrace, seq: number): readonly number[] {
  const found = [seq]
  for (let by = steps[seq]?.by; by !== undefined && found.length < CAUSES; by = steps[by]?.by)
    found.unshift(by)
  return found
}

const machine = defineTool({
  name: 'machine',
  title: 'Show a machine',
  about:
    'Shows a machine as compact text: states, transitions `path#n event [guard] → targets / actions`, with file:line of each. Without a machine, lists them.',
  fields: {
    recording: { type: 'string', required: true, about: RECORDING_ABOUT },
    machine: { type: 'string', about: 'Its id; default: the list' },
    state: { type: 'string', about: 'Only this state and those in it, as a path with dots' },
    on_disk: { type: 'boolean', about: 'The machine in the code on disk, instead of the recorded one' },
    machines: { type: 'string', about: MACHINES_ABOUT },
  },
  async run({ recording, machine: machineId, state = '', on_disk: isOnDisk = false, machines }, call) {
    const opened = await call.session.open(recording)
    const charts: Charts = isOnDisk
      ? await runCode(
          'charts',
          { input: opened.input, machines: await call.session.machines(machines) },
          call,
        )
      : (await call.session.located(opened, machines, call)).charts
    const ids = Object.keys(charts.machines)
    const chart =
      machineId !== undefined && Object.hasOwn(charts.machines, machineId)
        ? charts.machines[machineId]
        : undefined
    if (machineId !== undefined && !chart)
      return {
        head: [`There is no machine of that id. The recording has:`],
        data: ids.map(name),
        isError: true,
      }
    if (machineId === undefined || !chart)
      return {
        head: [`${ids.length} machines.`],
        data: ids.map(id => `${name(id)}: ${charts.machines[id]?.root.states.length ?? 0} states`),
        next: ['Next: the same call with a machine.'],
      }
    const lines = [...chartLines(charts, machineId, chart, state)]
    if (lines.length === 0) return { head: ['The machine has no state of that path.'], isError: true }
    return { head: [isOnDisk ? 'As in the code on disk.' : 'As recorded.'], data: lines }
  },
})

export const RECORDING_TOOLS: readonly Tool[] = [recordings, overview, machine]
