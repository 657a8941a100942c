// How a replay finds the actors and timers that the records of a trace speak of.
import type { EventObject } from 'xstate'
import type { KeyframeRecord, ReplayableTrace, Stimulus, TapeEntry } from '../../trace/format.ts'
import type { Known, Registry } from '../recording/actor-registry.ts'

/** A timer that is set in a replay. */
export interface SetTimer {
  readonly ordinal: number
  readonly source: Known
  readonly target: Known
  readonly event: EventObject
  readonly delay: number
  /** When it was set, in milliseconds since the recording began. */
  readonly setAt: number
}

/** The timers of a replay. */
export interface SetTimers {
  /** All of them, in the order of being set. */
  all(): readonly SetTimer[]
  get(ordinal: number): SetTimer | undefined
}

/** Finds the place of a record; each replay has one of its own. */
export interface Placing {
  /** Whether the replay may go another way, so that its records get numbers of their own. */
  readonly isFree: boolean
  /** How many readings of the tape were made, up to here and before. */
  readonly readings: number
  /** An actor has been named; nothing of it has run yet. One that a keyframe brings back keeps its path. */
  appeared(known: Known, isRestored: boolean, input: () => unknown): void
  /** Path under which the actor was recorded. */
  pathThen(known: Known): string
  /** The actor here for one of the recorded table. */
  find(index: number, registry: Registry): Known | undefined
  /** Why an actor that has ended, or whose sender was stopped, is not sent this; nothing where it is. */
  refuses(stimulus: Stimulus, to: Known, from: Known | undefined): string | undefined
  /** The timer to fire; undefined when none fits. */
  timer(stimulus: Stimulus, timers: SetTimers): number | undefined
  /** The next value of the tape. */
  read(kind: TapeEntry['kind']): number | string
  /** This stimulus found its place. */
  found(stimulus: Stimulus): void
  /** This one found none. */
  lost(stimulus: Stimulus, why: string): void
}

/** Everything has the place that it had: what has not is a problem. */
export class ExactPlacing implements Placing {
  readonly isFree = false
  readonly #trace: ReplayableTrace
  readonly #problems: string[]
  readonly #keyframe: KeyframeRecord | undefined
  #tapeAt: number

  get readings(): number {
    return this.#tapeAt
  }

  constructor(trace: ReplayableTrace, problems: string[], keyframe: KeyframeRecord | undefined) {
    this.#trace = trace
    this.#problems = problems
    this.#keyframe = keyframe
    this.#tapeAt = keyframe?.tape ?? 0
  }

  appeared(): void {}

  found(): void {}

  refuses(): undefined {
    return undefined
  }

  pathThen({ path }: Known): string {
    return path
  }

  find(index: number, registry: Registry): Known | undefined {
    const path = this.#trace.actors[index]?.path
    return path === undefined ? undefined : registry.byPath(path)
  }

  timer({ ordinal = -1, delay: then }: Stimulus, timers: SetTimers): number | undefined {
    const timer = timers.get(ordinal)
    if (!timer) {
      // A timer from before the keyframe whose actor was gone by then fires into the void, as it did then.
      const gone = ordinal < (this.#keyframe?.nextOrdinal ?? 0)
      if (!gone) this.#problems.push(`timer ${ordinal} fired, but is not set here`)
      return undefined
    }
    const { source, event, delay: now } = timer
    if (then !== undefined && !Object.is(then, now))
      this.#problems.push(`${source.path} sets ${event.type} for ${now} ms here, and did for ${then} ms`)
    return ordinal
  }

  /** A reading that was not recorded is noted, and answered with a harmless value. */
  read(kind: TapeEntry['kind']): number | string {
    const entry = this.#trace.tape[this.#tapeAt]
    this.#tapeAt += 1
    if (entry?.kind === kind) return entry.value
    const at = this.#tapeAt
    if (entry) this.#problems.push(`reading ${at} of the tape is "${kind}" here, and was "${entry.kind}"`)
    else this.#problems.push(`reading ${at} of the tape ("${kind}") was not recorded`)
    return kind === 'id' ? '' : 0
  }

  lost(_stimulus: Stimulus, why: string): void {
    this.#problems.push(why)
  }
}
