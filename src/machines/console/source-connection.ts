// The connection over which a console receives what other apps report: reconnects whenever it is lost.
import { assign, setup } from 'xstate'
import { port } from '../port.ts'

/** Milliseconds before a reconnect: doubled after each failure. */
const FIRST_WAIT = 500
const LONGEST_WAIT = 5_000

export type SourceEvent =
  | { readonly type: 'source.opened' }
  /** Closed by the other end, or never opened. */
  | { readonly type: 'source.lost' }

/** The port: connects, and closes the connection at its end. */
const connectSource = port<SourceEvent>('connectSource')

export const sourceConnectionMachine = setup({
  types: { context: {} as { readonly wait: number }, events: {} as SourceEvent },
  actors: { connectSource },
  delays: { wait: ({ context }) => context.wait },
  actions: {
    resetWait: assign({ wait: FIRST_WAIT }),
    growWait: assign({ wait: ({ context }) => Math.min(LONGEST_WAIT, context.wait * 2) }),
  },
}).createMachine({
  id: 'sourceConnection',
  context: { wait: FIRST_WAIT },
  initial: 'connected',
  states: {
    connected: {
      invoke: { id: 'connectSource', src: 'connectSource' },
      initial: 'opening',
      on: { 'source.lost': 'waiting' },
      states: {
        opening: { on: { 'source.opened': 'open' } },
        open: { entry: 'resetWait' },
      },
    },
    waiting: {
      description: 'Connects again after half a second, and after each failure twice as late, up to 5 s.',
      after: { wait: 'connected' },
      exit: 'growWait',
    },
  },
})
