// The list of uploads as plain data: which are queued, which have an actor, which are finished.
import type { UploadCommand, UploadInfo, UploadOutcome } from './upload-info.ts'

/**
 * `queued` and `held` have no actor yet, `over` no longer has one; `active` uses a slot, `aside` waits for
 * the user, `ready` waits for a slot.
 */
export type RowPhase = 'queued' | 'held' | 'active' | 'aside' | 'ready' | 'over'

export interface UploadRow {
  readonly info: UploadInfo
  readonly phase: RowPhase
  readonly outcome?: UploadOutcome
}

/** By id, oldest first. */
export type UploadRows = Readonly<Record<string, UploadRow>>

/** Concurrent uploads: three saturate the connection, and a fourth would only slow each down. */
const PARALLEL = 3
/** Open questions at once: each has an actor, and one answer for all settles the rest. */
const MOST_ASIDE = 50

export const hasActor = ({ phase }: UploadRow): boolean =>
  phase === 'active' || phase === 'aside' || phase === 'ready'

/** Ids of the uploads that may continue now; those already started go first. */
export function nextUp(rows: UploadRows): readonly string[] {
  const all = Object.values(rows)
  const count = (phase: RowPhase) => all.filter(row => row.phase === phase).length
  const room = PARALLEL - count('active')
  if (room <= 0) return []
  const mayBegin = count('aside') < MOST_ASIDE
  const waiting = (phase: RowPhase) => all.filter(row => row.phase === phase).map(row => row.info.id)
  return [...waiting('ready'), ...(mayBegin ? waiting('queued') : [])].slice(0, room)
}

/** Applies a command to an upload without an actor; undefined if the command does not apply. */
export function commanded(row: UploadRow, command: UploadCommand): UploadRow | undefined {
  const { info, phase, outcome } = row
  const isFailed = outcome?.kind === 'failed'
  switch (command.type) {
    case 'upload.pause':
      return phase === 'queued' ? { info, phase: 'held' } : undefined
    case 'upload.resume':
      return phase === 'held' ? { info, phase: 'queued' } : undefined
    case 'upload.cancel': {
      if (phase === 'over' && !isFailed) return undefined
      const { path, sent, attempts } = outcome ?? { path: info.path, sent: 0, attempts: 0 }
      return { info, phase: 'over', outcome: { kind: 'cancelled', path, sent, attempts } }
    }
    case 'upload.retry':
      if (outcome === undefined || outcome.kind === 'done') return undefined
      return { info: { ...info, path: command.path ?? info.path }, phase: 'queued' }
    case 'upload.answer':
      return undefined
  }
}
