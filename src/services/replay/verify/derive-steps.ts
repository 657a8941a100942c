// Replays recordings without steps: compares them with their keyframes, and derives their steps.
import type { AnyActorLogic } from 'xstate'
import type { ReplayableTrace, StepRecord, Stimulus, TraceHeader } from '../../../trace/index.ts'
import type { ComposeSystem, SystemRegistry } from '../../runtime/index.ts'
import type { CheckedRun, CheckedRunOptions } from './checked-run.ts'
import { isKeyframeOnly, soundPart, type SoundPart, type Wrong } from './comparison.ts'
import { KeyframeOnlyCheck, KeyframeOnlyResolver } from './keyframe-only-check.ts'
import { compareMachines, findSystem, ReplayRun } from '../run/replay-run.ts'

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
  system: AnyActorLogic | ComposeSystem,
): Generator<number, DeriveResult> {
  const sound = soundPart(trace)
  const run = new KeyframeOnlyRun(trace, system, sound, { keepsSteps: true })
  let wrong = run.start()
  for (const stimulus of sound.stimuli) {
    if (wrong) break
    wrong = run.step(stimulus)
    yield stimulus.seq + 1
  }
  return wrong ? unusable(inWords(trace, run, wrong)) : { kind: 'trace', trace: run.derived }
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
  return `the replay diverges between inputs ${between[0]} and ${between[1]} (${problem})${why}.`
}

/** Replays a recording without steps and compares it with the keyframes. */
export class KeyframeOnlyRun implements CheckedRun {
  readonly check: KeyframeOnlyCheck
  readonly otherNames = []
  /** Number of steps so far. */
  steps = 0
  readonly #recorded: ReplayableTrace
  readonly #sound: SoundPart
  readonly #run: ReplayRun
  /** Number of steps before each keyframe, by number of its stimulus. */
  readonly #counts: Map<number, number>

  constructor(
    trace: ReplayableTrace,
    system: AnyActorLogic | ComposeSystem,
    sound: SoundPart,
    { inspect, onSend, keepsSteps = false }: CheckedRunOptions = {},
  ) {
    const resolver = new KeyframeOnlyResolver(trace)
    this.#recorded = trace
    this.#sound = sound
    this.#counts = new Map(trace.keyframes.map(({ at }) => [at, 0]))
    this.#run = new ReplayRun(trace, system, {
      resolver,
      ...(inspect && { inspect }),
      onSend,
      ...(!keepsSteps && { show: () => void (this.steps += 1) }),
    })
    this.check = new KeyframeOnlyCheck(trace, this.#run, resolver, sound)
  }

  get actor(): ReplayRun['actor'] {
    return this.#run.actor
  }

  get header(): TraceHeader {
    return this.#run.trace.header
  }

  get trace(): ReplayableTrace {
    return this.#run.trace
  }

  /** At the end, returns the recording with the steps of this run, which must have kept them. */
  get derived(): ReplayableTrace {
    this.#mark(this.#sound.stimuli.length)
    return withSteps(this.#recorded, this.trace, this.#sound, this.#counts)
  }

  start(): Wrong | undefined {
    this.#run.start()
    return this.#look()
  }

  step(stimulus: Stimulus): Wrong | undefined {
    this.#mark(stimulus.seq)
    this.#run.step(stimulus)
    return this.#look()
  }

  #mark(at: number): void {
    if (at > 0 && this.#counts.has(at)) this.#counts.set(at, this.steps)
  }

  #look(): Wrong | undefined {
    // Reading converts each step immediately, which releases its live values.
    this.steps = Math.max(this.steps, this.#run.trace.steps.length)
    const wrong = this.check.next()
    return wrong && { ...wrong, index: this.steps }
  }
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
    header: { ...header, outputs: true },
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
