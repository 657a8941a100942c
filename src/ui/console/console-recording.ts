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
  /** The recording so far as a gzipped trace file. */
  download(): Promise<Blob>
}
