// The public entry `@chartroom/devtools/recording`: records a client from its first event.
export { recordEverything, type RecordingOptions } from '../../services/client/record-everything.ts'
export type { InvariantName, Violation } from '../../trace/index.ts'
export type { RingOptions } from '../../services/recording/index.ts'
export {
  createRecorder,
  record,
  type Recorder,
  type RecorderOptions,
  type Recording,
  type RecordOptions,
} from '../../services/recording/index.ts'
export {
  type AppClass,
  type ClassCodec,
  type Codec,
  type ComposeSystem,
  env,
  type Environment,
  type GivenSchemas,
  type SystemParts,
  type SystemRegistry,
  taped,
  withCodec,
} from '../../services/runtime/index.ts'
