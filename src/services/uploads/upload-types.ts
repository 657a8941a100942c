// The public types of uploads.
import type { TakenAnswer, UploadLimits } from '../../machines/upload-info.ts'
import type { UploadPhase, UploadStatus } from '../../machines/upload-status.ts'

export type { TakenAnswer, UploadLimits, UploadPhase, UploadStatus }

/** A file to be uploaded. */
export interface NewUpload {
  readonly bucket: string
  /** Folders and name inside the bucket. */
  readonly path: string
  readonly content: Blob
  /** The content's own type unless told. */
  readonly mime?: string
  /** What the bucket takes, as far as it is known: a file that it would refuse is not sent. */
  readonly limits?: UploadLimits
  /** What to do where there is a file of this name; it is asked unless told. */
  readonly onTaken?: 'ask' | TakenAnswer
}

/** Uploads that go on by themselves, whatever the app shows meanwhile: a few at a time, large ones in parts. */
export interface UploadsApi {
  /** Gives the ids, in order. Rejects when the code of uploads could not be loaded. */
  add(uploads: readonly NewUpload[]): Promise<readonly string[]>
  /** All that were added and not cleared, oldest first; the same array until something changed. */
  list(): readonly UploadStatus[]
  /** Calls back after the list changed, never inside a transition. */
  onChange(listener: () => void): () => void
  pause(id: string): void
  resume(id: string): void
  /** Ends it; what was sent of it stays unused. */
  cancel(id: string): void
  /** Once more after a failure, under another name if one is given. */
  retry(id: string, path?: string): void
  /** Says what to do with a name that is taken; with `all` for every file that asks or will ask. */
  answer(id: string, answer: TakenAnswer, all?: boolean): void
  /** Forgets those that are over. */
  clear(): void
}
