// The public entry `chartroom/node`: stores recordings in files when there is no browser.
export { createFileStore, type FileStoreOptions } from './services/store/file-store.ts'
export type { Sync } from './services/store/file-storage.ts'
export { createRing, type Ring } from './services/store/ring.ts'
export type { Recordable } from './services/store/recordable.ts'
export type { RingOptions, Segment, Segments } from './services/store/segments.ts'
export type {
  Retention,
  StoredRecording,
  StoreStatus,
  TraceStore,
  Writing,
} from './services/store/trace-store.ts'
