// What `chartroom/console` has beside the console: a system that is recorded and can be driven, in one line.
export { attach, type Attached, type AttachedRecording } from './services/attach.ts'
