// The public entry `chartroom/store`: stores recordings in the browser, so that they survive a crash.
export { createBrowserStore, type BrowserStoreOptions } from '../services/recording/store/browser-store.ts'
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
