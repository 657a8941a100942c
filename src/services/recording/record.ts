// Records XState systems, with file export: any system without changes to its logic, or one composed from parts.
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import { encodeFile, encodeLines } from '../../trace/index.ts'
import { describeWith, tapePlatform } from '../runtime/index.ts'
import { trackObjects } from './known-objects.ts'
import type { Recording, RecordingFiles, UnwrittenRecording } from './recording-types.ts'
import { recordUnwritten, type RecordOptions } from './unwritten-record.ts'
import { createUnwrittenRecorder, type Recorder, type RecorderOptions } from './unwritten-recorder.ts'

/**
 * Creates an actor like `createActor(logic, options)` and records it from its first event. Behavior and
 * timing do not change; use `recording.actor` like any other actor.
 * @throws TypeError for anything but logic of XState 5, such as an actor; and if `schemas` names an unknown machine
 * or contains an invalid schema
 */
export function record<L extends AnyActorLogic>(logic: L, options: RecordOptions<L> = {}): Recording<L> {
  return withFiles(recordUnwritten(logic, options, partsOf(options)))
}

/** The parts of a recording of an app's own machines. */
export function partsOf({
  schemas,
  codec,
  identity,
  platform,
}: Pick<RecordOptions<AnyActorLogic>, 'schemas' | 'codec' | 'identity' | 'platform'>) {
  return {
    describe: describeWith(schemas),
    platform: platform === false ? undefined : tapePlatform,
    tracking: trackObjects(codec, identity),
  }
}

/** Creates a system from its parts without starting it. */
export function createRecorder<M extends AnyStateMachine>(options: RecorderOptions<M>): Recorder<M> {
  return withFiles(createUnwrittenRecorder(options, partsOf(options)))
}

/** Returns the recording with `file` and `lines`. */
export function withFiles<R extends Pick<UnwrittenRecording<AnyActorLogic>, 'recorded'>>(
  recording: R,
): Omit<R, 'recorded'> & RecordingFiles {
  const { recorded, ...rest } = recording
  return { ...rest, file: () => encodeFile(recorded()), lines: () => [...encodeLines(recorded())] }
}
