// Uploads as an app sees them. Their code loads with the first upload.
import { Listeners } from '../../../trace/index.ts'
import type {
  clientMachine,
  UploadsCommand,
  ConflictAnswer,
  UploadLimits,
  UploadPhase,
  UploadStatus,
} from '../../../machines/index.ts'
import type { KeepAlive, SessionStorage } from '../../runtime/index.ts'
import type { Runner } from '../runner.ts'
import type { StorageHost } from './storage-call.ts'
import type { CreateUploadsParts, UploadsParts } from './uploads-parts.ts'

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

export interface UploadsHost extends StorageHost {
  readonly storage: SessionStorage
  readonly storageKey: string
  readonly now: () => number
  /** A process runs until its uploads have ended, or wait for the app. */
  readonly keepAlive: KeepAlive
  readonly send: (command: UploadsCommand) => void
  readonly runner: () => Pick<Runner, 'actor' | 'steps'>
  readonly load: () => Promise<{ readonly createUploadsParts: CreateUploadsParts }>
}

type Command = (...given: readonly never[]) => void

const NAMES = ['pause', 'resume', 'cancel', 'retry', 'answer', 'clear'] as const
const NONE: readonly UploadStatus[] = []

export function createLazyUploads(host: UploadsHost) {
  const listeners = new Listeners()
  let client: typeof clientMachine | undefined
  let parts: UploadsParts | undefined
  const { notify } = listeners
  const take = (create: CreateUploadsParts) => {
    if (parts || !client) return parts
    parts = create(host, notify)
    client.implementations.actors['uploads'] = parts.machine
    return parts
  }
  const api = {
    add: async uploads => (parts ?? take((await host.load()).createUploadsParts))?.api.add(uploads) ?? [],
    list: () => parts?.api.list() ?? NONE,
    onChange: listeners.subscribe,
  } satisfies Partial<UploadsApi> as UploadsApi
  // These methods have no effect before the first upload.
  for (const name of NAMES)
    api[name] = (...given: readonly never[]) => (parts?.api[name] as Command)?.(...given)
  return {
    api,
    /** Prepares the client's machine for uploads, which are installed immediately if their code is passed. */
    prepare(machine: typeof clientMachine, given?: CreateUploadsParts) {
      client = machine
      if (given) take(given)
      return machine
    },
    dispose() {
      listeners.clear()
      parts?.dispose()
    },
  }
}
