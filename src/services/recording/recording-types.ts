// Options and interfaces of system recordings.
import type { Actor, AnyActorLogic, AnyActorRef, InspectionEvent, Observer } from 'xstate'
import type { NotedTrace, RedactionPolicy, ReplayableTrace, TraceHeader } from '../../trace/index.ts'
import type { ActorNames, Environment } from '../runtime/index.ts'
import type { Registry } from './actor-registry.ts'
import type { ObjectTracking } from './known-objects.ts'
import type { RecordedWorld, TapsOptions } from './recorder-taps.ts'

/** File export of a recording. */
export interface RecordingFiles {
  /** Returns the recording as a gzipped file. */
  readonly file: () => Promise<Uint8Array<ArrayBuffer>>
  /** Returns the lines of an uncompressed file. */
  readonly lines: () => string[]
}

/** Methods of every recording. */
export interface Recording<L extends AnyActorLogic = AnyActorLogic> extends RecordingFiles {
  /** The root: an ordinary actor whose events and steps are recorded. */
  readonly actor: Actor<L>
  readonly start: () => void
  readonly stop: () => void
  /**
   * All records, updated live even when not recording. A new recording replaces the arrays; until then they
   * only grow.
   */
  readonly trace: ReplayableTrace
  readonly isRecording: () => boolean
  /** Milliseconds since the recording began, on the clock of its records. */
  readonly elapsed: () => number
  /** Starts a new recording with a keyframe of the current state and drops the previous one. */
  readonly startRecording: () => void
  readonly stopRecording: () => void
  /**
   * Adds a note to a step, by default the last one. It is saved with the recording. A new note on the same
   * step replaces the old one; an empty note removes it.
   */
  readonly bookmark: (note: string, step?: number) => void
  /** Actors by their names in the recording. */
  readonly actors: ActorNames
  /** Redacts this value wherever it occurs. */
  readonly registerSecret: (secret: string) => void
}

export interface SystemRecording<L extends AnyActorLogic> extends Recording<L> {
  /** Runs the callback between two steps: now, or after the current step. */
  readonly between: (run: () => void) => void
  /** The current recording. Its arrays only grow, and stay when a new recording begins. */
  readonly segment: () => NotedTrace
  /**
   * Begins a new segment between two steps. Returns false if the system could not be restored from its
   * current state.
   */
  readonly nextSegment: () => boolean
  /**
   * Subscribes to the moment just before the root is started again after its end, as React's StrictMode does.
   * What follows is another recording.
   */
  readonly onRestart: (listener: () => void) => () => void
  /** Call this before reading the whole recording. Without steps, it adds a keyframe at the end. */
  readonly seal: () => void
  /** Subscribes to newly recognized secrets and the pseudonyms that replace them. */
  readonly onSecret: (listener: (secret: string, pseudonym: string) => void) => () => void
  /** Returns a trace of this recorder without secrets that were recognized after its records were made. */
  readonly refine: (trace: ReplayableTrace) => ReplayableTrace
}

/** A recording without the code that writes files, which a page can load on demand. */
export interface UnwrittenRecording<L extends AnyActorLogic> extends Omit<
  SystemRecording<L>,
  keyof RecordingFiles
> {
  /** Returns the recorded trace, up to where recording was stopped. */
  readonly recorded: () => ReplayableTrace
  /**
   * Runs code that changes the machines and puts the system into another state between two steps, and begins a
   * new recording there.
   */
  readonly replaceState: (change: () => void) => void
}

export interface SystemRecordingOptions<L extends AnyActorLogic> extends RecordedWorld {
  readonly system: string
  readonly appVersion: string
  readonly wall: () => Date
  /** Creates the root's logic. */
  readonly logic: (env: Environment) => L
  /** Options of the root actor. */
  readonly actorOptions: {
    readonly id?: string
    readonly input?: unknown
    readonly snapshot?: unknown
    readonly systemId?: string
  }
  /** For a system that continues from a recording. */
  readonly origin?: RecordingOrigin
  /** The app's own inspector. */
  readonly inspect?: Observer<InspectionEvent> | ((event: InspectionEvent) => void) | undefined
  readonly machines?: TraceHeader['machines'] | undefined
  /** Adds details to the machine charts that the machines do not contain. */
  readonly describe?: ((charts: TraceHeader['machines']) => TraceHeader['machines']) | undefined
  /** False records no steps. */
  readonly steps?: boolean | undefined
  /** Makes the platform's functions ask whether machine code is running; what it reads is taped. */
  readonly platform?: (() => void) | undefined
  /** Preserves the identity and the classes of objects. Loaded with the machines that need it. */
  readonly tracking?: ObjectTracking | undefined
  /** Number of stimuli between two keyframes. */
  readonly keyframeEvery?: number | undefined
  /** The app's rules for finding secrets, in addition to the built-in ones. */
  readonly redact?: RedactionPolicy | undefined
}

/** The origin of a system that continues from a recording. */
export interface RecordingOrigin {
  readonly branchOf: NonNullable<TraceHeader['branchOf']>
  /** Names that its actors had in that recording. */
  readonly naming: TapsOptions['naming']
  /** Called when all actors are created and none is started. */
  readonly made: (root: AnyActorRef, registry: Registry) => void
}
