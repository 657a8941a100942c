// The public entry `chartroom/node`: stores recordings in files when there is no browser.
export {
  createFileStore,
  createRing,
  type FileStoreOptions,
  type Recordable,
  type Retention,
  type Ring,
  type RingOptions,
  type Segment,
  type Segments,
  type StoredRecording,
  type StoreStatus,
  type Sync,
  type TraceStore,
  type Writing,
} from '../services/recording/index.ts'
