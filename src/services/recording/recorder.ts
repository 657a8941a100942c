// Recorder for systems that are composed from parts, with file export.
import type { AnyStateMachine } from 'xstate'
import { createUnwrittenRecorder, type Recorder, type RecorderOptions } from './unwritten-recorder.ts'
import { withFiles } from './with-files.ts'

export type { Recorder, RecorderOptions } from './unwritten-recorder.ts'
export { XSTATE_VERSION } from './xstate-version.ts'

/** Creates the system without starting it. */
export function createRecorder<M extends AnyStateMachine>(options: RecorderOptions<M>): Recorder<M> {
  return withFiles(createUnwrittenRecorder(options))
}
