// What a replay held in the hand offers.
import type { Actor, AnyActorLogic } from 'xstate'
import type { ReplayableTrace } from '../../trace/format.ts'
import type { Divergence } from './divergence.ts'
import type { Branch, LiveOptions } from './go-on.ts'
import type { LiveActor } from './live-actors.ts'
import type { Pace, PaceClock } from './pacing.ts'

export interface ReplayOptions {
  /** False compares no step with the recorded one, and may jump ahead to a keyframe. */
  readonly compare?: boolean
  /** Real waiting; the clock of this machine unless told. */
  readonly clock?: PaceClock
  /** Called whenever the position has changed; at full speed now and then. */
  readonly onProgress?: (progress: Progress) => void
  /** So many steps lie between two keyframes that the replay takes of itself, to go back to; 512 unless told. */
  readonly keyframeEvery?: number
  /** Stops a run and refuses further ones. */
  readonly signal?: AbortSignal
}

export interface Progress {
  readonly position: number
  readonly length: number
  /** Milliseconds of the recording. */
  readonly t: number
}

/** An event that a replay did not send, because its receiver belongs to another system. */
export interface SentEvent {
  /** Number of the stimulus in whose step it was sent; -1 for the start. */
  readonly stimulus: number
  /** Path of the sender. */
  readonly from: string
  /** Name of the receiver; `unknown` where it is no actor. */
  readonly to: string
  /** The event, with secrets left out as in a recording. */
  readonly event: { readonly type: string }
}

/** Why a run came to rest. */
export type RunEnd = 'end' | 'paused' | 'diverged' | 'aborted'

/** A replay under way. */
export interface Replay {
  /** Number of the stimulus that comes next; `length` at the end. */
  readonly position: number
  /** How many stimuli can be repeated. */
  readonly length: number
  /** The recording. */
  readonly recorded: ReplayableTrace
  /** What the replay did, from where it began or was last taken up: in the form of a recording. */
  readonly trace: ReplayableTrace
  /** The root; another one after a step back. */
  readonly actor: Actor<AnyActorLogic>
  /** The first difference, as soon as it has shown. */
  readonly divergence: Divergence | undefined
  readonly problems: readonly string[]
  /** What was sent to other systems up to here, and reached none; steps that were skipped by a keyframe are not in it. */
  readonly sent: readonly SentEvent[]
  /** Repeats the next `n` steps; a negative number goes back. What was sent in the midst of a step is a part of it. */
  step(n?: number): void
  /** Goes to where the stimulus `seq` comes next; back from the nearest keyframe before it, or from the start. */
  stepTo(seq: number): void
  /** Runs on until the end, a pause or the first difference; a second call changes the speed. */
  run(pace: Pace): Promise<RunEnd>
  pause(): void
  /** Every living actor as it is now. */
  state(): LiveActor[]
  /**
   * Goes on live from here, with a recording of its own; the replay stays as it is.
   * @throws Error when the system cannot be brought back as it is here.
   */
  branch(options?: LiveOptions): Branch
}
