// Whether the other end of a link between an app and its console is there. A page that is killed sends nothing, and
// one that was suspended sends again.
import { assign, type EventObject, sendTo, setup } from 'xstate'
import { port } from '../port.ts'

const BEAT = 1_000
/** Beats without a word after which the other end counts as gone; a background page is slower. */
const MISSED = 5

export type PeerEvent =
  /** It connects, again if it is there already. */
  | { readonly type: 'peer.greeted' }
  /** It said something else. */
  | { readonly type: 'peer.heard' }
  /** It said that it leaves. */
  | { readonly type: 'peer.left' }

/** Sent to the port every second. */
export interface Beat {
  readonly type: 'beat'
}

export interface ServeInput {
  /** Whether it counted as gone, and did not greet since. */
  readonly isBack: boolean
}

/** The port: serves the other end while it is there. */
const serve = port<EventObject, ServeInput, Beat>('serve')

export const peerMachine = setup({
  types: { context: {} as { readonly missed: number }, events: {} as PeerEvent },
  actors: { serve },
  delays: { beat: BEAT },
  guards: { isSilent: ({ context }) => context.missed >= MISSED },
  actions: {
    resetMissed: assign({ missed: 0 }),
    countBeat: assign({ missed: ({ context }) => context.missed + 1 }),
    tellBeat: sendTo('serve', { type: 'beat' } satisfies Beat),
  },
}).createMachine({
  id: 'peer',
  context: { missed: 0 },
  initial: 'away',
  states: {
    away: {
      description: 'It has not connected, or has left.',
      on: { 'peer.greeted': 'there' },
    },
    there: {
      entry: 'resetMissed',
      invoke: {
        id: 'serve',
        src: 'serve',
        input: ({ event }) => ({ isBack: event.type === 'peer.heard' }),
      },
      on: {
        'peer.greeted': { actions: 'resetMissed' },
        'peer.heard': { actions: 'resetMissed' },
        'peer.left': 'away',
      },
      initial: 'beating',
      states: {
        beating: {
          after: {
            beat: [
              { guard: 'isSilent', target: '#peer.silent' },
              { target: 'beating', reenter: true, actions: ['countBeat', 'tellBeat'] },
            ],
          },
        },
      },
    },
    silent: {
      description: 'It said nothing for more than five beats: it is gone, or suspended.',
      on: { 'peer.greeted': 'there', 'peer.heard': 'there', 'peer.left': 'away' },
    },
  },
})
