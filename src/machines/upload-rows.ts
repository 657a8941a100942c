// The list of uploads as plain data: which wait, which have an actor, which are over.
import type { UploadCommand, UploadInfo, UploadOutcome } from './upload-info.ts'

/**
 * `queued` and `held` have no actor yet, `over` has none any more; `active` takes a place among those under way,
 * `aside` waits for the user, `ready` waits for a place.
 */
export type RowPhase = 'queued' | 'held' | 'active' | 'aside' | 'ready' | 'over'

export interface UploadRow {
  readonly info: UploadInfo
  readonly phase: RowPhase
  readonly outcome?: UploadOutcome
}

/** By id, oldest first. */
export type UploadRows = Readonly<Record<string, UploadRow>>

/** So many at a time: the line is full with them, and a fourth would only make each slower. */
const PARALLEL = 3
/** So many questions at a time: each has an actor, and whoever answers for all is done with one. */
const MOST_ASIDE = 50

export const hasActor = ({ phase }: UploadRow): boolean =>
  phase === 'active' || phase === 'aside' || phase === 'ready'

/** Ids of those that may go on now; those that were begun go first. */
export function nextUp(rows: UploadRows): readonly string[] {
  const all = Object.values(rows)
  const count = (phase: RowPhase) => all.filter(row => row.phase === phase).length
  const room = PARALLEL - count('active')
  if (room <= 0) return []
  const mayBegin = count('aside') < MOST_ASIDE
  const waiting = (phase: RowPhase) => all.filter(row => row.phase === phase).map(row => row.info.id)
  return [...waiting('ready'), ...(mayBegin ? waiting('queued') : [])].slice(0, room)
}

/** What a command makes of an upload that has no actor; undefined where it means nothing. */
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
