// The parts of `chartroom/console` other than the console: `attach` for systems and the bridge to the Stately
// inspector.
export { attach, type Attached, type AttachOptions } from '../services/control/attach.ts'
export type { AttachedRecording } from '../services/recording/attached-recording.ts'
export type { GivenSchemas } from '../services/runtime/given-schemas.ts'
export {
  createStatelyBridge,
  type StatelyBridge,
  type StatelyBridgeOptions,
} from '../services/control/stately/stately-bridge.ts'
