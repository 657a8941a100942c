// A checkout: the payment may be refused and tried again, and an order that is not paid in time expires.
import { assign, fromPromise, setup } from 'xstate'

interface Context {
  readonly total: number
  readonly attempts: number
  readonly receipt: string | undefined
}

type CheckoutEvent =
  { readonly type: 'add'; readonly price: number } | { readonly type: 'pay' } | { readonly type: 'retry' }

/** Sends the amount to a payment service, which is simulated here: it refuses every other attempt. */
const charge = fromPromise(async ({ input }: { input: { total: number; attempt: number } }) => {
  await new Promise(resolve => setTimeout(resolve, 20))
  if (input.attempt % 2 === 1) throw new Error('The card was refused')
  return `receipt over ${input.total}`
})

export const checkout = setup({
  types: { context: {} as Context, events: {} as CheckoutEvent },
  actors: { charge },
  delays: { patience: 60_000 },
}).createMachine({
  id: 'checkout',
  context: { total: 0, attempts: 0, receipt: undefined },
  initial: 'shopping',
  states: {
    shopping: {
      on: {
        add: { actions: assign({ total: ({ context, event }) => context.total + event.price }) },
        pay: { guard: ({ context }) => context.total > 0, target: 'paying' },
      },
    },
    paying: {
      entry: assign({ attempts: ({ context }) => context.attempts + 1 }),
      invoke: {
        id: 'charge',
        src: 'charge',
        input: ({ context }) => ({ total: context.total, attempt: context.attempts }),
        onDone: { target: 'paid', actions: assign({ receipt: ({ event }) => event.output }) },
        onError: 'refused',
      },
    },
    refused: { on: { retry: 'paying' }, after: { patience: 'expired' } },
    paid: { type: 'final' },
    expired: {},
  },
})
