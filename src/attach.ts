// What `chartroom/console` has beside the console: a system attached in one line, and the way to Stately's inspector.
export { attach, type Attached, type AttachOptions } from './services/attach.ts'
export type { AttachedRecording } from './services/recording/attached-recording.ts'
export type { GivenSchemas } from './services/given-schemas.ts'
export {
  createStatelyBridge,
  type StatelyBridge,
  type StatelyBridgeOptions,
} from './services/stately-bridge.ts'
