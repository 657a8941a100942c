// Core of the recorder for composed systems, whose machines read time and random values from the given parts.
import type { AnyStateMachine, EventFromLogic } from 'xstate'
import type { RedactionPolicy, TraceHeader } from '../../trace/index.ts'
import type { Clock, Entropy, SystemParts } from '../runtime/index.ts'
import { environmentOf } from './recorder-taps.ts'
import { createSystemRecording } from './system-recording.ts'
import type { SystemRecording, SystemRecordingOptions, UnwrittenRecording } from './recording-types.ts'

/** Options of `createRecorder`. */
export interface RecorderOptions<M extends AnyStateMachine> {
  /** Name under which a replay finds the machines. */
  readonly system: string
  readonly appVersion: string
  readonly clock: Clock
  readonly entropy: Entropy
  /** Composes the machines; a replay uses the same function. */
  readonly compose: (parts: SystemParts) => M
  /** Input of the root machine: plain data. */
  readonly input?: unknown
  /** Machine charts, if already available; they are slow to build. */
  readonly machines?: TraceHeader['machines']
  /** Number of stimuli between two keyframes. Defaults to 4,096. */
  readonly keyframeEvery?: number
  /** False records no steps: a replay derives them on demand. */
  readonly steps?: boolean
  /** Whether what machine code reads from the platform is taped. Defaults to true. */
  readonly platform?: boolean
  /** Whether records say which objects are the same, and name the classes of instances. Defaults to true. */
  readonly identity?: boolean
  /** Rules for finding secrets, in addition to the built-in ones. */
  readonly redact?: RedactionPolicy
}

interface Sender<M extends AnyStateMachine> {
  /**
   * Sends an event to the root. Within a step, e.g. from a subscriber, sending is delayed until the step has
   * ended.
   */
  readonly send: (event: EventFromLogic<M>) => void
}

/** A running, recorded system. It is recorded from its first event. */
export interface Recorder<M extends AnyStateMachine> extends SystemRecording<M>, Sender<M> {}

/** The same without file export. */
export interface UnwrittenRecorder<M extends AnyStateMachine> extends UnwrittenRecording<M>, Sender<M> {}

/** Creates the system without starting it and without the code that writes files. */
export function createUnwrittenRecorder<M extends AnyStateMachine>(
  options: RecorderOptions<M>,
  parts: Pick<SystemRecordingOptions<M>, 'platform' | 'tracking'> = {},
): UnwrittenRecorder<M> {
  const { clock, entropy, compose, input, platform: _platform, identity: _identity, ...rest } = options
  const recording = createSystemRecording<M>({
    ...rest,
    ...parts,
    clock,
    now: clock.now,
    wall: clock.wall,
    env: environmentOf(clock.now, entropy),
    logic: env => compose({ env }),
    actorOptions: input === undefined ? {} : { input },
  })
  const { actor, between, stop } = recording
  return {
    ...recording,
    stop: () => between(stop),
    send: event => between(() => actor.send(event)),
  }
}
