// A deletion of rows: can be undone for a while, then is sent; if refused, it waits for its user.
import { assign, setup } from 'xstate'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'

export interface RowDeletionInput {
  /** Number of rows. */
  readonly rows: number
  /** Milliseconds in which it can be undone. */
  readonly undo: number
}

export interface RowDeletionContext extends RowDeletionInput {
  /** Why it was refused; can be shown to the user. */
  readonly refusal: string | undefined
}

export type RowDeletionEvent =
  /** Sends it immediately, or again after a refusal. */
  | { readonly type: 'deletion.send' }
  /** Undoes it, or discards it after a refusal. */
  | { readonly type: 'deletion.cancel' }

export type DeleteEvent =
  { readonly type: 'rows.deleted' } | { readonly type: 'rows.refused'; readonly message: string } | PortBroken

/** The port: deletes the rows. */
const deleteRows = port<DeleteEvent>('deleteRows')

export const rowDeletionMachine = setup({
  types: {
    context: {} as RowDeletionContext,
    events: {} as RowDeletionEvent | DeleteEvent,
    input: {} as RowDeletionInput,
  },
  actors: { deleteRows },
  delays: { undo: ({ context }) => context.undo },
  actions: {
    setRefusal: assign((_, { message }: { readonly message: string }) => ({ refusal: message })),
    clearRefusal: assign({ refusal: undefined }),
  },
}).createMachine({
  id: 'rowDeletion',
  context: ({ input }) => ({ ...input, refusal: undefined }),
  initial: 'undoable',
  states: {
    undoable: {
      description: 'Not sent yet; can be undone.',
      after: { undo: 'sending' },
      on: { 'deletion.send': 'sending', 'deletion.cancel': 'canceled' },
    },
    sending: {
      description: 'The deletion can no longer be undone.',
      entry: 'clearRefusal',
      invoke: { id: 'deleteRows', src: 'deleteRows' },
      on: {
        'rows.deleted': 'done',
        'rows.refused': {
          target: 'refused',
          actions: { type: 'setRefusal', params: ({ event: { message } }) => ({ message }) },
        },
        'port.broken': {
          target: 'refused',
          actions: { type: 'setRefusal', params: ({ event: { failure } }) => failure },
        },
      },
    },
    refused: {
      description: 'The rows were not deleted; the user can retry or discard the deletion.',
      on: { 'deletion.send': 'sending', 'deletion.cancel': 'canceled' },
    },
    canceled: { type: 'final' },
    done: { type: 'final' },
  },
})
