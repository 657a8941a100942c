// Each upload as an app shows it: every internal state mapped exhaustively to a few phases.
import type { SnapshotFrom } from 'xstate'
import type { Failure } from '../failure.ts'
import type { UploadOutcome } from './upload-info.ts'
import type { RowPhase, UploadRow, uploadsMachine } from './uploads.ts'
import type { uploadMachine } from './upload.ts'

/**
 * Phase of an upload. `asking`: a file with this name exists, and the user must decide. `retrying`: pauses after a failure, which
 * is reported. `offline`: resumes automatically when the device is online again.
 */
export type UploadPhase =
  'waiting' | 'checking' | 'asking' | 'sending' | 'retrying' | 'offline' | 'paused' | UploadOutcome['kind']

/** Public status of one upload; sizes in bytes. */
export interface UploadStatus {
  readonly id: string
  readonly bucket: string
  /** The target path, with the free name found if both files are kept. */
  readonly path: string
  readonly bytes: number
  readonly sent: number
  readonly phase: UploadPhase
  /** No progress for a while; after a minute, it continues over another connection. */
  readonly isStalled?: true
  /** Resumes where it stopped after an interruption. */
  readonly resumable: boolean
  readonly attempts: number
  readonly failure?: Failure
}

type Upload = SnapshotFrom<typeof uploadMachine>

type Value = Upload['value']
type StateName = Value extends infer One ? (One extends string ? One : keyof One) : never

const PHASES: Readonly<Record<StateName, UploadPhase>> = {
  validating: 'checking',
  checkingName: 'checking',
  nameNotFound: 'checking',
  resolvingConflict: 'checking',
  asking: 'asking',
  paused: 'paused',
  ready: 'waiting',
  sending: 'sending',
  backingOff: 'retrying',
  waitingForNetwork: 'offline',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
  canceled: 'canceled',
}

const WITHOUT_ACTOR: Readonly<Record<RowPhase, UploadPhase>> = {
  queued: 'waiting',
  paused: 'paused',
  active: 'waiting',
  needsInput: 'waiting',
  ready: 'waiting',
  settled: 'canceled',
}

function statusOf({ info, phase, outcome }: UploadRow, upload: Upload | undefined): UploadStatus {
  const { id, bucket, path, bytes } = info
  if (outcome) {
    const { kind, failure } = outcome
    const facts = { sent: outcome.sent, attempts: outcome.attempts, ...(failure && { failure }) }
    return { id, bucket, bytes, path: outcome.path, phase: kind, resumable: false, ...facts }
  }
  if (!upload)
    return { id, bucket, path, bytes, sent: 0, phase: WITHOUT_ACTOR[phase], resumable: false, attempts: 0 }
  const { context, value } = upload
  const { sent, resumable, attempts, failure } = context
  const isWithin = typeof value === 'object'
  return {
    id,
    bucket,
    bytes,
    path: context.path,
    sent,
    phase: PHASES[isWithin ? 'sending' : value],
    ...(isWithin && value.sending === 'stalled' && { isStalled: true as const }),
    resumable,
    attempts,
    ...(failure && { failure }),
  }
}

/** All uploads of the list, oldest first. */
export function uploadsStatus(
  uploads: SnapshotFrom<typeof uploadsMachine> | undefined,
): readonly UploadStatus[] {
  if (!uploads) return []
  const children = uploads.children as Readonly<Record<string, { getSnapshot(): unknown } | undefined>>
  return Object.values(uploads.context.rows).map(row =>
    statusOf(row, children[`upload.${row.info.id}`]?.getSnapshot() as Upload | undefined),
  )
}
