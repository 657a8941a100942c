// Rows that are to be deleted: a chart of states for each order, with a while in which it can be taken back.
import type { DataFailure } from '../rest-failure.ts'
import type { Row } from '../schema.ts'

export type DeletionState =
  /** Nothing was sent yet. */
  | { readonly at: 'undoable' }
  | { readonly at: 'sending' }
  | { readonly at: 'refused'; readonly failure: DataFailure }

export interface Deletion {
  readonly id: number
  /** By their keys. */
  readonly rows: ReadonlyMap<string, Row>
  readonly state: DeletionState
}

export type DeletionsEvent =
  | { readonly type: 'deletion.ordered'; readonly id: number; readonly rows: ReadonlyMap<string, Row> }
  | { readonly type: 'deletion.sent'; readonly id: number }
  | { readonly type: 'deletion.done'; readonly id: number }
  | { readonly type: 'deletion.failed'; readonly id: number; readonly failure: DataFailure }
  /** Taken back, or given up. */
  | { readonly type: 'deletion.dropped'; readonly id: number }

/** How long it can be taken back. */
export const UNDO_MS = 6_000

/** The next state of all deletions. */
export const deletionsReducer = (list: readonly Deletion[], event: DeletionsEvent): readonly Deletion[] => {
  const change = (state: DeletionState) =>
    list.map(each => (each.id === event.id ? { ...each, state } : each))
  switch (event.type) {
    case 'deletion.ordered':
      return [...list, { id: event.id, rows: event.rows, state: { at: 'undoable' } }]
    case 'deletion.sent':
      return change({ at: 'sending' })
    case 'deletion.failed':
      return change({ at: 'refused', failure: event.failure })
    case 'deletion.done':
    case 'deletion.dropped':
      return list.filter(each => each.id !== event.id)
  }
}

/** Keys of rows that are on their way out. */
export const leavingKeys = (list: readonly Deletion[]): ReadonlySet<string> =>
  new Set(list.flatMap(({ rows, state }) => (state.at === 'refused' ? [] : [...rows.keys()])))
