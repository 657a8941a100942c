// What machines know of an upload, its outcomes, and why one is rejected before it starts.
import { isRetryable, type Failure } from '../failure.ts'
import { formatSize } from './format-size.ts'
import { CHECK_NAME_ABOVE, MAX_UPLOAD_ATTEMPTS } from '../timings.ts'

/** What to do when a file with this name exists. */
export type ConflictAnswer = 'replace' | 'keepBoth' | 'skip'

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
  readonly onConflict: 'ask' | ConflictAnswer
  /** Progress of sent bytes is reported, so a stalled connection can be detected. */
  readonly reportsProgress?: boolean
}

/** Commands from the app to one upload. */
export type UploadCommand =
  | { readonly type: 'upload.pause' }
  | { readonly type: 'upload.resume' }
  | { readonly type: 'upload.cancel' }
  /** Retries after a failure, under another name if one is given. */
  | { readonly type: 'upload.retry'; readonly path?: string }
  /** With `all`, the answer applies to every other file that asks, too. */
  | { readonly type: 'upload.answer'; readonly answer: ConflictAnswer; readonly all?: boolean }

/** Events from the queue to an upload. */
export type UploadEvent =
  | Exclude<UploadCommand, { type: 'upload.retry' }>
  /** It may continue. */
  | { readonly type: 'upload.granted' }

/** The outcome of an upload. */
export interface UploadOutcome {
  readonly kind: 'done' | 'failed' | 'skipped' | 'canceled'
  /** The target path; differs from the requested one if both files were kept. */
  readonly path: string
  readonly sent: number
  readonly attempts: number
  readonly failure?: Failure
}

/** Events from an upload to the queue. */
export type UploadReport =
  /** `needsInput`: it waits for the user and uses no slot; `ready`: it can continue. */
  | { readonly type: 'upload.phaseChanged'; readonly id: string; readonly phase: 'needsInput' | 'ready' }
  | { readonly type: 'upload.ended'; readonly id: string; readonly outcome: UploadOutcome }

/** Whether a bucket that accepts `allowed` accepts this type. */
const acceptsType = (allowed: readonly string[], mime: string): boolean => {
  const [type = ''] = mime.toLowerCase().split(';')
  return allowed.some(
    one => one === '*/*' || one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
  )
}

/** Why this file cannot be stored, determined before any byte is sent. */
export function validationFailure({ bytes, mime, path, limits }: UploadInfo): Failure | undefined {
  const refuse = (code: string, message: string): Failure => ({ kind: 'validation', code, message })
  if (limits.bytes !== undefined && bytes > limits.bytes) {
    const message = `This bucket accepts files up to ${formatSize(limits.bytes)}; this file has ${formatSize(bytes)}.`
    return refuse('too_large', message)
  }
  if (limits.types && !acceptsType(limits.types, mime)) {
    const what = mime === '' ? 'the type of this file is unknown' : `this file is ${mime}`
    return refuse('wrong_type', `This bucket accepts only ${limits.types.join(', ')}; ${what}.`)
  }
  const isBad = path.split('/').some(part => ['', '.', '..'].includes(part))
  return isBad ? refuse('bad_name', 'This file name is not allowed.') : undefined
}

/** Turns `chart.png` into `chart (2).png`. */
export function numbered(path: string, number: number | string): string {
  const dot = path.lastIndexOf('.')
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length
  return `${path.slice(0, end)} (${number})${path.slice(end)}`
}

/** Whether an upload continues after this many attempts without progress. */
export const canRetry = (attempt: number, failure: Failure): boolean =>
  attempt < MAX_UPLOAD_ATTEMPTS && isRetryable(failure)

export const shouldCheckName = ({ bytes, onConflict }: UploadInfo): boolean =>
  onConflict === 'keepBoth' || (onConflict !== 'replace' && bytes > CHECK_NAME_ABOVE)

export const stalledFailure: Failure = {
  kind: 'timeout',
  code: 'stalled',
  message: 'The upload made no progress for a minute.',
}

export const nameTaken: Failure = {
  kind: 'conflict',
  code: 'name_taken',
  message: 'A file with this name exists, and no free name was found.',
}
