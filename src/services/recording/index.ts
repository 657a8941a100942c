// The recorder, and the store that keeps recordings.
export { ActorRecord } from './actor-record.ts'
export { createRegistry, type Registry } from './actor-registry.ts'
export { Viewer } from './actor-viewer.ts'
export { type AttachedRecording, attachedRecording } from './attached-recording.ts'
export { capture, type CodeHook, isRunning, logicOf, stubLeaf } from './capture.ts'
export type { FileContext } from './encode-gently.ts'
export { inspectDirectly } from './inspection.ts'
export { isActor } from './is-actor.ts'
export { type InlineSource, takeKeyframe } from './keyframe.ts'
export { ObjectIndex, trackObjects } from './known-objects.ts'
export { isLeaf, isMachine, logicKind } from './logic-kind.ts'
export { type PlainPart, plainStep, rawStep, type RawStimulus, senderOf, STOP } from './plain-records.ts'
export { createPlainer } from './plain.ts'
export { createRecorder, partsOf, record, withFiles } from './record.ts'
export { environmentOf } from './recorder-taps.ts'
export type { Recording, UnwrittenRecording } from './recording-types.ts'
export { persistedOf, rename } from './restored-names.ts'
export { LiveStep } from './step.ts'
export { type BrowserStoreOptions, createBrowserStore } from './store/browser-store.ts'
export type { Recordable } from './store/recordable.ts'
export { createRing, type Ring } from './store/ring.ts'
export { createSegments, type RingOptions, type Segment, type Segments } from './store/segments.ts'
export type { Retention, StoredRecording, StoreStatus, TraceStore, Writing } from './store/trace-store.ts'
export { createSystemRecording } from './system-recording.ts'
export { type InnerRoot, isStimulus } from './tap-parts.ts'
export { type Armed, createTimerTable, type TimerClock, timerOutput, type TimerTable } from './timers.ts'
export { TraceLog } from './trace-log.ts'
export {
  domainOf,
  endsOf,
  type History,
  historyOf,
  isInside,
  nameOf,
  type Transition,
  transitionsIn,
  type TransitionsTaken,
  viaOf,
  withMicrostep,
} from './transitions-taken.ts'
export { type RecordOptions, recordUnwritten } from './unwritten-record.ts'
export {
  createUnwrittenRecorder,
  type Recorder,
  type RecorderOptions,
  type UnwrittenRecorder,
} from './unwritten-recorder.ts'
export { XSTATE_VERSION } from './xstate-version.ts'
