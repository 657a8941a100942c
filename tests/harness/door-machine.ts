// A door that breaks when it is forced twice.
import { assign, setup } from 'xstate'

export const door = setup({
  types: {
    context: {} as { knocks: number; forced: number },
    events: {} as
      | { type: 'open' }
      | { type: 'close' }
      | { type: 'lock' }
      | { type: 'force' }
      | { type: 'knock'; note?: string },
  },
  guards: {
    isWeak: ({ context }) => context.forced > 0,
  },
  actions: {
    countKnock: assign({ knocks: ({ context }) => context.knocks + 1 }),
    countForce: assign({ forced: ({ context }) => context.forced + 1 }),
  },
}).createMachine({
  id: 'door',
  context: { knocks: 0, forced: 0 },
  initial: 'closed',
  on: { knock: { actions: 'countKnock' } },
  states: {
    closed: { on: { open: 'opened', lock: 'locked' } },
    opened: { on: { close: 'closed' } },
    locked: { on: { force: [{ guard: 'isWeak', target: 'broken' }, { actions: 'countForce' }] } },
    broken: { type: 'final' },
  },
})
