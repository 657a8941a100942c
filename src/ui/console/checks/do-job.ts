// Runs the jobs of the check and export tabs on a trace file.
import type { Answer, Ask, JobKind, Part, Afterwards, Verified, Tell } from './jobs.ts'
import { stepsAsCode } from './steps-as-code.ts'
import { describeSteps } from './described-steps.ts'
import {
  diffTraces,
  type StepRecord,
  type TraceSource,
  type ReplayableTrace,
  stateLabel,
  type Assertion,
} from '../../../trace/index.ts'
import type { Drive } from '../../../services/replay/index.ts'
import type { SystemRegistry } from '../../../services/runtime/index.ts'
import { alignRuns, causesOf, compareRuns } from './align.ts'
import { reasonsOf } from './compare-reasons.ts'
import { INVARIANT_NAMES, MOST_FAILURES } from './findings.ts'

/** Replays a file: verifies it, finds where it diverges, and minimizes it. */
async function verifyFile({ file }: Ask<'verify'>, place: JobPlace): Promise<Verified> {
  const { report: notify } = place
  const { verify, systems: clients } = await import('../replay-engine.ts')
  const { describeDetours, describeDivergence, describeSilentChanges } = await import('../replay-engine.ts')
  const systems = { ...clients, ...place.systems }
  const trace = await readWhole(file)
  const report = verify(trace, systems, {
    onProgress: (done, whole) => {
      if (done % TELL_EVERY === 0)
        notify({ share: done / whole, words: `${done.toLocaleString('en')} inputs` })
    },
  })
  const { outcome, system, stimuli, compared, keyframes, machines, changes = [], detours } = report
  const divergence = 'divergence' in report ? report.divergence : undefined
  const notes = [
    ...('hints' in report ? (report.hints ?? []) : []),
    ...(report.xstate ? [`recorded with XState ${report.xstate.was}, and this is ${report.xstate.is}`] : []),
    ...(outcome === 'exact' ? describeSilentChanges(changes) : []),
    ...(detours ? describeDetours(detours) : []),
  ]
  return {
    outcome,
    system,
    stimuli,
    compared,
    machines,
    notes,
    ...('reason' in report && { reason: report.reason }),
    ...(keyframes !== undefined && { keyframes }),
    ...(divergence && { divergence, words: describeDivergence(divergence) }),
    ...(divergence && (await goneOn(trace, systems, divergence.index, place))),
  }
}

/** Stimuli between two progress reports. */
const TELL_EVERY = 250

/** Continues the run past the first difference with the best matches. */
async function goneOn(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  index: number,
  { report }: JobPlace,
): Promise<Pick<Verified, 'runs' | 'after'>> {
  const { makeDrive } = await import('../replay-engine.ts')
  report({ words: 'continuing past the difference' })
  const drive = makeDrive(trace, systems)
  const after = afterwards(drive)
  const hasSteps = trace.header.steps !== false && drive.trace !== undefined
  return {
    ...(hasSteps && drive.trace && { runs: alignRuns(trace, drive.trace, index) }),
    ...(after && { after }),
  }
}

const UNPLACED = 20

function afterwards({ report }: Drive): Afterwards | undefined {
  if (report.outcome === 'unusable') return undefined
  const { placed, unplaced, final, changes } = report
  const shown = unplaced.items.slice(0, UNPLACED)
  const stateOf = (one: (typeof final)[number]['was']) =>
    one ? stateLabel(one.value) || one.status : 'not present'
  return {
    placed,
    changes,
    unplaced: shown.map(({ seq, to, event, why }) => ({ seq, words: `${event ?? 'stop'} to ${to}: ${why}` })),
    more: unplaced.items.length - shown.length + unplaced.more,
    final: final
      .filter(({ isSame }) => !isSame)
      .map(({ actor, was, is }) => ({ actor, was: stateOf(was), is: stateOf(is) })),
  }
}

async function minimizeFile(ask: Ask<'minimize'>, place: JobPlace): Promise<Answer<'minimize'>> {
  const { breaks, encodeFile, minimize, systems } = await import('../replay-engine.ts')
  const all = await assertionsOf(
    ask.assertions,
    ask.fails.some(name => INVARIANT_NAMES.has(name)),
  )
  const failing = breaks(...all.filter(({ name }) => ask.fails.includes(name)))
  const trace = await readWhole(ask.file)
  const result = await minimize(trace, { ...systems, ...place.systems }, failing, {
    signal: place.signal,
    onProgress: ({ left, tried }) => place.report({ words: `${left} events left after ${tried} tries` }),
  })
  const { fails } = ask
  if (result.outcome !== 'minimized') return { ...result, fails }
  const { trace: least, kept, of, tried, isOneMinimal } = result
  const steps = describeSteps(
    least,
    least.stimuli.map(({ seq }) => seq),
  )
  const file = new Blob([await encodeFile(least)], { type: 'application/gzip' })
  return { outcome: 'minimized', fails, file, kept: kept.length, of, tried, isOneMinimal, steps }
}

