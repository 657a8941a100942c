// A deletion of rows: a while in which it can be taken back, then it is sent; refused, it waits for its user.
import { assign, setup } from 'xstate'
import { port } from './port.ts'
import type { PortBroken } from './ports.ts'

export interface RowDeletionInput {
  /** How many rows. */
  readonly rows: number
  /** Milliseconds in which it can be taken back. */
  readonly undo: number
}

export interface RowDeletionContext extends RowDeletionInput {
  /** Why it was refused, fit to be shown. */
  readonly refusal: string | undefined
}

export type RowDeletionEvent =
  /** At once, and once more where it was refused. */
  | { readonly type: 'deletion.send' }
  /** Takes it back, or gives it up. */
  | { readonly type: 'deletion.drop' }

export type DeleteEvent =
  { readonly type: 'rows.deleted' } | { readonly type: 'rows.refused'; readonly message: string } | PortBroken

/** The port: deletes the rows. */
export const deleteRows = port<DeleteEvent>('deleteRows')

export const rowDeletionMachine = setup({
  types: {
    context: {} as RowDeletionContext,
    events: {} as RowDeletionEvent | DeleteEvent,
    input: {} as RowDeletionInput,
  },
  actors: { deleteRows },
  delays: { undo: ({ context }) => context.undo },
  actions: {
    keepRefusal: assign((_, { message }: { readonly message: string }) => ({ refusal: message })),
    forgetRefusal: assign({ refusal: undefined }),
  },
}).createMachine({
  id: 'rowDeletion',
  context: ({ input }) => ({ ...input, refusal: undefined }),
  initial: 'undoable',
  states: {
    undoable: {
      description: 'Nothing was sent yet.',
      after: { undo: 'sending' },
      on: { 'deletion.send': 'sending', 'deletion.drop': 'dropped' },
    },
    sending: {
      description: 'It can’t be taken back any more.',
      entry: 'forgetRefusal',
      invoke: { id: 'deleteRows', src: 'deleteRows' },
      on: {
        'rows.deleted': 'done',
        'rows.refused': {
          target: 'refused',
          actions: { type: 'keepRefusal', params: ({ event: { message } }) => ({ message }) },
        },
        'port.broken': {
          target: 'refused',
          actions: { type: 'keepRefusal', params: ({ event: { failure } }) => failure },
        },
      },
    },
    refused: {
      description: 'The rows are there; its user tries again, or gives it up.',
      on: { 'deletion.send': 'sending', 'deletion.drop': 'dropped' },
    },
    dropped: { type: 'final' },
    done: { type: 'final' },
  },
})
