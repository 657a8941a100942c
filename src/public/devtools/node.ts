// The public entry `@chartroom/devtools/node`: stores recordings in files when there is no browser.
export { createFileStore, type FileStoreOptions } from '../../services/recording/store/file-store.ts'
export type { Sync } from '../../services/recording/store/file-storage.ts'
export {
  createRing,
  type Recordable,
  type Retention,
  type Ring,
  type RingOptions,
  type Segment,
  type Segments,
  type StoredRecording,
  type StoreStatus,
  type TraceStore,
  type Writing,
} from '../../services/recording/index.ts'