async function testFile(ask: Ask<'test'>, place: JobPlace): Promise<Answer<'test'>> {
  const { stageTimes, systems: clients, writeTest } = await import('../replay-engine.ts')
  const trace = await readSteps(ask.file, place)
  const { times, problem } = stageTimes(trace, { ...clients, ...place.systems })
  const { text, playsRecording } = writeTest(trace, {
    system: ask.system,
    times,
    recording: `./${ask.recording}`,
    ...(ask.title.trim() !== '' && { title: ask.title.trim() }),
    ...(ask.only && { only: ask.only }),
  })
  if (playsRecording) return { text, recording: ask.recording }
  return { text, ...(problem !== undefined && { problem }) }
}

/** Maximum number of steps to describe. */
const MOST_STEPS = 500

async function describeFile(ask: Ask<'steps'>, place: JobPlace): Promise<Answer<'steps'>> {
  const trace = await readSteps(ask.file, place)
  const seqs = stimuliOf(trace, ask.part)
  const all = describeSteps(trace, seqs)
  const steps = all.slice(0, MOST_STEPS)
  const written = new Set(steps.map(({ seq }) => seq))
  const code = stepsAsCode(
    trace,
    seqs.filter(seq => written.has(seq)),
  )
  return { steps, more: all.length - steps.length, code }
}

/** Characters per chunk. */
const PIECE = 2 ** 18

async function exportFile(ask: Ask<'export'>, place: JobPlace): Promise<Answer<'export'>> {
  const { exportPieces } = await import('../replay-engine.ts')
  const { format, diagram, machine } = ask
  const isChart = format === 'scxml' || (format === 'mermaid' && diagram === 'state')
  const trace = await (isChart ? readWhole(ask.file) : readSteps(ask.file, place))
  const part = format === 'har' ? wholeCalls(trace, ask.part) : ask.part
  const pieces: string[] = []
  let text = ''
  place.report({ words: 'writing' })
  for (const piece of exportPieces(partOf(trace, part), format, {
    ...(format === 'mermaid' && { diagram }),
    ...(machine !== undefined && { machine }),
  })) {
    text += piece
    if (text.length < PIECE) continue
    pieces.push(text)
    text = ''
  }
  return { blob: new Blob([...pieces, text], { type: 'text/plain' }) }
}

async function examineFile({ file, incident }: Ask<'examine'>, place: JobPlace): Promise<Answer<'examine'>> {
  const { examineReport, systems } = await import('../replay-engine.ts')
  return examineReport(await readWhole(file), { ...systems, ...place.systems }, incident)
}

async function compareFiles({ file, other }: Ask<'compare'>, place: JobPlace): Promise<Answer<'compare'>> {
  const a = await readSteps(file, place)
  const b = await readSteps(other, place)
  place.report({ words: 'comparing' })
  const diff = diffTraces(a, b)
  const { runs, first } = compareRuns(a, b)
  const compared = { name: other.name, diff, runs }
  if (!first) return compared
  const { was, is, after, isOnlyValues, changes = [] } = first
  const causes = { a: was ? causesOf(a, was.seq) : [], b: is ? causesOf(b, is.seq) : [] }
  const machine = was && a.actors.find(({ path }) => path === was.actor)?.src
  const isChanged = diff.machines.some(({ id }) => id === machine)
  const reasons = [...reasonsOf(first, causes), ...(isChanged ? [`The machine ${machine} has changed.`] : [])]
  return {
    ...compared,
    first: { ...(was && { was }), ...(is && { is }), after, isOnlyValues, changes, reasons, causes },
  }
}

type JobHandler<K extends JobKind> = (ask: Ask<K>, place: JobPlace) => Promise<Answer<K>>

const HANDLERS: { readonly [K in JobKind]: JobHandler<K> } = {
  check: checkFile,
  cover: coverFiles,
  verify: verifyFile,
  minimize: minimizeFile,
  test: testFile,
  steps: describeFile,
  export: exportFile,
  examine: examineFile,
  compare: compareFiles,
}

/** @throws Error with a message that can be shown to the user */
export function doJob<K extends JobKind>(kind: K, ask: Ask<K>, place: JobPlace): Promise<Answer<K>> {
  return HANDLERS[kind](ask, place)
}

