// What the console and its host exchange: the host's recording, and the past moment that the console shows. The
// host is the client, another window, or another app.
import type { StepRecord, TraceSource } from '../../trace/index.ts'

/** A live recording; a client's `Recording` implements it. */
export interface ConsoleRecording {
  /** Records so far; grows as they arrive. A new recording creates a new object or new arrays. */
  readonly trace: TraceSource
  isRecording(): boolean
  /** Milliseconds since the recording began, on the clock of its records. */
  elapsed(): number
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

/** A moment of a live recording before its last step. */
export interface ConsoleMoment {
  /** Number of the last step that had happened, as in the recording's `trace.steps`. */
  readonly step: number
  /** Time of that step in milliseconds since the recording began. */
  readonly t: number
  /** Returns the latest step of the actor at this path until then; undefined if it had none. */
  readonly latest: (path: string) => StepRecord | undefined
  /** Returns the console to the end of the recording. */
  readonly toNow: () => void
}

/** Called when the shown moment changes: with undefined once the console follows the recording, or closes. */
export type OnMoment = (moment: ConsoleMoment | undefined) => void
