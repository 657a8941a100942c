// The public entry `chartroom/console`: the console for any React app with XState, and the line that attaches a system.
export { ChartroomConsole, type ChartroomConsoleProps } from './console/attach/chartroom-console.tsx'
export { attach, type Attached, type AttachedRecording } from '../attach.ts'
