// Interface of a recording store: lists, opens, keeps and deletes recordings.
import type { Recordable } from './recordable.ts'

/** A stored recording. */
export interface StoredRecording {
  readonly id: string
  /** Name of the recorded system, e.g. `chartroom`. */
  readonly system: string
  /** Wall-clock time, ISO 8601. */
  readonly startedAt: string
  /** Milliseconds up to the last record. */
  readonly duration: number
  readonly stimuli: number
  readonly steps: number
  /** Events from outside, such as responses, that are named after a failure. */
  readonly failures: number
  /** Bytes used in the store. */
  readonly bytes: number
  /** `cutOff`: the writer is gone without closing the recording. Everything written before that is intact. */
  readonly state: 'running' | 'closed' | 'cutOff'
  /** The writer: the same for all recordings of one tab or process. */
  readonly writer: string
  /** As given by `rename`; otherwise empty. */
  readonly name: string
  /** Id of the user that was signed in last, if events name one (`token.user.id`, `session.user.id`, `user.id`). */
  readonly user: string | undefined
  /** Whether the recording is exempt from automatic removal. */
  readonly kept: boolean
  /** Whether the beginning was removed to free space; the recording then begins with a keyframe. */
  readonly shortened: boolean
}

/** Status of a recording store; sizes in bytes. */
export interface StoreStatus {
  /** `full`: new steps are not stored. `unavailable`: nothing can be stored; `reason` says why. */
  readonly state: 'idle' | 'writing' | 'full' | 'unavailable'
  /** Bytes used by recordings. */
  readonly bytes: number
  /** Bytes that recordings may use. */
  readonly quota: number
  /** A sentence, if there is something to report. */
  readonly reason?: string
}

/**
 * Limits of what is kept. The oldest recordings are removed first; kept and running ones are never removed.
 */
export interface Retention {
  /** Maximum number of recordings. Defaults to 20. */
  readonly recordings?: number
  /** Maximum bytes of all recordings. Defaults to 200 MB. */
  readonly bytes?: number
  /** Maximum age in days. Defaults to 14. */
  readonly days?: number
}

/** A recording that is being written. */
export interface Writing {
  /** Writes pending lines. Resolves when they are stored or cannot be stored. */
  flush(): Promise<void>
  /** Writes pending lines and closes the recording. */
  stop(): Promise<void>
}

/**
 * Stores recordings. No method throws or rejects because of the device; failures are reported in the status.
 */
export interface TraceStore {
  /** Newest first. */
  list(): Promise<readonly StoredRecording[]>
  /** Returns a gzipped trace file, or `undefined` if there is no such recording (any longer). */
  open(id: string): Promise<Blob | undefined>
  delete(id: string): Promise<void>
  /** Exempts a recording from automatic removal. */
  keep(id: string, kept?: boolean): Promise<void>
  /** Names a recording; an empty name removes the name. */
  rename(id: string, name: string): Promise<void>
  /**
   * Follows a running recording and stores its steps, so that a crash loses at most a quarter of a second. A
   * restarted recording is stored as a separate one.
   */
  write(recording: Recordable): Writing
  status(): StoreStatus
  subscribe(listener: () => void): () => void
  /** Closes all recordings being written, and the store. */
  close(): Promise<void>
}
