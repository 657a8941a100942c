// A recording as the console holds it.
import type { TraceSource } from '../../trace/format.ts'
import type { AnyActorLogic } from 'xstate'
import type { UnwrittenRecording } from './recording-types.ts'

/** A recording as the console holds it. */
export interface AttachedRecording {
  /** The records so far and as they come. */
  readonly trace: TraceSource
  isRecording(): boolean
  /** Begins anew with the system as it is; the recording before is dropped. */
  start(): void
  stop(): void
  /** Puts a note on a step, the last one unless told; it is saved with the recording. An empty one takes it away. */
  bookmark(note: string, view?: number): void
  /** The recording so far as a gzipped trace file, which can be replayed. */
  download(): Promise<Blob>
}

type Own = Pick<
  UnwrittenRecording<AnyActorLogic>,
  'trace' | 'isRecording' | 'startRecording' | 'stopRecording' | 'bookmark' | 'recorded'
>

export const attachedRecording = (own: Own): AttachedRecording => ({
  trace: own.trace,
  isRecording: own.isRecording,
  start: own.startRecording,
  stop: own.stopRecording,
  bookmark: own.bookmark,
  async download() {
    const { encodeFile } = await import('../../trace/encode.ts')
    return new Blob([await encodeFile(own.recorded())], { type: 'application/gzip' })
  },
})
