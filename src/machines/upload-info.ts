// What machines know of an upload, its outcomes, and why one is rejected before it starts.
import { isRetryable, type Failure } from './failure.ts'

/** What to do when a file with this name exists. */
export type TakenAnswer = 'replace' | 'keepBoth' | 'skip'

/** The restrictions of the bucket; absent fields are unrestricted. */
export interface UploadLimits {
  readonly bytes?: number
  /** Types like `image/png` and `image/*`. */
  readonly types?: readonly string[]
}

/** The data of an upload known to the machines; its content stays in the services under `id`. */
export interface UploadInfo {
  readonly id: string
  readonly bucket: string
  /** Folders and name inside the bucket. */
  readonly path: string
  readonly bytes: number
  readonly mime: string
  readonly limits: UploadLimits
  readonly onTaken: 'ask' | TakenAnswer
  /** Progress of sent bytes is reported, so a stalled connection can be detected. */
  readonly isTold?: boolean
}

/** Commands from the app to one upload. */
export type UploadCommand =
  | { readonly type: 'upload.pause' }
  | { readonly type: 'upload.resume' }
  | { readonly type: 'upload.cancel' }
  /** Retries after a failure, under another name if one is given. */
  | { readonly type: 'upload.retry'; readonly path?: string }
  /** With `all`, the answer applies to every other file that asks, too. */
  | { readonly type: 'upload.answer'; readonly answer: TakenAnswer; readonly all?: boolean }

/** Events from the queue to an upload. */
export type UploadEvent =
  | Exclude<UploadCommand, { type: 'upload.retry' }>
  /** It may continue. */
  | { readonly type: 'upload.granted' }

/** The outcome of an upload. */
export interface UploadOutcome {
  readonly kind: 'done' | 'failed' | 'skipped' | 'cancelled'
  /** The target path; differs from the requested one if both files were kept. */
  readonly path: string
  readonly sent: number
  readonly attempts: number
  readonly failure?: Failure
}

/** Events from an upload to the queue. */
export type UploadReport =
  /** `aside`: it waits for the user and uses no slot; `ready`: it can continue. */
  | { readonly type: 'upload.moved'; readonly id: string; readonly where: 'aside' | 'ready' }
  | { readonly type: 'upload.ended'; readonly id: string; readonly outcome: UploadOutcome }

/** Formats a byte count for display. */
function inWords(bytes: number): string {
  const [size, unit] =
    bytes >= 1e9 ? [bytes / 1e9, 'GB'] : bytes >= 1e6 ? [bytes / 1e6, 'MB'] : [bytes / 1e3, 'kB']
  return bytes < 1000 ? `${bytes} bytes` : `${Number(size.toFixed(1))} ${unit}`
}

/** Whether a bucket that accepts `allowed` accepts this type. */
const takesType = (allowed: readonly string[], mime: string): boolean => {
  const [type = ''] = mime.toLowerCase().split(';')
  return allowed.some(
    one => one === '*/*' || one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
  )
}

/** Why this file cannot be stored, determined before any byte is sent. */
export function unfit({ bytes, mime, path, limits }: UploadInfo): Failure | undefined {
  const refuse = (code: string, message: string): Failure => ({ kind: 'validation', code, message })
  if (limits.bytes !== undefined && bytes > limits.bytes) {
    const message = `This bucket accepts files up to ${inWords(limits.bytes)}; this file has ${inWords(bytes)}.`
    return refuse('too_large', message)
  }
  if (limits.types && !takesType(limits.types, mime)) {
    const what = mime === '' ? 'the type of this file is unknown' : `this file is ${mime}`
    return refuse('wrong_type', `This bucket accepts only ${limits.types.join(', ')}; ${what}.`)
  }
  const isBad = path.split('/').some(part => ['', '.', '..'].includes(part))
  return isBad ? refuse('bad_name', 'This file name is not allowed.') : undefined
}

/** Turns `chart.png` into `chart (2).png`. */
export function numbered(path: string, number: number | string): string {
  const dot = path.lastIndexOf('.')
  const cut = dot > path.lastIndexOf('/') + 1 ? dot : path.length
  return `${path.slice(0, cut)} (${number})${path.slice(cut)}`
}

/** Attempts without progress: about two minutes of a backend that is down. */
const MAX_ATTEMPTS = 9
export const mayRetry = (attempt: number, failure: Failure): boolean =>
  attempt < MAX_ATTEMPTS && isRetryable(failure)

/** Free names that turned out to be taken by files this user cannot see; more attempts are hopeless. */
const MAX_CLASHES = 5
export const isHopeless = (clashes: number): boolean => clashes >= MAX_CLASHES

/**
 * For a larger file, the name is checked first, so that it is not sent completely only to find a conflict.
 */
const LOOK_FIRST = 256_000
export const isWorthALook = ({ bytes, onTaken }: UploadInfo): boolean =>
  onTaken === 'keepBoth' || (onTaken !== 'replace' && bytes > LOOK_FIRST)

/** Milliseconds without progress before the upload counts as stalled. */
export const STILL_AFTER = 10_000
export const stoodStill: Failure = {
  kind: 'timeout',
  code: 'stalled',
  message: 'The upload made no progress for a minute.',
}

export const nameTaken: Failure = {
  kind: 'conflict',
  code: 'name_taken',
  message: 'A file with this name exists, and no free name was found.',
}
