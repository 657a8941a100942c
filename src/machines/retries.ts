// Retries failed loads automatically: each once, after a delay or when the device is online again.
import { emit, enqueueActions, setup } from 'xstate'
import { eventParams } from './event-params.ts'

export interface RetriesContext {
  /** Pending retries, by the number of their failure. */
  readonly waiting: Readonly<Record<string, string>>
}

type Added = { readonly type: 'retry.add'; readonly id: number; readonly what: string }
type Numbered = { readonly id: number }

export type RetriesEvent =
  | Added
  /** The result is no longer needed. */
  | ({ readonly type: 'retry.drop' } & Numbered)
  /** The device is online again: pending retries start immediately. */
  | { readonly type: 'retries.wake' }

/** Internal: the delay has passed. */
type Due = { readonly type: 'retry.due' } & Numbered

/** Sent to the party that requested the retry. */
export type RetriesEmitted = { readonly type: 'retry.ask' } & Numbered

/** Delay before an automatic retry. */
const RETRY_AFTER = 4_000

const timerOf = (id: number | string) => `retry.${id}`

const without = ({ waiting }: RetriesContext, id: number): RetriesContext => ({
  waiting: Object.fromEntries(Object.entries(waiting).filter(([other]) => other !== String(id))),
})

export const retriesMachine = setup({
  types: {
    context: {} as RetriesContext,
    events: {} as RetriesEvent | Due,
    emitted: {} as RetriesEmitted,
  },
  delays: { retryAfter: RETRY_AFTER },
  guards: { isCalm: ({ context }) => Object.keys(context.waiting).length === 0 },
  actions: {
    add: enqueueActions(({ context, enqueue }, { id, what }: Added) => {
      enqueue.assign({ waiting: { ...context.waiting, [id]: what } })
      enqueue.raise({ type: 'retry.due', id }, { delay: 'retryAfter', id: timerOf(id) })
    }),
    drop: enqueueActions(({ context, enqueue }, { id }: Numbered) => {
      enqueue.cancel(timerOf(id))
      enqueue.assign(without(context, id))
    }),
    ask: emit((_, { id }: Numbered) => ({ type: 'retry.ask', id }) satisfies RetriesEmitted),
    askAll: enqueueActions(({ context, enqueue }) => {
      for (const id of Object.keys(context.waiting)) {
        enqueue.cancel(timerOf(id))
        enqueue.emit({ type: 'retry.ask', id: Number(id) })
      }
      enqueue.assign({ waiting: {} })
    }),
  },
}).createMachine({
  id: 'retries',
  context: { waiting: {} },
  initial: 'calm',
  states: {
    calm: {
      description: 'No retries pending.',
      on: { 'retry.add': { target: 'waiting', actions: { type: 'add', params: eventParams } } },
    },
    waiting: {
      description: 'Each load is retried 4 s after it failed; when the device is online again, all at once.',
      always: { guard: 'isCalm', target: 'calm' },
      on: {
        'retry.add': { actions: { type: 'add', params: eventParams } },
        'retry.drop': { actions: { type: 'drop', params: eventParams } },
        'retry.due': {
          actions: [
            { type: 'drop', params: eventParams },
            { type: 'ask', params: eventParams },
          ],
        },
        'retries.wake': { actions: 'askAll' },
      },
    },
  },
})
