// What a recording of a system is made with, and what it can do.
import type { Actor, AnyActorLogic, AnyActorRef, InspectionEvent, Observer } from 'xstate'
import type { NotedTrace } from '../../trace/bookmarks.ts'
import type { ReplayableTrace, TraceHeader } from '../../trace/format.ts'
import type { RedactionPolicy } from '../../trace/secrets.ts'
import type { Environment } from '../system-parts.ts'
import type { ActorNames, Registry } from './actor-registry.ts'
import type { RecordedWorld, TapsOptions } from './recorder-taps.ts'

/** A recording as a file. */
export interface RecordingFiles {
  /** The recording as a gzipped file. */
  readonly file: () => Promise<Uint8Array<ArrayBuffer>>
  /** The recording as the lines of a file that is not packed. */
  readonly lines: () => string[]
}

/** What every recording can do. */
export interface Recording<L extends AnyActorLogic = AnyActorLogic> extends RecordingFiles {
  /** The root: an ordinary actor; what it is told and does is recorded. */
  readonly actor: Actor<L>
  readonly start: () => void
  readonly stop: () => void
  /**
   * The records so far and as they come, also while not recording. A new recording puts new arrays in place of
   * the old ones; until then they only grow.
   */
  readonly trace: ReplayableTrace
  readonly isRecording: () => boolean
  /** Begins anew with a keyframe of the system as it is; the recording before is dropped. */
  readonly startRecording: () => void
  readonly stopRecording: () => void
  /**
   * Puts a note on a step, the last one unless told; it is saved with the recording. Another note on the same step takes
   * its place, and an empty one takes it away.
   */
  readonly bookmark: (note: string, view?: number) => void
  /** The actors by the names that they have in the recording. */
  readonly actors: ActorNames
  /** Hides this value wherever it turns up. */
  readonly registerSecret: (secret: string) => void
}

export interface SystemRecording<L extends AnyActorLogic> extends Recording<L> {
  /** Runs this between two steps: now, or when the present one is over. */
  readonly between: (run: () => void) => void
  /** The recording of the moment by itself: its arrays stay when a new one begins, and only grow until then. */
  readonly segment: () => NotedTrace
  /** Begins another segment, between two steps; false when the system, as it is now, could not be brought back. */
  readonly nextSegment: () => boolean
  /** To be called before what was recorded is read as a whole: where there are no views, it puts a keyframe at the end. */
  readonly seal: () => void
  /** Calls back with each secret that becomes known, and what takes its place from then on. */
  readonly onSecret: (listener: (secret: string, pseudonym: string) => void) => () => void
  /** A trace of this recorder without what became known as a secret after its records were made. */
  readonly refine: (trace: ReplayableTrace) => ReplayableTrace
}

/** A recording without the code that writes files, which a page can load when a file is wanted. */
export interface UnwrittenRecording<L extends AnyActorLogic> extends Omit<
  SystemRecording<L>,
  keyof RecordingFiles
> {
  /** What was recorded, up to where recording was stopped. */
  readonly recorded: () => ReplayableTrace
}

export interface SystemRecordingOptions<L extends AnyActorLogic> extends RecordedWorld {
  readonly system: string
  readonly appVersion: string
  readonly wall: () => Date
  /** Makes the root's logic. */
  readonly logic: (env: Environment) => L
  /** What the root is created with. */
  readonly actorOptions: {
    readonly id?: string
    readonly input?: unknown
    readonly snapshot?: unknown
    readonly systemId?: string
  }
  /** For a system that goes on from where a recording was. */
  readonly origin?: RecordingOrigin
  /** The app's own inspector. */
  readonly inspect?: Observer<InspectionEvent> | ((event: InspectionEvent) => void) | undefined
  readonly machines?: TraceHeader['machines'] | undefined
  /** Adds to the drawings what the machines themselves don't say. */
  readonly describe?: ((charts: TraceHeader['machines']) => TraceHeader['machines']) | undefined
  /** False records no views. */
  readonly views?: boolean | undefined
  /** How many stimuli lie between two keyframes. */
  readonly keyframeEvery?: number | undefined
  /** Rules of the app by which secrets are found, beside those that are built in. */
  readonly redact?: RedactionPolicy | undefined
}

/** What a system that goes on from a recording brings along. */
export interface RecordingOrigin {
  readonly branchOf: NonNullable<TraceHeader['branchOf']>
  /** Names that its actors had there. */
  readonly naming: TapsOptions['naming']
  /** Called when all actors are made, before any of them is started. */
  readonly made: (root: AnyActorRef, registry: Registry) => void
}
