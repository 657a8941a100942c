// The public entry `@chartroom/devtools/store`: stores recordings in the browser, so that they survive a crash.
export {
  type BrowserStoreOptions,
  createBrowserStore,
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
