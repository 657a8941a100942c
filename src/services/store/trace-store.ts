// What a store of recordings is: where they are kept, listed, opened and let go.
import type { Recordable } from './recordable.ts'

/** A recording as a store knows it. */
export interface StoredRecording {
  readonly id: string
  /** Name of the recorded system, e.g. `chartroom`. */
  readonly system: string
  /** Wall-clock time, ISO 8601. */
  readonly startedAt: string
  /** Milliseconds up to the last record. */
  readonly duration: number
  readonly stimuli: number
  readonly views: number
  /** What it takes in the store. */
  readonly bytes: number
  /** `cutOff`: whoever wrote it is gone, and had not closed it. What it had written until then is whole. */
  readonly state: 'running' | 'closed' | 'cutOff'
  /** Who wrote it: the same for all recordings of one tab, or of one process. */
  readonly writer: string
  /** Whether it stays until it is deleted by hand. */
  readonly kept: boolean
  /** Whether its beginning went to make room; it then begins with a keyframe. */
  readonly shortened: boolean
}

export interface StoreStatus {
  /** `full`: what happens now is not kept; `unavailable`: nothing can be kept here, and `reason` says why. */
  readonly state: 'idle' | 'writing' | 'full' | 'unavailable'
  /** What the recordings take. */
  readonly bytes: number
  /** What they may take. */
  readonly quota: number
  /** In a sentence, when there is something to say. */
  readonly reason?: string
}

/** Which recordings stay; the oldest go first, those that are kept or being written never. */
export interface Retention {
  /** The newest so many; 20 unless told. */
  readonly recordings?: number
  /** Bytes of all of them; 200 MB unless told. */
  readonly bytes?: number
  /** 14 unless told. */
  readonly days?: number
}

/** A recording that is being written. */
export interface Writing {
  /** Writes what there is now; resolves when it is stored, or can't be. */
  flush(): Promise<void>
  /** Writes what there is and closes the recording. */
  stop(): Promise<void>
}

/** Where recordings are kept. Nothing here throws or rejects for what a device is out of; the status tells. */
export interface TraceStore {
  /** The newest first. */
  list(): Promise<readonly StoredRecording[]>
  /** A gzipped trace file; `undefined` when there is no such recording (any more). */
  open(id: string): Promise<Blob | undefined>
  delete(id: string): Promise<void>
  /** Spares it from going when others need the room. */
  keep(id: string, kept?: boolean): Promise<void>
  /**
   * Follows a running recording and writes what it records, so that a crash loses a quarter of a second at most.
   * A recording that is begun anew is another one in the store.
   */
  write(recording: Recordable): Writing
  status(): StoreStatus
  subscribe(listener: () => void): () => void
  /** Closes what is being written, and the store. */
  close(): Promise<void>
}
