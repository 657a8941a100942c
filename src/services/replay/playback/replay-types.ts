// Interface of an interactive replay.
import type { Actor, AnyActorLogic } from 'xstate'
import type { ReplayableTrace } from '../../../trace/index.ts'
import type { Divergence } from '../verify/divergence.ts'
import type { Branch, LiveOptions } from './resume-live.ts'
import type { LiveActor } from '../run/live-actors.ts'
import type { Pace, PaceClock } from './pacing.ts'

/** Options of `createReplay`. */
export interface ReplayOptions {
  /** False skips the comparison and allows jumping ahead to a keyframe. */
  readonly compare?: boolean
  /** Clock for waiting. Defaults to the real clock. */
  readonly clock?: PaceClock
  /** Called when the position has changed; at full speed only periodically. */
  readonly onProgress?: (progress: Progress) => void
  /** Number of steps between two keyframes that the replay takes for stepping back. Defaults to 512. */
  readonly keyframeEvery?: number
  /** Stops a run and rejects further ones. */
  readonly signal?: AbortSignal
}

/** Position of a replay; `position` and `length` count stimuli. */
export interface Progress {
  readonly position: number
  readonly length: number
  /** Time in the recording, in milliseconds. */
  readonly t: number
}

/** An event that a replay did not deliver because its receiver belongs to another system. */
export interface SentEvent {
  /** Number of the stimulus during which it was sent; -1 for the start. */
  readonly stimulus: number
  /** Path of the sender. */
  readonly from: string
  /** Name of the receiver; `unknown` if it is no actor. */
  readonly to: string
  /** The event, with secrets removed as in a recording. */
  readonly event: { readonly type: string }
}

/** Why a run ended. */
export type RunEnd = 'end' | 'paused' | 'diverged' | 'aborted'

/** A replay in progress. */
export interface Replay {
  /** Number of the next stimulus; `length` at the end. */
  readonly position: number
  /** Number of stimuli that can be repeated. */
  readonly length: number
  /** The recording. */
  readonly recorded: ReplayableTrace
  /** The replayed steps since the start or the last jump, as a recording. */
  readonly trace: ReplayableTrace
  /** The root; a different actor after stepping back. */
  readonly actor: Actor<AnyActorLogic>
  /** The first difference, once it is found. */
  readonly divergence: Divergence | undefined
  readonly problems: readonly string[]
  /**
   * Events for other systems up to this position, which were not delivered. Excludes steps skipped by a
   * keyframe.
   */
  readonly sent: readonly SentEvent[]
  /** Repeats the next `n` steps; a negative number steps back. Events sent within a step belong to it. */
  step(n?: number): void
  /** Moves to the position before stimulus `seq`; back from the nearest earlier keyframe or the start. */
  stepTo(seq: number): void
  /** Runs to the end, a pause or the first difference. A second call changes the speed. */
  run(pace: Pace): Promise<RunEnd>
  pause(): void
  /** Current state of every running actor. */
  state(): LiveActor[]
  /**
   * Continues live from this position, with a separate recording; the replay does not change.
   * @throws Error if the system cannot be restored at this position
   */
  branch(options?: LiveOptions): Branch
}
