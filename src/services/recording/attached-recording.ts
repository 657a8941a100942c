// Recording API for the console.
import type { TraceSource } from '../../trace/index.ts'
import type { AnyActorLogic } from 'xstate'
import type { UnwrittenRecording } from './recording-types.ts'

/** Recording API for the console. */
export interface AttachedRecording {
  /** All records, updated live. */
  readonly trace: TraceSource
  isRecording(): boolean
  /** Milliseconds since the recording began, on the clock of its records. */
  elapsed(): number
  /** Starts a new recording from the current state and drops the previous one. */
  start(): void
  stop(): void
  /**
   * Adds a note to a step, by default the last one. It is saved with the recording. An empty note removes it.
   */
  bookmark(note: string, step?: number): void
  /** Returns the recording as a gzipped trace file that can be replayed. */
  download(): Promise<Blob>
}

type Own = Pick<
  UnwrittenRecording<AnyActorLogic>,
  'trace' | 'isRecording' | 'elapsed' | 'startRecording' | 'stopRecording' | 'bookmark' | 'recorded'
>

export const attachedRecording = (own: Own): AttachedRecording => ({
  trace: own.trace,
  isRecording: own.isRecording,
  elapsed: own.elapsed,
  start: own.startRecording,
  stop: own.stopRecording,
  bookmark: own.bookmark,
  async download() {
    const { recordingFile } = await import('./encode-gently.ts')
    return recordingFile(own.recorded())
  },
})
