// Retries failed loads automatically: each once, after a delay or when the device is online again.
import { emit, enqueueActions, setup } from 'xstate'
import { withEvent } from '../with-event.ts'
import { AUTO_RETRY_DELAY } from '../timings.ts'

export interface RetriesContext {
  /** Pending retries, by the number of their failure. */
  readonly waiting: Readonly<Record<string, string>>
}

type AddEvent = { readonly type: 'retry.add'; readonly id: number; readonly what: string }
type Numbered = { readonly id: number }

export type RetriesEvent =
  | AddEvent
  /** The result is no longer needed. */
  | ({ readonly type: 'retry.cancel' } & Numbered)
  /** The device is online again: pending retries start immediately. */
  | { readonly type: 'retries.flush' }

/** Internal: the delay has passed. */
type DueEvent = { readonly type: 'retry.due' } & Numbered

/** Emitted when the load should be retried now. */
export type RetriesEmitted = { readonly type: 'retry.requested' } & Numbered

const timerOf = (id: number | string) => `retry.${id}`

const withoutRetry = ({ waiting }: RetriesContext, id: number): RetriesContext => ({
  waiting: Object.fromEntries(Object.entries(waiting).filter(([key]) => key !== String(id))),
})

export const retriesMachine = setup({
  types: {
    context: {} as RetriesContext,
    events: {} as RetriesEvent | DueEvent,
    emitted: {} as RetriesEmitted,
  },
  delays: { retryDelay: AUTO_RETRY_DELAY },
  guards: { isEmpty: ({ context }) => Object.keys(context.waiting).length === 0 },
  actions: {
    add: enqueueActions(({ context, enqueue }, { id, what }: AddEvent) => {
      enqueue.assign({ waiting: { ...context.waiting, [id]: what } })
      enqueue.raise({ type: 'retry.due', id }, { delay: 'retryDelay', id: timerOf(id) })
    }),
    remove: enqueueActions(({ context, enqueue }, { id }: Numbered) => {
      enqueue.cancel(timerOf(id))
      enqueue.assign(withoutRetry(context, id))
    }),
    requestRetry: emit((_, { id }: Numbered) => ({ type: 'retry.requested', id }) satisfies RetriesEmitted),
    requestAll: enqueueActions(({ context, enqueue }) => {
      for (const id of Object.keys(context.waiting)) {
        enqueue.cancel(timerOf(id))
        enqueue.emit({ type: 'retry.requested', id: Number(id) })
      }
      enqueue.assign({ waiting: {} })
    }),
  },
}).createMachine({
  id: 'retries',
  context: { waiting: {} },
  initial: 'idle',
  states: {
    idle: {
      description: 'No retries pending.',
      on: { 'retry.add': { target: 'waiting', actions: withEvent('add') } },
    },
    waiting: {
      description: 'Each load is retried 4 s after it failed; when the device is online again, all at once.',
      always: { guard: 'isEmpty', target: 'idle' },
      on: {
        'retry.add': { actions: withEvent('add') },
        'retry.cancel': { actions: withEvent('remove') },
        'retry.due': {
          actions: [withEvent('remove'), withEvent('requestRetry')],
        },
        'retries.flush': { actions: 'requestAll' },
      },
    },
  },
})
