// One change of a row's cells, or a row that a form writes: waits for its turn, is written, retried when the
// backend does not respond, refused, or in conflict with another change.
import { assign, sendParent, setup } from 'xstate'
import { eventParams } from './event-params.ts'
import { port } from './port.ts'
import type { PortBroken } from './ports.ts'

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
  | { readonly type: 'edit.drop' }

export type WriteEvent =
  | { readonly type: 'write.requested'; readonly request: string }
  | { readonly type: 'write.saved' }
  | ({ readonly type: 'write.failed' } & EditFailure)
  /** Another user changed the same cells, or the row no longer exists. */
  | { readonly type: 'write.crossed' }
  | PortBroken

export type EditPlace = 'queued' | 'sending' | 'waiting' | 'refused' | 'conflicting'

/** Events sent to the edit list. */
export type RowEditReport =
  | { readonly type: 'edit.moved'; readonly id: number; readonly at: EditPlace }
  | { readonly type: 'edit.ended'; readonly id: number }

/** The port: writes the cells if they still contain the values that were read. */
export const writeEdit = port<WriteEvent, { readonly id: number }>('writeEdit')

type Changed = Extract<RowEditEvent, { type: 'edit.changed' }>

/** Delay before an automatic retry; the same as for failed loads. */
const RETRY_AFTER = 4_000

const tells = (at: EditPlace) => ({ type: 'tell', params: { at } }) as const
const change = { type: 'change', params: eventParams<Changed> } as const
const isUnfit = {
  type: 'isUnfit',
  params: ({ event }: { readonly event: { readonly failure?: EditFailure } }) => ({ failure: event.failure }),
} as const
/**
 * Its parent stops it immediately; a final state would leave a done event type with this actor's id behind
 * forever.
 */
const over = { entry: 'end', on: { '*': {} } } as const
const judged = [
  { guard: isUnfit, target: 'refused', actions: change },
  { target: 'queued', actions: change },
] as const
const stuck = { 'edit.changed': judged, 'edit.retry': 'queued', 'edit.drop': 'dropped' } as const

export const rowEditMachine = setup({
  types: {
    context: {} as RowEditContext,
    events: {} as RowEditEvent | WriteEvent,
    input: {} as RowEditInput,
  },
  actors: { writeEdit },
  delays: { retryAfter: RETRY_AFTER },
  guards: {
    isUnfit: (_, { failure }: { failure: EditFailure | undefined }) => failure !== undefined,
    wasUnfit: ({ context }) => context.failure !== undefined,
    mayRetry: (_, { retry }: { retry: boolean }) => retry,
  },
  actions: {
    change: assign(({ context }, { columns, failure }: Changed) => ({
      columns: [...new Set([...context.columns, ...columns])],
      failure,
    })),
    keepFailure: assign((_, { message, retry }: EditFailure) => ({ failure: { message, retry } })),
    forgetFailure: assign({ failure: undefined }),
    keepRequest: assign((_, { request }: { request: string }) => ({ request })),
    countAttempt: assign(({ context }) => ({ attempts: context.attempts + 1 })),
    tell: sendParent(
      ({ context: { id } }, { at }: { at: EditPlace }) =>
        ({ type: 'edit.moved', id, at }) satisfies RowEditReport,
    ),
    end: sendParent(({ context: { id } }) => ({ type: 'edit.ended', id }) satisfies RowEditReport),
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
  initial: 'judging',
  states: {
    judging: {
      description:
        'Invalid values are not sent, and edits restored after a reload are not sent automatically.',
      always: [{ guard: 'wasUnfit', target: 'refused' }, { target: 'queued' }],
    },
    queued: {
      description: 'Waits for its turn: one edit per row at a time, and only while its user is signed in.',
      entry: ['forgetFailure', tells('queued')],
      on: { 'edit.granted': 'sending', 'edit.changed': judged, 'edit.drop': 'dropped' },
    },
    sending: {
      description: 'It cannot be undone or extended; further input becomes a separate edit.',
      entry: ['countAttempt', tells('sending')],
      invoke: { id: 'writeEdit', src: 'writeEdit', input: ({ context: { id } }) => ({ id }) },
      on: {
        'write.requested': { actions: { type: 'keepRequest', params: eventParams } },
        'write.saved': 'saved',
        'write.crossed': 'conflicting',
        'write.failed': [
          {
            guard: { type: 'mayRetry', params: eventParams },
            target: 'waiting',
            actions: { type: 'keepFailure', params: eventParams },
          },
          { target: 'refused', actions: { type: 'keepFailure', params: eventParams } },
        ],
        'port.broken': {
          target: 'refused',
          actions: {
            type: 'keepFailure',
            params: ({ event: { failure } }) => ({ message: failure.message, retry: false }),
          },
        },
      },
    },
    waiting: {
      description: 'No response; retried automatically.',
      entry: tells('waiting'),
      after: { retryAfter: 'queued' },
      on: stuck,
    },
    refused: { description: 'It cannot be sent unchanged.', entry: tells('refused'), on: stuck },
    conflicting: {
      description: 'The user chooses: their own value, the other user’s, or the original.',
      entry: tells('conflicting'),
      on: stuck,
    },
    saved: over,
    dropped: over,
  },
})
