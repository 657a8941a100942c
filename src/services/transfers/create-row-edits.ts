// Runs the edits of a table: the machine with its port, which the page of the table provides; recorded on its own.
import { fromCallback, type EventObject } from 'xstate'
import { bug } from '../../machines/failure.ts'
import { rowEditMachine, type EditFailure, type WriteEvent } from '../../machines/row-edit.ts'
import {
  rowEditsMachine,
  type EditRows,
  type RowEditsEvent,
  type RowEditsInput,
} from '../../machines/row-edits.ts'
import { beginTransfer, type Transfer } from './transfer.ts'

/** How a write ended. */
export type Written =
  | { readonly type: 'write.saved' }
  | ({ readonly type: 'write.failed' } & EditFailure)
  | { readonly type: 'write.crossed' }

export interface RowEditsOptions extends RowEditsInput {
  /** Writes one; what was typed stays with who calls. Tells the id of each request that it takes. */
  readonly write: (id: number, onRequest: (request: string) => void) => Promise<Written>
}

export type RowEdits = Transfer<EditRows, RowEditsEvent, typeof rowEditsMachine>

/** Without edits, and held. */
export function createRowEdits({ write, ...input }: RowEditsOptions): RowEdits {
  const writeEdit = fromCallback<EventObject, { readonly id: number }, WriteEvent>(
    ({ input: { id }, sendBack }) => {
      let isOver = false
      const tell = (event: WriteEvent) => isOver || sendBack(event)
      write(id, request => tell({ type: 'write.requested', request })).then(tell, (error: unknown) =>
        tell({ type: 'port.broken', failure: bug(error) }),
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
