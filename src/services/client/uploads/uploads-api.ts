// What an app uses of uploads.
import type { ConflictAnswer, UploadLimits, UploadPhase, UploadStatus } from '../../../machines/index.ts'

export type { ConflictAnswer, UploadLimits, UploadPhase, UploadStatus }

/** A file to upload. */
export interface NewUpload {
  readonly bucket: string
  /** Folders and name inside the bucket. */
  readonly path: string
  readonly content: Blob
  /** Defaults to the content's own type. */
  readonly mime?: string
  /** Known limits of the bucket: a file that exceeds them is not sent. */
  readonly limits?: UploadLimits
  /** What to do if the name is taken. Defaults to asking. */
  readonly onConflict?: 'ask' | ConflictAnswer
}

/** Background uploads, independent of what the app shows: a few at a time, large files in parts. */
export interface UploadsApi {
  /** Returns the ids, in order. Rejects if the upload code could not be loaded. */
  add(uploads: readonly NewUpload[]): Promise<readonly string[]>
  /** All uploads that were added and not cleared, oldest first; the same array until something changes. */
  list(): readonly UploadStatus[]
  /** Subscribes to changes of the list. Listeners never run inside a transition. */
  onChange(listener: () => void): () => void
  pause(id: string): void
  resume(id: string): void
  /** Cancels the upload; parts that were sent are not used. */
  cancel(id: string): void
  /** Retries after a failure, with another name if one is passed. */
  retry(id: string, path?: string): void
  /** Resolves a taken name; with `all`, for all files that ask now or later. */
  answer(id: string, answer: ConflictAnswer, all?: boolean): void
  /** Removes finished uploads from the list. */
  clear(): void
}
