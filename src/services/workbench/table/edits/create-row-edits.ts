// Saves the edits of a table: the machine with its port, which the table page provides; recorded separately.
import { fromCallback, type EventObject } from 'xstate'
import {
  bug,
  type EditFailure,
  type EditRows,
  rowEditMachine,
  type RowEditsEvent,
  type RowEditsInput,
  rowEditsMachine,
  type WriteEvent,
} from '../../../../machines/index.ts'
import { beginTransfer, type Transfer } from '../../jobs/transfer.ts'

/** Result of a write. */
export type Written =
  | { readonly type: 'write.saved' }
  | ({ readonly type: 'write.failed' } & EditFailure)
  | { readonly type: 'write.conflicted' }

export interface RowEditsOptions extends RowEditsInput {
  /** Writes one edit; its content stays with the caller. Reports the id of each request. */
  readonly write: (id: number, onRequest: (request: string) => void) => Promise<Written>
}

export type RowEdits = Transfer<EditRows, RowEditsEvent, typeof rowEditsMachine>

/** Starts without edits, paused. */
export function createRowEdits({ write, ...input }: RowEditsOptions): RowEdits {
  const writeEdit = fromCallback<EventObject, { readonly id: number }, WriteEvent>(
    ({ input: { id }, sendBack }) => {
      let isOver = false
      const send = (event: WriteEvent) => isOver || sendBack(event)
      write(id, request => send({ type: 'write.requested', request })).then(send, (error: unknown) =>
        send({ type: 'port.broken', failure: bug(error) }),
      )
      return () => {
        isOver = true
      }
    },
  )
  const rowEdit = rowEditMachine.provide({ actors: { writeEdit } })
  return beginTransfer('rowEdits', rowEditsMachine.provide({ actors: { rowEdit } }), {
    input,
    look: ({ context }) => context.rows,
  })
}
