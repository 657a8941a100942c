// One change of a row's cells, or a row that a form writes: waits for its turn, is written, tried again after a silence, refused, or crossed by another's.
import { assign, sendParent, setup } from 'xstate'
import { given } from './given.ts'
import { port } from './port.ts'
import type { PortBroken } from './ports.ts'

/** Why it was not written. Where the server quotes what was typed, its words are left out. */
export interface EditFailure {
  readonly message: string
  /** No answer came: the same may be written later. */
  readonly retry: boolean
}

export interface RowEditInput {
  readonly id: number
  /** Names of the columns; what is written into them is the user's, and no machine knows it. */
  readonly columns: readonly string[]
  /** It can't go as it is: that was seen before it was sent. */
  readonly failure?: EditFailure
}

export interface RowEditContext {
  readonly id: number
  readonly columns: readonly string[]
  readonly failure: EditFailure | undefined
  readonly attempts: number
  /** The last request, by its id. */
  readonly request: string | undefined
}

/** What is told to it by the edits around it, and by its user through them. */
export type RowEditWord =
  /** Its turn. */
  | { readonly type: 'edit.granted' }
  /** More was typed into the same row. */
  | { readonly type: 'edit.changed'; readonly columns: readonly string[]; readonly failure?: EditFailure }
  /** Once more as it is; over what others wrote, where they did. */
  | { readonly type: 'edit.retry' }
  | { readonly type: 'edit.drop' }

export type WriteEvent =
  | { readonly type: 'write.requested'; readonly request: string }
  | { readonly type: 'write.saved' }
  | ({ readonly type: 'write.failed' } & EditFailure)
  /** Somebody changed the same cells meanwhile, or the row is not there any more. */
  | { readonly type: 'write.crossed' }
  | PortBroken

export type EditPlace = 'queued' | 'sending' | 'waiting' | 'refused' | 'conflicting'

/** To the edits around it. */
export type RowEditReport =
  | { readonly type: 'edit.moved'; readonly id: number; readonly at: EditPlace }
  | { readonly type: 'edit.ended'; readonly id: number }

/** The port: writes the cells, as long as they hold what they held when they were read. */
export const writeEdit = port<WriteEvent, { readonly id: number }>('writeEdit')

type Changed = Extract<RowEditWord, { type: 'edit.changed' }>

/** As long as a page waits before it asks again. */
const RETRY_AFTER = 4_000

const tells = (at: EditPlace) => ({ type: 'tell', params: { at } }) as const
const change = { type: 'change', params: given<Changed> } as const
const isUnfit = {
  type: 'isUnfit',
  params: ({ event }: { readonly event: { readonly failure?: EditFailure } }) => ({ failure: event.failure }),
} as const
/** Its parent stops it at once; a final state would leave an event type of its own name behind, for ever. */
const over = { entry: 'end', on: { '*': {} } } as const
const judged = [
  { guard: isUnfit, target: 'refused', actions: change },
  { target: 'queued', actions: change },
] as const
const stuck = { 'edit.changed': judged, 'edit.retry': 'queued', 'edit.drop': 'dropped' } as const

export const rowEditMachine = setup({
  types: {
    context: {} as RowEditContext,
    events: {} as RowEditWord | WriteEvent,
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
      description: 'What its column can’t hold is not sent, and what was found after a reload not by itself.',
      always: [{ guard: 'wasUnfit', target: 'refused' }, { target: 'queued' }],
    },
    queued: {
      description: 'Waits for its turn: of each row one edit at a time, and none but in its user’s name.',
      entry: ['forgetFailure', tells('queued')],
      on: { 'edit.granted': 'sending', 'edit.changed': judged, 'edit.drop': 'dropped' },
    },
    sending: {
      description: 'It is not taken back and not added to: what is typed meanwhile is an edit of its own.',
      entry: ['countAttempt', tells('sending')],
      invoke: { id: 'writeEdit', src: 'writeEdit', input: ({ context: { id } }) => ({ id }) },
      on: {
        'write.requested': { actions: { type: 'keepRequest', params: given } },
        'write.saved': 'saved',
        'write.crossed': 'conflicting',
        'write.failed': [
          {
            guard: { type: 'mayRetry', params: given },
            target: 'waiting',
            actions: { type: 'keepFailure', params: given },
          },
          { target: 'refused', actions: { type: 'keepFailure', params: given } },
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
      description: 'No answer came: it goes again by itself.',
      entry: tells('waiting'),
      after: { retryAfter: 'queued' },
      on: stuck,
    },
    refused: { description: 'It can’t go as it is.', entry: tells('refused'), on: stuck },
    conflicting: {
      description: 'Mine, theirs, or what it was: its user says.',
      entry: tells('conflicting'),
      on: stuck,
    },
    saved: over,
    dropped: over,
  },
})
