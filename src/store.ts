// The public entry `chartroom/store`: keeps recordings in the browser, so that a crash does not take them along.
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
