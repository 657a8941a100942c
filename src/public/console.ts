// The public entry `chartroom/console`: the console for any React app with XState, and the line that attaches a system.
export { ChartroomConsole, type ChartroomConsoleProps } from '../ui/console/attach/chartroom-console.tsx'
export {
  attach,
  createStatelyBridge,
  type Attached,
  type AttachedRecording,
  type AttachOptions,
  type GivenSchemas,
  type StatelyBridge,
  type StatelyBridgeOptions,
} from './attach.ts'
