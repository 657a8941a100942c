// The upload list: whose uploads it has, a summary, and the status of each upload.
import type { UploadPhase, UploadStatus, NewUpload, UploadsApi } from '../../client/index.ts'
import { plural, formatSize } from '../text/format.ts'

const OVER: ReadonlySet<UploadPhase> = new Set(['done', 'failed', 'skipped', 'canceled'])

export const isOver = ({ phase }: UploadStatus): boolean => OVER.has(phase)

/** Waiting for the user first, then active, then finished. */
const ORDER: Readonly<Record<UploadPhase, number>> = {
  asking: 0,
  failed: 1,
  sending: 2,
  checking: 2,
  retrying: 2,
  offline: 2,
  paused: 3,
  waiting: 4,
  skipped: 5,
  canceled: 5,
  done: 6,
}

/** The list order; among equals, oldest first. */
export const inOrder = (list: readonly UploadStatus[]): readonly UploadStatus[] =>
  list.toSorted((a, b) => ORDER[a.phase] - ORDER[b.phase])

/** Whether any upload needs attention. */
export const needsAttention = (list: readonly UploadStatus[]): boolean =>
  list.some(({ phase }) => phase === 'failed' || !OVER.has(phase))

/** The uploaded share, from 0 to 100. */
export const percentOf = ({ bytes, sent, phase }: UploadStatus): number =>
  phase === 'done' ? 100 : bytes === 0 ? 0 : Math.min(99, Math.floor((sent / bytes) * 100))

/** The summary line: finished uploads, and those that are blocked. */
export function uploadSummary(list: readonly UploadStatus[]): string {
  const count = (phase: UploadPhase) => list.filter(upload => upload.phase === phase).length
  const parts: readonly (readonly [UploadPhase, string])[] = [
    ['asking', 'waiting for your answer'],
    ['failed', 'failed'],
    ['paused', 'paused'],
    ['skipped', 'skipped'],
    ['canceled', 'canceled'],
  ]
  const rest = parts.flatMap(([phase, words]) => (count(phase) > 0 ? [`${count(phase)} ${words}`] : []))
  return [`${count('done')} of ${plural(list.length, 'file')}`, ...rest].join(', ')
}

/** The uploaded share of all bytes; unsuccessful finished uploads are not counted. */
export function totalPercent(list: readonly UploadStatus[]): number {
  const counted = list.filter(({ phase }) => !['failed', 'skipped', 'canceled'].includes(phase))
  const bytes = counted.reduce((sum, upload) => sum + upload.bytes, 0)
  const sent = counted.reduce(
    (sum, upload) => sum + (upload.phase === 'done' ? upload.bytes : upload.sent),
    0,
  )
  return bytes === 0 ? (counted.every(isOver) ? 100 : 0) : Math.floor((sent / bytes) * 100)
}

/** The status of one upload. */
export function phaseWords(upload: UploadStatus): string {
  const { phase, bytes, sent, attempts, resumable, isStalled } = upload
  switch (phase) {
    case 'waiting':
      return 'waiting'
    case 'checking':
      return 'checking the name'
    case 'asking':
      return 'A file with this name already exists.'
    case 'sending':
      return (
        (sent === 0 ? 'starting' : `${formatSize(sent)} of ${formatSize(bytes)}`) +
        (isStalled !== true ? '' : sent < bytes ? ', stalled' : ', waiting for the response')
      )
    case 'retrying':
      return `retrying automatically (${attempts}${resumable ? `, resumes at ${formatSize(sent)}` : ''})`
    case 'offline':
      return 'offline, resumes automatically'
    case 'paused':
      return resumable ? `paused at ${formatSize(sent)}` : 'paused'
    case 'done':
      return formatSize(bytes)
    case 'failed':
      return 'failed'
    case 'skipped':
      return 'skipped, already exists'
    case 'canceled':
      return 'canceled'
  }
}

interface OwnUploadsOptions {
  readonly uploads: UploadsApi
  /** Whether their user is signed in. */
  readonly isTheirs: () => boolean
  /** Subscribes to changes of that. */
  readonly onUser: (listener: () => void) => void
}

/** Error codes left by a session that ended, in any upload phase. */
const BROKEN_OFF: ReadonlySet<string | undefined> = new Set(['signed_out', 'session_ended', 'not_signed_in'])

const isBrokenOff = ({ phase, failure }: UploadStatus): boolean =>
  phase === 'failed' && BROKEN_OFF.has(failure?.code)

/**
 * The uploads of one user: other users neither see nor send them, and uploads interrupted by a lost session
 * resume later.
 */
export class OwnUploads {
  readonly #uploads: UploadsApi
  readonly #ids = new Set<string>()
  /** Uploads that wait only for their user. */
  readonly #heldIds = new Set<string>()
  #isHeld = false
  #cached: { readonly all: readonly UploadStatus[]; readonly own: readonly UploadStatus[] } | undefined

  constructor({ uploads, isTheirs, onUser }: OwnUploadsOptions) {
    this.#uploads = uploads
    onUser(() => this.#follow(isTheirs()))
  }

  readonly add = async (files: readonly NewUpload[]): Promise<void> => {
    for (const id of await this.#uploads.add(files)) this.#ids.add(id)
    this.#cached = undefined
  }

  /** The same array until a change. */
  readonly list = (): readonly UploadStatus[] => {
    const all = this.#uploads.list()
    if (this.#cached?.all !== all) this.#cached = { all, own: all.filter(({ id }) => this.#ids.has(id)) }
    return this.#cached.own
  }

  #follow(isTheirs: boolean) {
    if (isTheirs !== this.#isHeld) return
    this.#isHeld = !isTheirs
    if (isTheirs) this.#goOn()
    else this.#hold()
  }

  #hold() {
    for (const upload of this.list()) {
      if (isOver(upload) || upload.phase === 'paused') continue
      this.#heldIds.add(upload.id)
      this.#uploads.pause(upload.id)
    }
  }

  #goOn() {
    for (const upload of this.list()) {
      if (isBrokenOff(upload)) this.#uploads.retry(upload.id)
      else if (this.#heldIds.has(upload.id)) this.#uploads.resume(upload.id)
    }
    this.#heldIds.clear()
  }
}
