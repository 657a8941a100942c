// The logbook: entries are sent one after the other, and wait while the office is unreachable.
import { assign, fromPromise, setup } from 'xstate'

interface Context {
  readonly unsent: readonly string[]
  readonly sent: readonly string[]
  /** Entries that were unsent when the book was closed. */
  readonly lost: number
}

type LogbookEvent =
  | { readonly type: 'logbook.open' }
  | { readonly type: 'logbook.close' }
  | { readonly type: 'entry.write'; readonly text: string }

export const logbookMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LogbookEvent,
  },
  actors: {
    post: fromPromise<undefined, { readonly text: string }>(() => Promise.reject(new Error('not provided'))),
  },
  guards: {
    hasUnsent: ({ context }) => context.unsent.length > 0,
  },
  delays: { pause: 4_000 },
  actions: {
    write: assign({
      unsent: ({ context }, { text }: { readonly text: string }) => [...context.unsent, text],
    }),
    moveFirst: assign({
      sent: ({ context }) => [...context.sent, ...context.unsent.slice(0, 1)],
      unsent: ({ context }) => context.unsent.slice(1),
    }),
    dropUnsent: assign({ lost: ({ context }) => context.lost + context.unsent.length, unsent: [] }),
  },
}).createMachine({
  id: 'logbook',
  context: { unsent: [], sent: [], lost: 0 },
  initial: 'closed',
  states: {
    closed: { on: { 'logbook.open': 'open' } },
    open: {
      initial: 'idle',
      on: {
        'entry.write': { actions: { type: 'write', params: ({ event }) => ({ text: event.text }) } },
        'logbook.close': { target: 'closed', actions: 'dropUnsent' },
      },
      states: {
        idle: { always: { guard: 'hasUnsent', target: 'sending' } },
        sending: {
          invoke: {
            id: 'post',
            src: 'post',
            input: ({ context }) => ({ text: context.unsent[0] ?? '' }),
            onDone: { target: 'idle', actions: 'moveFirst' },
            onError: 'waiting',
          },
        },
        waiting: { after: { pause: 'sending' } },
      },
    },
  },
})
