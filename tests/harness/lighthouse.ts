// A small system to control: a lamp that requests power from an effect, burns for a while, and notifies a
// keeper.
import { assign, fromCallback, fromPromise, sendTo, setup, type EventObject } from 'xstate'

type Event =
  { type: 'light' } | { type: 'dim'; by: number } | { type: 'power'; watts: number } | { type: 'quench' }

const keeper = setup({
  types: { context: {} as { readonly nights: number }, events: {} as { type: 'lit' } },
}).createMachine({
  id: 'keeper',
  context: { nights: 0 },
  initial: 'waiting',
  states: {
    waiting: {
      on: { lit: { target: 'watching', actions: assign({ nights: ({ context }) => context.nights + 1 }) } },
    },
    watching: { after: { 5_000: 'waiting' } },
  },
})

/** `says` receives the callback's send function; the promise settles when `answer` is called. */
export function lighthouse(onReady: (emit: (event: EventObject) => void) => void, answer: Promise<number>) {
  return setup({
    types: { context: {} as { readonly watts: number }, events: {} as Event },
    actors: {
      keeper,
      grid: fromCallback(({ sendBack }) => onReady(sendBack)),
      oil: fromPromise(() => answer),
    },
  }).createMachine({
    id: 'lighthouse',
    context: { watts: 0 },
    invoke: [
      { id: 'keeper', src: 'keeper' },
      { id: 'grid', src: 'grid' },
    ],
    initial: 'dark',
    on: { power: { actions: assign({ watts: ({ event }) => event.watts }) } },
    states: {
      dark: { on: { light: 'filling' } },
      filling: { invoke: { id: 'oil', src: 'oil', onDone: 'burning' }, on: { quench: 'dark' } },
      burning: {
        entry: sendTo('keeper', { type: 'lit' }),
        after: { 1_000: 'dark' },
        on: {
          quench: 'dark',
          dim: { actions: assign({ watts: ({ context, event }) => context.watts - event.by }) },
        },
      },
    },
  })
}
