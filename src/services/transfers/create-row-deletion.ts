// Runs a deletion of rows: the machine with its port, which the page of the table provides; recorded on its own.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { bug } from '../../machines/failure.ts'
import { rowDeletionMachine, type DeleteEvent, type RowDeletionEvent } from '../../machines/row-deletion.ts'
import { beginTransfer, type Transfer } from './transfer.ts'

export interface RowDeletionOptions {
  /** How many rows. */
  readonly rows: number
  /** Milliseconds in which it can be taken back. */
  readonly undo: number
  /** Deletes them. Resolves with why not, fit to be shown, or with nothing when they are gone. */
  readonly send: () => Promise<string | undefined>
}

export type RowDeletionPhase = 'undoable' | 'sending' | 'refused' | 'dropped' | 'done'

export type RowDeletion = Transfer<RowDeletionPhase, RowDeletionEvent, typeof rowDeletionMachine>

/** Begins the while in which it can be taken back. */
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
