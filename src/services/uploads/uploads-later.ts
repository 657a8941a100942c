// Uploads on first use: their code is loaded with the first one, and the app's way to them.
import type { UploadsCommand } from '../../machines/client-events.ts'
import type { clientMachine } from '../../machines/client.ts'
import type { UploadCommand, UploadInfo } from '../../machines/upload-info.ts'
import type { UploadStatus } from '../../machines/upload-status.ts'
import type { UploadsReport } from '../../machines/uploads.ts'
import type { Runner } from '../runner.ts'
import type { Contents } from './contents.ts'
import type { TransferHost } from './transfer.ts'
import type { CreateUploadsParts, UploadsParts } from './uploads-parts.ts'
import type { NewUpload, UploadsApi } from './upload-types.ts'

export interface UploadsHost extends Omit<TransferHost, 'contents'> {
  load(): Promise<{ readonly createUploadsParts: CreateUploadsParts }>
  send(command: UploadsCommand): void
  readonly runner: () => Pick<Runner, 'actor' | 'steps'>
}

const NONE: readonly UploadStatus[] = []

export function createUploadsLater(host: UploadsHost) {
  const contents: Contents = new Map()
  const listeners = new Set<() => void>()
  let install: ((create: CreateUploadsParts) => UploadsParts) | undefined
  let parts: UploadsParts | undefined
  let count = 0
  let known = { version: -1, list: NONE }
  let stop: (() => void) | undefined

  const list = (): readonly UploadStatus[] => {
    const { actor, steps } = host.runner()
    const version = steps.version()
    if (!parts || version === known.version) return known.list
    const next = parts.status(actor.getSnapshot().children.uploads?.getSnapshot())
    known = { version, list: shared(known.list, next) }
    return known.list
  }
  const take = (create: CreateUploadsParts) => {
    parts ??= install?.(create)
  }
  const add = async (uploads: readonly NewUpload[]): Promise<readonly string[]> => {
    if (!parts) take((await host.load()).createUploadsParts)
    const infos = uploads.map((upload): UploadInfo => {
      const { bucket, path, content, mime = content.type, limits = {}, onTaken = 'ask' } = upload
      const id = String(++count)
      const mark = `${content.size} ${content instanceof File ? content.lastModified : ''}`
      contents.set(id, { blob: content, mime, mark })
      return { id, bucket, path, bytes: content.size, mime, limits, onTaken }
    })
    host.send({ type: 'uploads.add', uploads: infos })
    return infos.map(({ id }) => id)
  }
  const command = (id: string, what: UploadCommand) =>
    host.send({ type: 'upload.command', id, command: what })
  const api: UploadsApi = {
    add,
    list,
    onChange(listener) {
      let told = list()
      stop ??= host.runner().steps.subscribe(() => {
        for (const each of listeners) each()
      })
      const own = () => {
        if (told === list()) return
        told = list()
        queueMicrotask(() => void (listeners.has(own) && listener()))
      }
      listeners.add(own)
      return () => {
        listeners.delete(own)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
    pause: id => command(id, { type: 'upload.pause' }),
    resume: id => command(id, { type: 'upload.resume' }),
    cancel: id => command(id, { type: 'upload.cancel' }),
    retry: (id, path) => command(id, { type: 'upload.retry', ...(path !== undefined && { path }) }),
    answer: (id, answer, all = false) => command(id, { type: 'upload.answer', answer, all }),
    clear() {
      for (const { id, phase } of list()) if (isOver(phase)) contents.delete(id)
      host.send({ type: 'uploads.clear' })
    },
  }
  return {
    api,
    /** Readies the client's machine for uploads, which are put in at once where their code is given. */
    prepare(client: typeof clientMachine, given?: CreateUploadsParts) {
      install = create => {
        const made = create({ ...host, contents })
        client.implementations.actors['uploads'] = made.machine
        return made
      }
      if (given) take(given)
      return client
    },
    /** What has arrived is not kept any longer. */
    settle({ id, outcome }: UploadsReport) {
      if (outcome.kind === 'done') contents.delete(id)
    },
    dispose() {
      contents.clear()
      listeners.clear()
      stop?.()
    },
  }
}

const isOver = (phase: UploadStatus['phase']): boolean =>
  phase === 'done' || phase === 'failed' || phase === 'skipped' || phase === 'cancelled'

/** The new list with every upload that is the same taken from the old one, and the old list if all are. */
function shared(before: readonly UploadStatus[], after: readonly UploadStatus[]): readonly UploadStatus[] {
  const old = new Map(before.map(upload => [upload.id, upload]))
  const next = after.map(upload => {
    const one = old.get(upload.id)
    return one && isSame(one, upload) ? one : upload
  })
  const isAll = next.length === before.length && next.every((upload, at) => upload === before[at])
  return isAll ? before : next
}

const isSame = (one: UploadStatus, other: UploadStatus): boolean => {
  const names = Object.keys(other) as (keyof UploadStatus)[]
  return names.length === Object.keys(one).length && names.every(name => one[name] === other[name])
}
