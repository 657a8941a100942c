// The public entry `@chartroom/devtools/console`: the console for any React app with XState, and the line that attaches a system.
export {
  ChartroomConsole,
  type ChartroomConsoleProps,
  type ConsoleMoment,
  type OnMoment,
} from '../../ui/console/attach/chartroom-console.tsx'
export {
  attach,
  type Attached,
  type AttachOptions,
  createStatelyBridge,
  type StatelyBridge,
  type StatelyBridgeOptions,
} from '../../services/control/index.ts'
export type { AttachedRecording } from '../../services/recording/index.ts'
export type { GivenSchemas } from '../../services/runtime/index.ts'
