// The public entry `chartroom/node`: stores recordings in files when there is no browser.
export { createFileStore, type FileStoreOptions } from '../services/recording/store/file-store.ts'
export type { Sync } from '../services/recording/store/file-storage.ts'
export { createRing, type Ring } from '../services/recording/store/ring.ts'
export type { Recordable } from '../services/recording/store/recordable.ts'
export type { RingOptions, Segment, Segments } from '../services/recording/store/segments.ts'
export type {
  Retention,
  StoredRecording,
  StoreStatus,
  TraceStore,
  Writing,
} from '../services/recording/store/trace-store.ts'
