// Adds file export to a recording.
import type { AnyActorLogic } from 'xstate'
import { encodeFile, encodeLines } from '../../trace/index.ts'
import type { RecordingFiles, UnwrittenRecording } from './recording-types.ts'

/** Returns the recording with `file` and `lines`. */
export function withFiles<R extends Pick<UnwrittenRecording<AnyActorLogic>, 'recorded'>>(
  recording: R,
): Omit<R, 'recorded'> & RecordingFiles {
  const { recorded, ...rest } = recording
  return { ...rest, file: () => encodeFile(recorded()), lines: () => [...encodeLines(recorded())] }
}
