// The public entry `chartroom/recording`: records a client from its first event.
export { recordEverything, type RecordingOptions } from '../services/client/record-everything.ts'
export type { InvariantName, Violation } from '../trace/index.ts'
export type { RingOptions } from '../services/recording/index.ts'
