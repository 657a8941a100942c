// How a replay finds the actors and timers that a trace's records refer to.
import type { EventObject } from 'xstate'
import type { KeyframeRecord, ReplayableTrace, Stimulus } from '../../../trace/index.ts'
import type { ActorRecord, Registry } from '../../recording/index.ts'

/** An active timer of a replay. */
export interface SetTimer {
  readonly ordinal: number
  readonly source: ActorRecord
  readonly target: ActorRecord
  readonly event: EventObject
  readonly delay: number
  /** Time when the timer was set, in milliseconds since the recording began. */
  readonly setAt: number
}

/** The timers of a replay. */
export interface SetTimers {
  /** All timers, in the order in which they were set. */
  all(): readonly SetTimer[]
  get(ordinal: number): SetTimer | undefined
}

/** Finds the actors and timers of records; each replay has its own instance. */
export interface RecordResolver {
  /** Whether the replay may diverge, so that its records get new numbers. */
  readonly isFree: boolean
  /** Number of tape readings so far, including those before the start of this replay. */
  readonly readings: number
  /** Called when an actor was named, before it runs. A restored actor keeps its path. */
  appeared(known: ActorRecord, isRestored: boolean, input: () => unknown): void
  /** Returns the path under which the actor was recorded. */
  pathThen(known: ActorRecord): string
  /** Returns the actor for an index of the recorded table. */
  find(index: number, registry: Registry): ActorRecord | undefined
  /**
   * Returns why a stimulus cannot be delivered, e.g. because the receiver has ended or the sender was
   * stopped.
   */
  refuses(stimulus: Stimulus, to: ActorRecord, from: ActorRecord | undefined): string | undefined
  /** Returns the timer to fire, or undefined if none matches. */
  timer(stimulus: Stimulus, timers: SetTimers): number | undefined
  /** Returns the next value of the tape. `real` reads the platform; a replay has nothing better if the tape lacks the reading. */
  read(kind: string, real?: () => unknown): unknown
  /** Called when a stimulus was placed. */
  found(stimulus: Stimulus): void
  /** Called when a stimulus could not be placed. */
  lost(stimulus: Stimulus, why: string): void
}

/** Expects every record exactly where it was recorded; anything else is a problem. */
export class ExactResolver implements RecordResolver {
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

  pathThen({ path }: ActorRecord): string {
    return path
  }

  find(index: number, registry: Registry): ActorRecord | undefined {
    const path = this.#trace.actors[index]?.path
    return path === undefined ? undefined : registry.byPath(path)
  }

  timer({ ordinal = -1, delay: then }: Stimulus, timers: SetTimers): number | undefined {
    const timer = timers.get(ordinal)
    if (!timer) {
      // A timer from before the keyframe whose actor had ended fires without effect, as in the recording.
      const gone = ordinal < (this.#keyframe?.nextOrdinal ?? 0)
      if (!gone) this.#problems.push(`timer ${ordinal} fired, but is not active in the replay`)
      return undefined
    }
    const { source, event, delay: now } = timer
    if (then !== undefined && !Object.is(then, now))
      this.#problems.push(`${source.path} sets ${event.type} to ${now} ms; recorded: ${then} ms`)
    return ordinal
  }

  /** An unrecorded reading is reported and returns a harmless value. */
  read(kind: string, real?: () => unknown): unknown {
    const entry = this.#trace.tape[this.#tapeAt]
    this.#tapeAt += 1
    if (entry?.kind === kind) return entry.value
    const at = this.#tapeAt
    if (entry) this.#problems.push(`reading ${at} of the tape is "${kind}"; recorded: "${entry.kind}"`)
    else this.#problems.push(`reading ${at} of the tape ("${kind}") was not recorded`)
    return real ? real() : kind === 'id' ? '' : 0
  }

  lost(_stimulus: Stimulus, why: string): void {
    this.#problems.push(why)
  }
}
