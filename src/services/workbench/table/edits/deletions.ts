// Deletions as the table's page sees them; each is a machine.
import type { DataFailure } from '../../rest/explain-failure.ts'
import type { Row } from '../schema.ts'

export type DeletionState =
  /** Nothing was sent yet. */
  | { readonly at: 'undoable' }
  | { readonly at: 'sending' }
  /** With the id of the request, if one was sent. */
  | { readonly at: 'refused'; readonly failure: DataFailure; readonly request?: string | undefined }

export interface Deletion {
  readonly id: number
  /** Rows by key. */
  readonly rows: ReadonlyMap<string, Row>
  readonly state: DeletionState
}

/** Undo period in ms. */
export const UNDO_MS = 6_000

/** Keys of rows that are being deleted. */
export const leavingKeys = (list: readonly Deletion[]): ReadonlySet<string> =>
  new Set(list.flatMap(({ rows, state }) => (state.at === 'refused' ? [] : [...rows.keys()])))
