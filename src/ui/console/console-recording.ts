// The recording interface of the console, for the client, another window, or another app.
import type { TraceSource } from '../../trace/index.ts'

/** A live recording; a client's `Recording` implements it. */
export interface ConsoleRecording {
  /** Records so far; grows as they arrive. A new recording creates a new object or new arrays. */
  readonly trace: TraceSource
  isRecording(): boolean
  /** Starts a new recording and drops the previous one. */
  start(): void
  stop(): void
  /**
   * Adds a note to a step and saves it with the recording; an empty note removes it. Undefined if notes are
   * not supported.
   */
  bookmark?(note: string, step: number): void
  /** Returns the recording so far as a gzipped trace file. */
  download(): Promise<Blob>
}
