// Runs a single machine below a parent that forwards events to it, as its own parent would.
import { type AnyEventObject, type AnyStateMachine, sendTo, setup } from 'xstate'

/** Sent to the parent from outside. */
type AloneEvent = { readonly type: 'alone.tell'; readonly event: AnyEventObject }

/** The machine below a parent, which sends it the event of `alone.tell`. */
export function composeAlone(machine: AnyStateMachine): AnyStateMachine {
  return setup({
    types: { context: {} as { input: unknown }, events: {} as AloneEvent, input: {} as unknown },
    actors: { machine },
    actions: { tell: sendTo('machine', (_, params: { event: AnyEventObject }) => params.event) },
  }).createMachine({
    id: 'alone',
    context: ({ input }) => ({ input }),
    initial: 'running',
    states: {
      running: {
        invoke: {
          id: 'machine',
          src: 'machine',
          input: ({ context }: { context: { input: unknown } }) => context.input,
          onDone: 'over',
        },
        on: { 'alone.tell': { actions: { type: 'tell', params: ({ event }) => event } } },
      },
      over: { description: 'The machine has ended; further events have no effect.' },
    },
  })
}
