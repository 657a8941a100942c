// Deletes rows: the machine with its port, which the table page provides; recorded separately.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import {
  bug,
  type DeleteEvent,
  type RowDeletionEvent,
  rowDeletionMachine,
} from '../../../../machines/index.ts'
import { beginTransfer, type Transfer } from '../../jobs/transfer.ts'

export interface RowDeletionOptions {
  /** Number of rows. */
  readonly rows: number
  /** Milliseconds in which the deletion can be undone. */
  readonly undo: number
  /** Deletes the rows. Resolves with an error message for the user, or undefined on success. */
  readonly send: () => Promise<string | undefined>
}

export type RowDeletionPhase = 'undoable' | 'sending' | 'refused' | 'canceled' | 'done'

export type RowDeletion = Transfer<RowDeletionPhase, RowDeletionEvent, typeof rowDeletionMachine>

/** Starts the undo period. */
export function createRowDeletion({ rows, undo, send }: RowDeletionOptions): RowDeletion {
  const deleteRows = fromCallback<EventObject, NonReducibleUnknown, DeleteEvent>(({ sendBack }) => {
    send().then(
      message =>
        sendBack(message === undefined ? { type: 'rows.deleted' } : { type: 'rows.refused', message }),
      (error: unknown) => sendBack({ type: 'port.broken', failure: bug(error) }),
    )
  })
  return beginTransfer('rowDeletion', rowDeletionMachine.provide({ actors: { deleteRows } }), {
    input: { rows, undo },
    look: ({ value }) => value,
  })
}
