// One change of a row's cells, or a row that a form writes: waits for its turn, is written, retried when the
// backend does not respond, refused, or in conflict with another change.
import { assign, sendParent, setup } from 'xstate'
import { eventParams } from '../event-params.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { AUTO_RETRY_DELAY } from '../timings.ts'

/** Why it was not written. Server text that quotes the user's input is left out. */
export interface EditFailure {
  readonly message: string
  /** No response arrived: the same edit may be written later. */
  readonly retry: boolean
}

export interface RowEditInput {
  readonly id: number
  /** Names of the columns; their new values are the user's data, which no machine knows. */
  readonly columns: readonly string[]
  /** It cannot be sent unchanged; found before sending. */
  readonly failure?: EditFailure
}

export interface RowEditContext {
  readonly id: number
  readonly columns: readonly string[]
  readonly failure: EditFailure | undefined
  readonly attempts: number
  /** The id of the last request. */
  readonly request: string | undefined
}

/** Events from the edit list, and from the user through it. */
export type RowEditEvent =
  /** Its turn to be sent. */
  | { readonly type: 'edit.granted' }
  /** The user typed more into the same row. */
  | { readonly type: 'edit.changed'; readonly columns: readonly string[]; readonly failure?: EditFailure }
  /** Retries it unchanged; after a conflict, overwrites the other change. */
  | { readonly type: 'edit.retry' }
  | { readonly type: 'edit.cancel' }

export type WriteEvent =
  | { readonly type: 'write.requested'; readonly request: string }
  | { readonly type: 'write.saved' }
  | ({ readonly type: 'write.failed' } & EditFailure)
  /** Another user changed the same cells, or the row no longer exists. */
  | { readonly type: 'write.conflicted' }
  | PortBroken

export type EditPhase = 'queued' | 'sending' | 'backingOff' | 'refused' | 'conflict'

/** Events sent to the edit list. */
export type RowEditReport =
  | { readonly type: 'edit.phaseChanged'; readonly id: number; readonly phase: EditPhase }
  | { readonly type: 'edit.ended'; readonly id: number }

/** The port: writes the cells if they still contain the values that were read. */
export const writeEdit = port<WriteEvent, { readonly id: number }>('writeEdit')

type Changed = Extract<RowEditEvent, { type: 'edit.changed' }>

const notifyPhase = (phase: EditPhase) => ({ type: 'notifyPhase', params: { phase } }) as const

export const rowEditMachine = setup({
  types: {
    context: {} as RowEditContext,
    events: {} as RowEditEvent | WriteEvent,
    input: {} as RowEditInput,
  },
  actors: { writeEdit },
  delays: { retryDelay: AUTO_RETRY_DELAY },
  guards: {
    isInvalid: (_, { failure }: { failure?: EditFailure | undefined }) => failure !== undefined,
    wasInvalid: ({ context }) => context.failure !== undefined,
    mayRetry: (_, { retry }: { retry: boolean }) => retry,
  },
  actions: {
    change: assign(({ context }, { columns, failure }: Changed) => ({
      columns: [...new Set([...context.columns, ...columns])],
      failure,
    })),
    setFailure: assign((_, { message, retry }: EditFailure) => ({ failure: { message, retry } })),
    clearFailure: assign({ failure: undefined }),
    setRequest: assign((_, { request }: { request: string }) => ({ request })),
    countAttempt: assign(({ context }) => ({ attempts: context.attempts + 1 })),
    notifyPhase: sendParent(
      ({ context: { id } }, { phase }: { phase: EditPhase }) =>
        ({ type: 'edit.phaseChanged', id, phase }) satisfies RowEditReport,
    ),
    notifyEnded: sendParent(({ context: { id } }) => ({ type: 'edit.ended', id }) satisfies RowEditReport),
  },
}).createMachine({
  id: 'rowEdit',
  context: ({ input: { id, columns, failure } }) => ({
    id,
    columns,
    failure,
    attempts: 0,
    request: undefined,
  }),
  initial: 'validating',
  states: {
    validating: {
      description:
        'Invalid values are not sent, and edits restored after a reload are not sent automatically.',
      always: [{ guard: 'wasInvalid', target: 'blocked.refused' }, { target: 'queued' }],
    },
    queued: {
      description: 'Waits for its turn: one edit per row at a time, and only while its user is signed in.',
      entry: ['clearFailure', notifyPhase('queued')],
      on: {
        'edit.granted': 'sending',
        'edit.changed': [
          {
            guard: { type: 'isInvalid', params: eventParams },
            target: 'blocked.refused',
            actions: { type: 'change', params: eventParams },
          },
          { actions: { type: 'change', params: eventParams } },
        ],
        'edit.cancel': 'canceled',
      },
    },
    sending: {
      description: 'It cannot be undone or extended; further input becomes a separate edit.',
      entry: ['countAttempt', notifyPhase('sending')],
      invoke: { id: 'writeEdit', src: 'writeEdit', input: ({ context: { id } }) => ({ id }) },
      on: {
        'write.requested': { actions: { type: 'setRequest', params: eventParams } },
        'write.saved': 'saved',
        'write.conflicted': 'blocked.conflict',
        'write.failed': [
          {
            guard: { type: 'mayRetry', params: eventParams },
            target: 'blocked.backingOff',
            actions: { type: 'setFailure', params: eventParams },
          },
          { target: 'blocked.refused', actions: { type: 'setFailure', params: eventParams } },
        ],
        'port.broken': {
          target: 'blocked.refused',
          actions: {
            type: 'setFailure',
            params: ({ event: { failure } }) => ({ message: failure.message, retry: false }),
          },
        },
      },
    },
    blocked: {
      description: 'Not written: it can be changed, retried or canceled.',
      initial: 'refused',
      on: {
        'edit.changed': [
          {
            guard: { type: 'isInvalid', params: eventParams },
            target: '.refused',
            actions: { type: 'change', params: eventParams },
          },
          { target: 'queued', actions: { type: 'change', params: eventParams } },
        ],
        'edit.retry': 'queued',
        'edit.cancel': 'canceled',
      },
      states: {
        backingOff: {
          description: 'No response; retried automatically.',
          entry: notifyPhase('backingOff'),
          after: { retryDelay: '#rowEdit.queued' },
        },
        refused: { description: 'It cannot be sent unchanged.', entry: notifyPhase('refused') },
        conflict: {
          description: 'The user chooses: their own value, the other user’s, or the original.',
          entry: notifyPhase('conflict'),
        },
      },
    },
    // The parent stops an ended edit immediately. A final state would leave a done event type with this
    // actor's id behind forever.
    saved: { entry: 'notifyEnded', on: { '*': {} } },
    canceled: { entry: 'notifyEnded', on: { '*': {} } },
  },
})
