// Uploads as an app sees them. Their code loads with the first upload.
import { Listeners } from '../../../trace/index.ts'
import type { clientMachine, UploadsCommand, UploadStatus } from '../../../machines/index.ts'
import type { KeepAlive, SessionStorage } from '../../runtime/index.ts'
import type { Runner } from '../runner.ts'
import type { StorageHost } from './storage-call.ts'
import type { UploadsApi } from './uploads-api.ts'
import type { CreateUploadsParts, UploadsParts } from './uploads-parts.ts'

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

type Command = (...args: readonly never[]) => void

/** Methods that have no effect before the first upload. */
export const UPLOAD_COMMANDS = ['pause', 'resume', 'cancel', 'retry', 'answer', 'clear'] as const
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
  for (const name of UPLOAD_COMMANDS)
    api[name] = (...args: readonly never[]) => (parts?.api[name] as Command)?.(...args)
  return {
    api,
    /** Prepares the client's machine for uploads, which are installed immediately if their code is passed. */
    prepare(machine: typeof clientMachine, createParts?: CreateUploadsParts) {
      client = machine
      if (createParts) take(createParts)
      return machine
    },
    dispose() {
      listeners.clear()
      parts?.dispose()
    },
  }
}
