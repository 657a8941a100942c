// The public entry `chartroom/store`: stores recordings in the browser, so that they survive a crash.
export { createBrowserStore, type BrowserStoreOptions } from './services/store/browser-store.ts'
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
