// What the console needs of a recording: its own client's, another window's, or what another app tells.
import type { TraceSource } from '../../trace/format.ts'

/** A live recording; `Recording` of a client is one. */
export interface ConsoleRecording {
  /** The records so far and as they come; another object or other arrays when a new recording began. */
  readonly trace: TraceSource
  isRecording(): boolean
  /** Begins a new recording; the one before is dropped. */
  start(): void
  stop(): void
  /** Puts a note on a step, saved with the recording; an empty one takes it away. Absent where notes can't be kept. */
  bookmark?(note: string, view: number): void
  /** The recording so far as a gzipped trace file. */
  download(): Promise<Blob>
}
