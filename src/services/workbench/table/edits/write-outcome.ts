// How far the rows of a change were saved, by the edits that are left of it.
import type { Edits, EditState } from './edit-store.ts'
import type { RowChange } from './plan.ts'

/** Numbers of rows; those that are neither pending, failed nor waiting are saved. */
export interface WriteOutcome {
  readonly rows: number
  /** Queued or sent, without an answer. */
  readonly pending: number
  /** Refused by the server, or in conflict with another user's change. */
  readonly failed: number
  /** Not answered; sending is retried automatically. */
  readonly waiting: number
}

type Group = Exclude<keyof WriteOutcome, 'rows'>

const GROUPS: Readonly<Record<EditState['at'], Group>> = {
  queued: 'pending',
  sending: 'pending',
  backingOff: 'waiting',
  refused: 'failed',
  conflict: 'failed',
}

/** Returns how far a change was saved. */
export function writeOutcome(changes: readonly RowChange[], edits: Edits): WriteOutcome {
  const counts = { pending: 0, failed: 0, waiting: 0 }
  const byKey = new Map<string, Edits>()
  for (const edit of edits) byKey.set(edit.key, [...(byKey.get(edit.key) ?? []), edit])
  for (const { key, after } of changes) {
    const ownEdits = (byKey.get(key) ?? []).filter(({ values }) =>
      Object.keys(values).some(name => Object.hasOwn(after, name)),
    )
    // A row may have an older edit of the same cells that failed: what is still on its way decides.
    const groups = new Set(ownEdits.map(({ state }) => GROUPS[state.at]))
    const group = (['pending', 'waiting', 'failed'] as const).find(each => groups.has(each))
    if (group !== undefined) counts[group] += 1
  }
  return { rows: changes.length, ...counts }
}
