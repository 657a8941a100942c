// Derives the steps of a recording without steps by replaying it.
import type { ReplayableTrace, StepRecord } from '../../../trace/index.ts'
import { soundPart, type SoundPart, type Wrong } from './comparison.ts'
import { compareMachines, findSystem } from './find-system.ts'
import type { SystemRegistry } from '../../runtime/index.ts'
import { isKeyframeOnly } from './keyframe-only-check.ts'
import { KeyframeOnlyRun } from './keyframe-only-run.ts'

/** Outcome of `deriveSteps`: the trace with its steps, or why it cannot be derived. */
export type DeriveResult =
  | { readonly kind: 'trace'; readonly trace: ReplayableTrace }
  /** The message gives the reason and a possible fix. */
  | { readonly kind: 'unusable'; readonly message: string }

/** Options of `deriveSteps`. */
export interface DeriveOptions {
  /** Number of repeated stimuli and their total. */
  readonly onProgress?: (done: number, whole: number) => void
}

/**
 * Adds the steps that were not recorded (`record(logic, { steps: false })`) by replaying the trace with the
 * machines it was recorded with. A trace with steps is returned unchanged. The steps equal those of a full
 * recording, except that each has the time of its stimulus. Never throws because of the trace's content.
 */
export function deriveSteps(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  { onProgress }: DeriveOptions = {},
): DeriveResult {
  const steps = deriving(trace, systems)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    onProgress?.(step.value, trace.stimuli.length)
  }
}

/** Milliseconds of work before yielding to the event loop. */
const SLICE = 40

/** The same in slices, so that the page stays responsive. Rejects with the signal's reason when aborted. */
export async function deriveStepsGently(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  { onProgress, signal }: DeriveOptions & { readonly signal?: AbortSignal } = {},
): Promise<DeriveResult> {
  const steps = deriving(trace, systems)
  let slice = performance.now()
  for (;;) {
    signal?.throwIfAborted()
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - slice < SLICE) continue
    onProgress?.(step.value, trace.stimuli.length)
    await new Promise(resolve => void setTimeout(resolve))
    slice = performance.now()
  }
}

function* deriving(trace: ReplayableTrace, systems: SystemRegistry): Generator<number, DeriveResult> {
  if (!isKeyframeOnly(trace)) return { kind: 'trace', trace }
  const found = findSystem(trace, systems)
  if ('reason' in found) return unusable(`${found.reason}. Pass the machines that it was recorded with.`)
  try {
    return yield* replaying(trace, found.system)
  } catch (error) {
    return unusable(`the replay failed: ${String(error)}`)
  }
}

function* replaying(
  trace: ReplayableTrace,
  system: ConstructorParameters<typeof KeyframeOnlyRun>[1],
): Generator<number, DeriveResult> {
  const sound = soundPart(trace)
  const run = new KeyframeOnlyRun(trace, system, sound, { keepsSteps: true })
  /** Number of steps before each keyframe, by number of its stimulus. */
  const counts = new Map<number, number>(trace.keyframes.map(({ at }) => [at, 0]))
  const mark = (at: number) => {
    if (at > 0 && counts.has(at)) counts.set(at, run.steps)
  }
  let wrong = run.start()
  for (const stimulus of sound.stimuli) {
    if (wrong) break
    mark(stimulus.seq)
    wrong = run.step(stimulus)
    yield stimulus.seq + 1
  }
  if (wrong) return unusable(inWords(trace, run, wrong))
  mark(sound.stimuli.length)
  return { kind: 'trace', trace: withSteps(trace, run.trace, sound, counts) }
}

function unusable(reason: string): DeriveResult {
  return {
    kind: 'unusable',
    message: `This trace was recorded without steps, and they could not be derived: ${reason}`,
  }
}

function inWords(
  trace: ReplayableTrace,
  run: KeyframeOnlyRun,
  { problem = '', between = [0, 0] }: Wrong,
): string {
  const changed = compareMachines(trace, run).map(({ id }) => id)
  const why = changed.length === 0 ? '' : `; changed machines: ${changed.join(', ')}`
  return `the replay diverges between stimulus ${between[0]} and ${between[1]} (${problem})${why}.`
}

function withSteps(
  trace: ReplayableTrace,
  here: ReplayableTrace,
  { stimuli }: SoundPart,
  counts: ReadonlyMap<number, number>,
): ReplayableTrace {
  const { steps: _without, ...header } = trace.header
  const steps = inTableOf(trace, here)
  return {
    ...trace,
    live: false,
    header,
    stimuli,
    steps,
    hashes: [],
    keyframes: trace.keyframes
      .filter(({ at }) => at <= stimuli.length)
      .map(keyframe => ({ ...keyframe, steps: counts.get(keyframe.at) ?? 0 })),
    ...((trace.live || trace.end) && {
      end: { line: 'end', stimuli: stimuli.length, steps: steps.length } as const,
    }),
    version: () => 0,
    subscribe: () => () => undefined,
  }
}

/** Returns the steps with the recording's actor numbers. */
function inTableOf({ actors: then }: ReplayableTrace, { actors: now, steps }: ReplayableTrace) {
  if (now.every(({ path }, index) => then[index]?.path === path)) return [...steps]
  const numbers = new Map(then.map(({ path, index }) => [path, index]))
  const numberOf = (index: number) => numbers.get(now[index]?.path ?? '') ?? index
  return steps.map((step): StepRecord => ({
    ...step,
    actor: numberOf(step.actor),
    ...(step.from !== undefined && { from: numberOf(step.from) }),
  }))
}
