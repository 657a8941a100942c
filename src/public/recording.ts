// The public entry `chartroom/recording`: records a client from its first event.
export { recordEverything, type RecordingOptions } from '../services/recording/record-everything.ts'
export type { InvariantName, Violation } from '../trace/invariants/invariants.ts'
export type { RingOptions } from '../services/recording/store/segments.ts'
