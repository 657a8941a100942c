// The console: for apps, and docked in the workbench.
export { ChartroomConsole, type ChartroomConsoleProps } from './attach/chartroom-console.tsx'
export { DockedConsole } from './attach/docked-console.tsx'
export type { ConsoleMoment, ConsoleRecording, OnMoment } from './console-recording.ts'
export { Console } from './console.tsx'
export type { ConsoleLocation, PlaceParams } from './model/location.ts'
export type { BesideEvent } from './state/beside-event.ts'
