// Upload code that loads with the first upload: machines with their ports, contents, and the list.
import {
  type UploadCommand,
  type UploadInfo,
  uploadsStatus,
  type CheckNameEvent,
  numbered,
} from '../../../machines/index.ts'
import { isEqual } from '../../../trace/index.ts'
import { composeUploads } from './compose-uploads.ts'
import { type Contents, createTransferPort, PART } from './transfer.ts'
import { canReportProgress, callStorage, type StorageHost } from './storage-call.ts'
import type { UploadsHost } from './lazy-uploads.ts'
import type { NewUpload, UploadsApi, UploadStatus } from './uploads-api.ts'
import { fromCallback, type EventObject } from 'xstate'
import type { SessionStorage } from '../../runtime/index.ts'

/** Page size of the folder listing. */
const MOST_NAMES = 1000

async function namesLike(host: StorageHost, bucket: string, path: string, signal: AbortSignal) {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const dot = name.lastIndexOf('.')
  const response = await callStorage(host, `/object/list/${encodeURIComponent(bucket)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      prefix: path.slice(0, Math.max(slash, 0)),
      // Also finds names that begin with this one, so that numbered copies are included.
      search: dot > 0 ? name.slice(0, dot) : name,
      limit: MOST_NAMES,
      offset: 0,
    }),
    signal,
  })
  if (!response.ok) return undefined
  const listed = (await response.json()) as readonly { readonly name: string }[]
  const folder = slash < 0 ? '' : path.slice(0, slash + 1)
  return new Set(listed.map(one => folder + one.name))
}

function freeBeside(path: string, names: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const free = numbered(path, number)
    if (!names.has(free)) return free
  }
}

const createCheckNamePort = (host: StorageHost) =>
  fromCallback<EventObject, { readonly bucket: string; readonly path: string }, CheckNameEvent>(
    ({ input: { bucket, path }, sendBack }) => {
      const left = new AbortController()
      const check = async (): Promise<CheckNameEvent> => {
        const names = await namesLike(host, bucket, path, left.signal).catch(() => undefined)
        if (!names) return { type: 'name.unknown' }
        return names.has(path) ? { type: 'name.taken', free: freeBeside(path, names) } : { type: 'name.free' }
      }
      void check().then(event => {
        if (!left.signal.aborted) sendBack(event)
      })
      return () => left.abort()
    },
  )

/** @param changed called after the list changed, never inside a step */
export function createUploadsParts(host: UploadsHost, changed: () => void) {
  const contents: Contents = new Map()
  const urlStorage = createTusUrlStorage(host.storage, host.storageKey)
  const transferHost = { ...host, contents, urlStorage }
  const ports = { checkName: createCheckNamePort(host), transfer: createTransferPort(transferHost) }
  const discard = async ({ id, bucket, path }: UploadStatus) => {
    const content = contents.get(id)
    if (!content || content.blob.size <= PART) return
    const { discardParts } = await import('./send-parts.ts')
    await discardParts(transferHost, { bucket, path, content })
  }
  const progress = canReportProgress() ? { reportsProgress: true } : {}
  let count = 0
  let cachedList: { readonly version: number; readonly list: readonly UploadStatus[] } = {
    version: -1,
    list: [],
  }
  let stop: (() => void) | undefined
  const list = (): readonly UploadStatus[] => {
    const { actor, steps } = host.runner()
    const version = steps.version()
    if (version === cachedList.version) return cachedList.list
    const next = uploadsStatus(actor.getSnapshot().children.uploads?.getSnapshot())
    cachedList = { version, list: shared(cachedList.list, next) }
    return cachedList.list
  }
  let letEnd: (() => void) | undefined
  const keepAlive = () => {
    if (list().some(({ phase }) => !OVER.has(phase) && !WAITING_FOR_APP.has(phase))) {
      letEnd ??= host.keepAlive()
      return
    }
    letEnd?.()
    letEnd = undefined
  }
  const watch = () => {
    let reported = cachedList.list
    return host.runner().steps.subscribe(() => {
      if (reported === list()) return
      keepAlive()
      const before = new Map(reported.map(({ id, phase }) => [id, phase]))
      reported = list()
      for (const one of reported)
        // If this fails, the backend expires the upload.
        if (one.phase === 'canceled' && before.get(one.id) !== 'canceled') discard(one).catch(() => undefined)
      // Releases the contents of completed uploads.
      for (const { id, phase } of reported) if (phase === 'done') contents.delete(id)
      queueMicrotask(changed)
    })
  }
  const add = (uploads: readonly NewUpload[]): readonly string[] => {
    stop ??= watch()
    const infos = uploads.map((upload): UploadInfo => {
      const { bucket, path, content, mime = content.type, limits = {}, onConflict = 'ask' } = upload
      const id = String(++count)
      const mark = `${content.size} ${content instanceof File ? content.lastModified : ''}`
      contents.set(id, { blob: content, mime, mark })
      return { id, bucket, path, bytes: content.size, mime, limits, onConflict, ...progress }
    })
    host.send({ type: 'uploads.add', uploads: infos })
    return infos.map(({ id }) => id)
  }
  const sendCommand = (id: string, command: UploadCommand) =>
    host.send({ type: 'upload.command', id, command })
  const api: Omit<UploadsApi, 'add' | 'onChange'> & { readonly add: typeof add } = {
    add,
    list,
    pause: id => sendCommand(id, { type: 'upload.pause' }),
    resume: id => sendCommand(id, { type: 'upload.resume' }),
    cancel: id => sendCommand(id, { type: 'upload.cancel' }),
    retry: (id, path) => sendCommand(id, { type: 'upload.retry', ...(path !== undefined && { path }) }),
    answer: (id, answer, all = false) => sendCommand(id, { type: 'upload.answer', answer, all }),
    clear() {
      for (const { id, phase } of list()) if (OVER.has(phase)) contents.delete(id)
      host.send({ type: 'uploads.clear' })
    },
  }
  return {
    machine: composeUploads(ports).uploads,
    api,
    dispose() {
      contents.clear()
      stop?.()
      letEnd?.()
    },
  }
}

export type CreateUploadsParts = typeof createUploadsParts
export type UploadsParts = ReturnType<CreateUploadsParts>

const OVER: ReadonlySet<UploadStatus['phase']> = new Set(['done', 'failed', 'skipped', 'canceled'])
const WAITING_FOR_APP: ReadonlySet<UploadStatus['phase']> = new Set(['asking', 'paused'])

/** Returns the new list, reusing equal uploads of the old one, or the old list if all are equal. */
function shared(before: readonly UploadStatus[], after: readonly UploadStatus[]): readonly UploadStatus[] {
  const old = new Map(before.map(upload => [upload.id, upload]))
  const next = after.map(upload => {
    const one = old.get(upload.id)
    return one && isEqual(one, upload) ? one : upload
  })
  const isAll = next.length === before.length && next.every((upload, at) => upload === before[at])
  return isAll ? before : next
}

export interface TusUrlStorage {
  get(mark: string): Promise<string | undefined>
  put(mark: string, url: string): Promise<unknown>
  remove(mark: string): Promise<unknown>
}

/** Two different 32-bit hashes, so that keys contain no file names. */
function shortOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ code, 0x85ebca6b) + one
  }
  return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`
}

/** If storage is full or blocked, an upload restarts after a reload instead of resuming. */
export function createTusUrlStorage(storage: SessionStorage, prefix: string): TusUrlStorage {
  const keyOf = (mark: string) => `${prefix}-upload-${shortOf(mark)}`
  const attempt = async <T>(run: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await run()
    } catch {
      return undefined
    }
  }
  return {
    get: async mark => (await attempt(() => storage.getItem(keyOf(mark)))) ?? undefined,
    put: (mark, url) => attempt(() => storage.setItem(keyOf(mark), url)),
    remove: mark => attempt(() => storage.removeItem(keyOf(mark))),
  }
}
