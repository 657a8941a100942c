// Recorder for systems that are composed from parts, with file export.
import type { AnyStateMachine } from 'xstate'
import { createUnwrittenRecorder, type Recorder, type RecorderOptions } from './unwritten-recorder.ts'
import { withFiles } from './with-files.ts'

/** Creates the system without starting it. */
export function createRecorder<M extends AnyStateMachine>(options: RecorderOptions<M>): Recorder<M> {
  return withFiles(createUnwrittenRecorder(options))
}
