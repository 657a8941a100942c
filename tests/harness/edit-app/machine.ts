// Machines of the app for the tests of edit and replay, which edit this file.
import { type ActorRefFrom, assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'

export const journalMachine = setup({
  types: { context: {} as { lines: readonly string[] }, events: {} as { type: 'note'; text: string } },
}).createMachine({
  id: 'journal',
  context: { lines: [] },
  on: { note: { actions: assign({ lines: ({ context, event }) => [...context.lines, event.text] }) } },
})

export const tillMachine = setup({
  types: {
    context: {} as {
      count: number
      scanned: number
      token: string
      journal: ActorRefFrom<typeof journalMachine>
    },
    events: {} as { type: 'add' } | { type: 'scan' } | { type: 'close' } | { type: 'login'; token: string },
  },
  actors: {
    journal: journalMachine,
    rates: fromPromise(() => Promise.resolve(1)),
    scanner: fromCallback(() => () => undefined),
  },
  actions: {
    addOne: assign({ count: ({ context }) => context.count + 1 }),
    note: sendTo(({ context }) => context.journal, { type: 'note', text: 'added' }),
  },
  guards: { isOpen: ({ context }) => context.count < 1_000_000 },
}).createMachine({
  id: 'till',
  context: ({ spawn }) => ({ count: 0, scanned: 0, token: '', journal: spawn('journal', { id: 'journal' }) }),
  initial: 'open',
  on: {
    scan: { actions: assign({ scanned: ({ context }) => context.scanned + 1 }) },
    login: { actions: assign({ token: ({ event }) => event.token }) },
  },
  states: {
    open: {
      invoke: { src: 'rates', id: 'rates' },
      on: { add: { guard: 'isOpen', actions: ['addOne', 'note'] }, close: 'closed' },
    },
    closed: { after: { 600_000: 'locked' } },
    locked: {},
  },
})
