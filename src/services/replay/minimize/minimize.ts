// Minimizes a trace: finds the fewest stimuli with which it still fails, recorded as a new trace.
import type { Actor, AnyActorLogic } from 'xstate'
import {
  type Assertion,
  createAssertionWatch,
  minimizeList,
  type MinimizeProgress,
  type ReplayableTrace,
  type Stimulus,
  type Trial,
} from '../../../trace/index.ts'
import { type Drive, makeDrive } from '../drive/drive.ts'
import type { SystemRegistry } from '../../runtime/index.ts'

/** The state of a run of the machines without some of the stimuli. */
export interface DrivenRun {
  readonly actor: Actor<AnyActorLogic>
  readonly trace: ReplayableTrace
}

/**
 * The failure to preserve. `watch` begins a run; the function it returns is called after every stimulus and
 * returns whether the run has failed.
 */
export interface Failing {
  readonly name: string
  readonly watch: (run: DrivenRun) => () => boolean
}

/** Options of `minimize`. */
export interface MinimizeOptions {
  /** Maximum number of attempts. Unlimited by default. */
  readonly limit?: number
  /** When aborted, returns the result found so far. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: MinimizeProgress) => void
}

/** Outcome of `minimize`, discriminated by `outcome`. */
export type MinimizeResult =
  | { readonly outcome: 'unusable'; readonly reason: string }
  /** The whole trace does not fail with these machines. */
  | { readonly outcome: 'fine' }
  | {
      readonly outcome: 'minimized'
      /** A recording of the smallest run, which replays exactly and fails. */
      readonly trace: ReplayableTrace
      /** Numbers of the required stimuli. Timers fire automatically when they are due. */
      readonly kept: readonly number[]
      readonly of: number
      readonly tried: number
      /** No single kept stimulus can be omitted. False if minimizing ended before that was shown. */
      readonly isOneMinimal: boolean
    }

/** Fails if one of the assertions fails, e.g. `breaks(...invariants())`. */
export function breaks(...assertions: readonly Assertion[]): Failing {
  return {
    name: assertions.map(({ name }) => name).join(', '),
    watch({ trace }) {
      let hasFailed = false
      const look = createAssertionWatch(trace, assertions, { failed: () => void (hasFailed = true) })
      return () => {
        look()
        return hasFailed
      }
    },
  }
}

/** Fails as soon as the test returns true for the run. A test that throws counts as false. */
export function failsWhen(name: string, test: (run: DrivenRun) => boolean): Failing {
  return {
    name,
    watch: run => () => {
      try {
        return test(run)
      } catch {
        return false
      }
    },
  }
}

/**
 * Omits every stimulus that is not needed for the failure, then removes the time between the remaining ones.
 * The result is deterministic. Effects are not simulated: a callback's response may be kept without its
 * request, which no real effect would produce.
 */
export async function minimize(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  failing: Failing,
  options: MinimizeOptions = {},
): Promise<MinimizeResult> {
  const { limit = Number.POSITIVE_INFINITY, signal, onProgress } = options
  const trials = new Trials(trace, systems, failing)
  const all = trace.stimuli.filter(({ anchor }) => !anchor).map(({ seq }) => seq)
  const whole = trials.run(all)
  if (whole.drive.report.outcome === 'unusable')
    return { outcome: 'unusable', reason: whole.drive.report.reason }
  if (!whole.fails) return { outcome: 'fine' }
  const search = minimizeList(whole.used, kept => trials.run(kept))
  let step = search.next()
  for (let slice = performance.now(); !step.done;) {
    onProgress?.(step.value)
    const mayGoOn = step.value.tried < limit && signal?.aborted !== true
    step = search.next(mayGoOn)
    if (performance.now() - slice < SLICE) continue
    await new Promise(resolve => void setTimeout(resolve))
    slice = performance.now()
  }
  const { kept, tried, isOneMinimal } = step.value
  const drawnTogether = isOneMinimal ? trials.drawTogether(kept) : 0
  const { startedAt, system } = trace.header
  const { header, ...records } = trials.run(kept).drive.trace ?? trace
  const branchOf = { system, startedAt, at: 0 }
  return {
    outcome: 'minimized',
    trace: Object.assign(records, { header: { ...header, branchOf } }),
    kept,
    of: trace.stimuli.length,
    tried: tried + drawnTogether,
    isOneMinimal,
  }
}

/** Milliseconds of work before yielding to the event loop. */
const SLICE = 40

/** Runs a trace with some of its stimuli. */
class Trials {
  readonly #trace: ReplayableTrace
  readonly #systems: SystemRegistry
  readonly #failing: Failing
  /** The stimuli with the times that are currently tried. */
  #stimuli: readonly Stimulus[]

  constructor(trace: ReplayableTrace, systems: SystemRegistry, failing: Failing) {
    this.#trace = trace
    this.#systems = systems
    this.#failing = failing
    this.#stimuli = trace.stimuli
  }

  run(kept: readonly number[]): Trial & { readonly drive: Drive } {
    const keeps = new Set(kept)
    const used: number[] = []
    let hasFailed: (() => boolean) | undefined
    let fails = false
    const drive = makeDrive(
      { ...this.#trace, header: this.#trace.header, stimuli: this.#stimuli },
      this.#systems,
      {
        compare: false,
        keep: ({ seq, anchor }) => anchor !== undefined || keeps.has(seq),
        onStep: ({ stimulus, isPlaced, actor, trace }) => {
          if (isPlaced) used.push(stimulus.seq)
          hasFailed ??= this.#failing.watch({ actor, trace })
          fails = hasFailed()
          return !fails
        },
      },
    )
    return { fails, used, drive }
  }

  /** Removes the time between two stimuli where it does not matter. Returns the number of attempts. */
  drawTogether(kept: readonly number[]): number {
    let tried = 0
    for (const [at, seq] of kept.entries()) {
      const before = this.#stimuli
      const last = before[kept[at - 1] ?? -1]?.t ?? 0
      const gap = (before[seq]?.t ?? 0) - last
      if (gap <= 0) continue
      this.#stimuli = before.map(one => (one.seq >= seq ? { ...one, t: one.t - gap } : one))
      tried += 1
      if (!this.run(kept).fails) this.#stimuli = before
    }
    return tried
  }
}
