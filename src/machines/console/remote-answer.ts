// The wait for something from the other end of a link, which may have a limit.
import { setup } from 'xstate'

export interface RemoteAnswerInput {
  /** Milliseconds to wait; without a limit if undefined. */
  readonly limit: number | undefined
}

export type RemoteAnswerEvent =
  | { readonly type: 'answer.arrived' }
  /** The other end is gone. */
  | { readonly type: 'answer.lost' }

export const remoteAnswerMachine = setup({
  types: {
    context: {} as RemoteAnswerInput,
    events: {} as RemoteAnswerEvent,
    input: {} as RemoteAnswerInput,
  },
  delays: { limit: ({ context }) => context.limit ?? 0 },
  guards: { hasLimit: ({ context }) => context.limit !== undefined },
}).createMachine({
  id: 'remoteAnswer',
  context: ({ input }) => input,
  initial: 'waiting',
  states: {
    waiting: {
      on: { 'answer.arrived': 'arrived', 'answer.lost': 'lost' },
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'hasLimit', target: 'limited' }, 'unlimited'] },
        limited: { after: { limit: '#remoteAnswer.late' } },
        unlimited: { description: 'Such as for a path run, which may wait for effects.' },
      },
    },
    arrived: { type: 'final' },
    lost: { type: 'final' },
    late: { description: 'No answer within the limit: the other end does not respond.', type: 'final' },
  },
})
