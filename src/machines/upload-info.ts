// What machines know of an upload, how it may end, and why one is not even begun.
import { isRetryable, type Failure } from './failure.ts'

/** What to do where there is a file of this name already. */
export type TakenAnswer = 'replace' | 'keepBoth' | 'skip'

/** What the bucket takes; left out is what it does not restrict. */
export interface UploadLimits {
  readonly bytes?: number
  /** Types like `image/png` and `image/*`. */
  readonly types?: readonly string[]
}

/** What the machines know of an upload; its content stays in the services under `id`. */
export interface UploadInfo {
  readonly id: string
  readonly bucket: string
  /** Folders and name inside the bucket. */
  readonly path: string
  readonly bytes: number
  readonly mime: string
  readonly limits: UploadLimits
  readonly onTaken: 'ask' | TakenAnswer
  /** Told while it is sent is how much has left: a line on which nothing moves is then seen to be dead. */
  readonly isTold?: boolean
}

/** What the app asks of one upload. */
export type UploadCommand =
  | { readonly type: 'upload.pause' }
  | { readonly type: 'upload.resume' }
  | { readonly type: 'upload.cancel' }
  /** Once more after a failure, under another name if one is given. */
  | { readonly type: 'upload.retry'; readonly path?: string }
  /** With `all` the answer goes for every other file that asks, too. */
  | { readonly type: 'upload.answer'; readonly answer: TakenAnswer; readonly all?: boolean }

/** What the queue tells an upload. */
export type UploadWord =
  | Exclude<UploadCommand, { type: 'upload.retry' }>
  /** It may go on. */
  | { readonly type: 'upload.granted' }

/** How an upload ended. */
export interface UploadOutcome {
  readonly kind: 'done' | 'failed' | 'skipped' | 'cancelled'
  /** Where it went, or would have gone: another than was asked for where both were kept. */
  readonly path: string
  readonly sent: number
  readonly attempts: number
  readonly failure?: Failure
}

/** What an upload tells the queue. */
export type UploadReport =
  /** `aside`: it waits for the user and takes no place; `ready`: it would go on. */
  | { readonly type: 'upload.moved'; readonly id: string; readonly where: 'aside' | 'ready' }
  | { readonly type: 'upload.ended'; readonly id: string; readonly outcome: UploadOutcome }

/** Bytes as people read them. */
function inWords(bytes: number): string {
  const [size, unit] =
    bytes >= 1e9 ? [bytes / 1e9, 'GB'] : bytes >= 1e6 ? [bytes / 1e6, 'MB'] : [bytes / 1e3, 'kB']
  return bytes < 1000 ? `${bytes} bytes` : `${Number(size.toFixed(1))} ${unit}`
}

/** Whether a bucket that takes `allowed` takes this type. */
const takesType = (allowed: readonly string[], mime: string): boolean => {
  const [type = ''] = mime.toLowerCase().split(';')
  return allowed.some(
    one => one === '*/*' || one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
  )
}

/** Why this file can't be stored, known before a byte of it is sent. */
export function unfit({ bytes, mime, path, limits }: UploadInfo): Failure | undefined {
  const refuse = (code: string, message: string): Failure => ({ kind: 'validation', code, message })
  if (limits.bytes !== undefined && bytes > limits.bytes) {
    const message = `This bucket takes files of up to ${inWords(limits.bytes)}; this one has ${inWords(bytes)}.`
    return refuse('too_large', message)
  }
  if (limits.types && !takesType(limits.types, mime)) {
    const what = mime === '' ? 'the type of this one is not known' : `this one is ${mime}`
    return refuse('wrong_type', `This bucket takes only ${limits.types.join(', ')}; ${what}.`)
  }
  const isBad = path.split('/').some(part => ['', '.', '..'].includes(part))
  return isBad ? refuse('bad_name', 'A file can’t have this name.') : undefined
}

/** `chart.png` as `chart (2).png`. */
export function numbered(path: string, number: number | string): string {
  const dot = path.lastIndexOf('.')
  const cut = dot > path.lastIndexOf('/') + 1 ? dot : path.length
  return `${path.slice(0, cut)} (${number})${path.slice(cut)}`
}

/** Attempts that moved nothing: some two minutes of a backend that is down. */
const MAX_ATTEMPTS = 9
export const mayRetry = (attempt: number, failure: Failure): boolean =>
  attempt < MAX_ATTEMPTS && isRetryable(failure)

/** Names that were taken though nobody could be seen to have them: there is no end to be hoped for. */
const MAX_CLASHES = 5
export const isHopeless = (clashes: number): boolean => clashes >= MAX_CLASHES

/** A larger file is asked for by its name first: it would be sent whole to learn that there is one like it. */
const LOOK_FIRST = 256_000
export const isWorthALook = ({ bytes, onTaken }: UploadInfo): boolean =>
  onTaken === 'keepBoth' || (onTaken !== 'replace' && bytes > LOOK_FIRST)

/** Milliseconds in which nothing moved, after which that is told. */
export const STILL_AFTER = 10_000
export const stoodStill: Failure = {
  kind: 'timeout',
  code: 'stalled',
  message: 'Nothing moved for a minute.',
}

export const nameTaken: Failure = {
  kind: 'conflict',
  code: 'name_taken',
  message: 'There is one with this name already, and none of the names beside it is free.',
}
