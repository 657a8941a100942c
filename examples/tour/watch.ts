// The whole system: a session and a logbook, which is open while a user is signed in.
import { assign, sendTo, setup } from 'xstate'
import { logbookMachine } from './logbook.ts'
import { sessionMachine } from './session.ts'

interface Context {
  /** Why the last watch ended. */
  readonly reason: string | undefined
}

type WatchEvent =
  | { readonly type: 'watch.begin'; readonly name: string }
  | { readonly type: 'watch.end' }
  | { readonly type: 'entry.write'; readonly text: string }
  | { readonly type: 'session.begun' }
  | { readonly type: 'session.ended'; readonly reason: string }

export const watch = setup({
  types: {
    context: {} as Context,
    events: {} as WatchEvent,
    children: {} as { session: 'session'; logbook: 'logbook' },
  },
  actors: { session: sessionMachine, logbook: logbookMachine },
  actions: {
    keepReason: assign({ reason: (_, { reason }: { readonly reason: string }) => reason }),
    openLogbook: sendTo('logbook', { type: 'logbook.open' }),
    closeLogbook: sendTo('logbook', { type: 'logbook.close' }),
    write: sendTo('logbook', (_, { text }: { readonly text: string }) => ({ type: 'entry.write', text })),
    beginSession: sendTo('session', (_, { name }: { readonly name: string }) => ({
      type: 'session.begin',
      name,
    })),
    endSession: sendTo('session', { type: 'session.end' }),
  },
}).createMachine({
  id: 'watch',
  context: { reason: undefined },
  invoke: [
    { id: 'session', src: 'session' },
    { id: 'logbook', src: 'logbook' },
  ],
  initial: 'ashore',
  on: {
    'session.ended': {
      target: '.ashore',
      actions: [{ type: 'keepReason', params: ({ event }) => ({ reason: event.reason }) }, 'closeLogbook'],
    },
  },
  states: {
    ashore: {
      on: {
        'watch.begin': {
          actions: { type: 'beginSession', params: ({ event }) => ({ name: event.name }) },
        },
        'session.begun': { target: 'onWatch', actions: 'openLogbook' },
      },
    },
    onWatch: {
      on: {
        'entry.write': { actions: { type: 'write', params: ({ event }) => ({ text: event.text }) } },
        'watch.end': { actions: 'endSession' },
      },
    },
  },
})
