// What failed and is asked again by itself: each once, after a while, or as soon as the device is online again.
import { emit, enqueueActions, setup } from 'xstate'
import { given } from './given.ts'

export interface RetriesContext {
  /** What is asked again, by the number of its failure. */
  readonly waiting: Readonly<Record<string, string>>
}

type Added = { readonly type: 'retry.add'; readonly id: number; readonly what: string }
type Numbered = { readonly id: number }

export type RetriesEvent =
  | Added
  /** Nobody wants to know any more. */
  | ({ readonly type: 'retry.drop' } & Numbered)
  /** The device is online again: nothing need wait any longer. */
  | { readonly type: 'retries.wake' }

/** Its own: the while is over. */
type Due = { readonly type: 'retry.due' } & Numbered

/** To whoever asked. */
export type RetriesEmitted = { readonly type: 'retry.ask' } & Numbered

/** So long a page waits before it asks again. */
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
      description: 'Nothing failed that is asked again.',
      on: { 'retry.add': { target: 'waiting', actions: { type: 'add', params: given } } },
    },
    waiting: {
      description: 'Each is asked again 4 s after it failed; when the device is online again, all at once.',
      always: { guard: 'isCalm', target: 'calm' },
      on: {
        'retry.add': { actions: { type: 'add', params: given } },
        'retry.drop': { actions: { type: 'drop', params: given } },
        'retry.due': {
          actions: [
            { type: 'drop', params: given },
            { type: 'ask', params: given },
          ],
        },
        'retries.wake': { actions: 'askAll' },
      },
    },
  },
})
