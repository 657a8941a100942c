// The core of the recorder of systems that are put together from parts: their machines read time and random values from these.
import type { AnyStateMachine, EventFromLogic } from 'xstate'
import type { TraceHeader } from '../../trace/format.ts'
import type { RedactionPolicy } from '../../trace/secrets.ts'
import type { Clock } from '../clock.ts'
import type { Entropy } from '../entropy.ts'
import type { SystemParts } from '../system-parts.ts'
import { environmentOf } from './recorder-taps.ts'
import { createSystemRecording } from './system-recording.ts'
import type { SystemRecording, UnwrittenRecording } from './recording-types.ts'

export interface RecorderOptions<M extends AnyStateMachine> {
  /** Name under which a replay finds the machines. */
  readonly system: string
  readonly appVersion: string
  readonly clock: Clock
  readonly entropy: Entropy
  /** Puts the machines together; a replay uses the same function. */
  readonly compose: (parts: SystemParts) => M
  /** Input of the root machine: plain data. */
  readonly input?: unknown
  /** The drawings of the machines, where somebody has them already; they take a while to make. */
  readonly machines?: TraceHeader['machines']
  /** How many stimuli lie between two keyframes; 4,096 unless told. */
  readonly keyframeEvery?: number
  /** False records no steps: a replay derives them when somebody wants to see them. */
  readonly views?: boolean
  /** Rules by which secrets are found and left out, beside those that are built in. */
  readonly redact?: RedactionPolicy
}

interface Sender<M extends AnyStateMachine> {
  /** Sends to the root. Inside a step (from a subscriber, say) it waits until the step is over. */
  readonly send: (event: EventFromLogic<M>) => void
}

/** A system that runs and is recorded. The recording is on from the first event. */
export interface Recorder<M extends AnyStateMachine> extends SystemRecording<M>, Sender<M> {}

/** The same without files. */
export interface UnwrittenRecorder<M extends AnyStateMachine> extends UnwrittenRecording<M>, Sender<M> {}

/** Creates the system, not started, without the code that writes files. */
export function createUnwrittenRecorder<M extends AnyStateMachine>(
  options: RecorderOptions<M>,
): UnwrittenRecorder<M> {
  const { clock, entropy, compose, input, ...rest } = options
  const recording = createSystemRecording<M>({
    ...rest,
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
