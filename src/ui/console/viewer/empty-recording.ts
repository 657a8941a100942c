// The live recording of a viewer, which shows a file and records nothing.
import { ForeignTrace } from '../../../trace/index.ts'
import type { ConsoleRecording } from '../console-recording.ts'

/** Has no records, ever; a download returns `file`. */
export function emptyRecording(file: Blob): ConsoleRecording {
  return {
    trace: new ForeignTrace({ defer: () => undefined }),
    isRecording: () => false,
    elapsed: () => 0,
    start: () => undefined,
    stop: () => undefined,
    download: () => Promise.resolve(file),
  }
}
