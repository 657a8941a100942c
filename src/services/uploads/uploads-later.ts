// Uploads on first use: their code is loaded with the first one, and until then there are none.
import type { UploadsCommand } from '../../machines/client-events.ts'
import type { clientMachine } from '../../machines/client.ts'
import type { UploadsReport } from '../../machines/uploads.ts'
import type { SessionStorage } from '../client-types.ts'
import type { Runner } from '../runner.ts'
import type { StorageHost } from './storage-call.ts'
import type { UploadsApi, UploadStatus } from './upload-types.ts'
import type { CreateUploadsParts, UploadsParts } from './uploads-parts.ts'

export interface UploadsHost extends StorageHost {
  readonly storage: SessionStorage
  readonly storageKey: string
  readonly now: () => number
  readonly send: (command: UploadsCommand) => void
  readonly runner: () => Pick<Runner, 'actor' | 'steps'>
  readonly load: () => Promise<{ readonly createUploadsParts: CreateUploadsParts }>
}

const NONE: readonly UploadStatus[] = []

export function createUploadsLater(host: UploadsHost) {
  const listeners = new Set<() => void>()
  let install: ((create: CreateUploadsParts) => UploadsParts) | undefined
  let parts: UploadsParts | undefined
  const tell = () => listeners.forEach(listener => listener())
  const take = (create: CreateUploadsParts) => (parts ??= install?.(create))
  const api: UploadsApi = {
    add: async uploads => (parts ?? take((await host.load()).createUploadsParts))?.add(uploads) ?? [],
    list: () => parts?.list() ?? NONE,
    onChange(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    pause: id => parts?.command(id, { type: 'upload.pause' }),
    resume: id => parts?.command(id, { type: 'upload.resume' }),
    cancel: id => parts?.command(id, { type: 'upload.cancel' }),
    retry: (id, path) => parts?.command(id, { type: 'upload.retry', ...(path !== undefined && { path }) }),
    answer: (id, answer, all = false) => parts?.command(id, { type: 'upload.answer', answer, all }),
    clear: () => parts?.clear(),
  }
  return {
    api,
    /** Readies the client's machine for uploads, which are put in at once where their code is given. */
    prepare(client: typeof clientMachine, given?: CreateUploadsParts) {
      install = create => {
        const made = create(host, tell)
        client.implementations.actors['uploads'] = made.machine
        return made
      }
      if (given) take(given)
      return client
    },
    settle: (report: UploadsReport) => parts?.settle(report),
    dispose() {
      listeners.clear()
      parts?.dispose()
    },
  }
}
