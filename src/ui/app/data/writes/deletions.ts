// Deletions as the page of their table sees them; each is a machine.
import type { DataFailure } from '../rest-failure.ts'
import type { Row } from '../schema.ts'

export type DeletionState =
  /** Nothing was sent yet. */
  | { readonly at: 'undoable' }
  | { readonly at: 'sending' }
  /** By which request, where one was sent. */
  | { readonly at: 'refused'; readonly failure: DataFailure; readonly request?: string | undefined }

export interface Deletion {
  readonly id: number
  /** By their keys. */
  readonly rows: ReadonlyMap<string, Row>
  readonly state: DeletionState
}

/** How long it can be taken back. */
export const UNDO_MS = 6_000

/** Keys of rows that are on their way out. */
export const leavingKeys = (list: readonly Deletion[]): ReadonlySet<string> =>
  new Set(list.flatMap(({ rows, state }) => (state.at === 'refused' ? [] : [...rows.keys()])))
