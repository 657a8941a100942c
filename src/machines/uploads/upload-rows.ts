// The list of uploads as plain data: which are queued, which have an actor, which are finished.
import { MAX_CONCURRENT_UPLOADS, MAX_OPEN_QUESTIONS } from '../timings.ts'
import type { UploadCommand, UploadInfo, UploadOutcome } from './upload-info.ts'

/**
 * `queued` and `paused` have no actor yet, `settled` no longer has one; `active` uses a slot, `needsInput`
 * waits for the user, `ready` waits for a slot.
 */
export type RowPhase = 'queued' | 'paused' | 'active' | 'needsInput' | 'ready' | 'settled'

export interface UploadRow {
  readonly info: UploadInfo
  readonly phase: RowPhase
  readonly outcome?: UploadOutcome
}

/** By id, oldest first. */
export type UploadRows = Readonly<Record<string, UploadRow>>

export const hasActor = ({ phase }: UploadRow): boolean =>
  phase === 'active' || phase === 'needsInput' || phase === 'ready'

/** Ids of the uploads that may continue now; those already started go first. */
export function nextUp(rows: UploadRows): readonly string[] {
  const all = Object.values(rows)
  const count = (phase: RowPhase) => all.filter(row => row.phase === phase).length
  const room = MAX_CONCURRENT_UPLOADS - count('active')
  if (room <= 0) return []
  const canStart = count('needsInput') < MAX_OPEN_QUESTIONS
  const waiting = (phase: RowPhase) => all.filter(row => row.phase === phase).map(row => row.info.id)
  return [...waiting('ready'), ...(canStart ? waiting('queued') : [])].slice(0, room)
}

/** Applies a command to an upload without an actor; undefined if the command does not apply. */
export function rowAfterCommand(row: UploadRow, command: UploadCommand): UploadRow | undefined {
  const { info, phase, outcome } = row
  const isFailed = outcome?.kind === 'failed'
  switch (command.type) {
    case 'upload.pause':
      return phase === 'queued' ? { info, phase: 'paused' } : undefined
    case 'upload.resume':
      return phase === 'paused' ? { info, phase: 'queued' } : undefined
    case 'upload.cancel': {
      if (phase === 'settled' && !isFailed) return undefined
      const { path, sent, attempts } = outcome ?? { path: info.path, sent: 0, attempts: 0 }
      return { info, phase: 'settled', outcome: { kind: 'canceled', path, sent, attempts } }
    }
    case 'upload.retry':
      if (outcome === undefined || outcome.kind === 'done') return undefined
      return { info: { ...info, path: command.path ?? info.path }, phase: 'queued' }
    case 'upload.answer':
      return undefined
  }
}