async function coverFiles(
  { files }: Ask<'cover'>,
  { report, systems: own }: JobPlace,
): Promise<Answer<'cover'>> {
  const { coverage, mergeCoverage, systems } = await import('../replay-engine.ts')
  const known = { ...systems, ...own }
  const unusable: { name: string; reason: string }[] = []
  const reports = []
  for (const [at, { name, blob }] of files.entries()) {
    report({
      share: at / files.length,
      words: files.length > 1 ? `${at + 1} of ${files.length} files` : 'replaying',
    })
    try {
      reports.push(coverage([await readWhole(blob)], known))
    } catch (error) {
      unusable.push({ name, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { report: mergeCoverage(reports), unusable }
}

type Exported = Pick<TraceSource, 'header' | 'actors' | 'stimuli' | 'steps'>

/** Returns a filter for the steps of a part. */
function isIn(part: Part): (step: Pick<StepRecord, 'seq' | 't'>) => boolean {
  switch (part.kind) {
    case 'all':
      return () => true
    case 'range':
      return ({ t }) => t >= part.from && t <= part.until
    case 'steps': {
      const seqs = new Set(part.seqs)
      return ({ seq }) => seqs.has(seq)
    }
  }
}

/** Returns the trace with the selected steps; causes outside of them are removed. */
export function partOf(trace: Exported, part: Part): Exported {
  if (part.kind === 'all') return trace
  const { header, actors, stimuli } = trace
  const kept = trace.steps.filter(isIn(part))
  const numbers = new Map(kept.map(({ seq }, at) => [seq, at]))
  const steps = kept.map(({ by, ...step }, seq): StepRecord => {
    const cause = by === undefined ? undefined : numbers.get(by)
    return { ...step, seq, ...(cause !== undefined && { by: cause }) }
  })
  return { header, actors, stimuli, steps }
}

/**
 * Returns the selected steps plus all others of their actors and those actors' children, so that calls stay
 * complete.
 */
export function wholeCalls(trace: Exported, part: Part): Part {
  if (part.kind === 'all') return part
  const meant = new Set(trace.steps.filter(isIn(part)).map(({ actor }) => actor))
  const isMeant = (actor: number): boolean => {
    const parent = trace.actors[actor]?.parent
    return meant.has(actor) || (parent !== undefined && parent > 0 && isMeant(parent))
  }
  const concerns = ({ actor, from }: StepRecord) => isMeant(actor) || (from !== undefined && isMeant(from))
  return { kind: 'steps', seqs: Uint32Array.from(trace.steps.filter(concerns), ({ seq }) => seq) }
}

/** Returns the stimuli of the selected steps. */
export function stimuliOf(trace: Exported, part: Part): readonly number[] {
  if (part.kind === 'all') return trace.stimuli.map(({ seq }) => seq)
  const causes = new Set(trace.steps.filter(isIn(part)).map(({ cause }) => cause))
  return trace.stimuli.flatMap(({ seq }) => (causes.has(seq) ? [seq] : []))
}

/** Reads assertions as the Checks tab does, and adds the client's invariants. */
async function assertionsOf(own: readonly unknown[], withInvariants: boolean): Promise<Assertion[]> {
  const { invariants, readAssertions } = await import('../replay-engine.ts')
  if (own.length === 0) return withInvariants ? invariants() : []
  const read = readAssertions(own)
  if (read.kind === 'unusable')
    throw new Error(read.problems.map(({ at, message }) => `${at} ${message}`).join('\n'))
  return [...(withInvariants ? invariants() : []), ...read.assertions]
}

async function checkFile(ask: Ask<'check'>, place: JobPlace): Promise<Answer<'check'>> {
  const { checkModel, checkTrace, openTrace } = await import('../replay-engine.ts')
  const { report: notify, signal } = place
  const assertions = await assertionsOf(ask.assertions, ask.invariants)
  const opened = await openTrace(ask.file, {
    onProgress: share => notify({ share: share / 2, words: 'reading' }),
  })
  if (opened.kind === 'unusable') throw new Error(`The file can't be used: ${opened.message}`)
  const { model } = opened
  const report =
    model.header.steps === false
      ? checkTrace(await readSteps(ask.file, place), assertions, { limit: MOST_FAILURES })
      : await checkModel(model, assertions, {
          limit: MOST_FAILURES,
          signal,
          onProgress: (steps, of) =>
            notify({ share: 0.5 + steps / of / 2, words: `${steps.toLocaleString('en')} steps` }),
        })
  return { results: report.results, steps: report.steps }
}

/** The resources of a job. */
interface JobPlace {
  readonly report: Tell
  /** Ends jobs that support it early, with the result so far. */
  readonly signal: AbortSignal
  /** Machines of the app, besides those of the client. */
  readonly systems?: SystemRegistry
}

/** @throws Error when the file is not a trace */
async function readWhole(file: Blob): Promise<ReplayableTrace> {
  const { readTrace } = await import('../replay-engine.ts')
  const read = await readTrace(file)
  if (read.kind === 'unusable') throw new Error(`The file can't be used: ${read.message}`)
  return read.trace
}

/** Reads a trace and derives its steps if it has none. @throws Error when they cannot be derived */
async function readSteps(file: Blob, { systems: own, report }: JobPlace): Promise<ReplayableTrace> {
  const trace = await readWhole(file)
  if (trace.header.steps !== false) return trace
  const { deriveStepsGently, systems } = await import('../replay-engine.ts')
  const derived = await deriveStepsGently(
    trace,
    { ...systems, ...own },
    { onProgress: (done, whole) => report({ share: done / whole, words: 'deriving steps' }) },
  )
  if (derived.kind === 'unusable') throw new Error(derived.message)
  return derived.trace
}
