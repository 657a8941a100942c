// The session of a user on watch: signs in, renews its pass before it expires, and ends if the renewal is
// refused.
import { assign, fromPromise, sendParent, setup } from 'xstate'

/** Issued by the harbor office. */
export interface Pass {
  readonly token: string
  /** How long it is valid, in milliseconds. */
  readonly life: number
}

interface Context {
  readonly name: string
  readonly pass: Pass | null
  /** Failed renewals since the last successful one. */
  readonly failures: number
}

type SessionEvent =
  { readonly type: 'session.begin'; readonly name: string } | { readonly type: 'session.end' }

export const sessionMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SessionEvent,
  },
  actors: {
    signIn: fromPromise<Pass, { readonly name: string }>(() => Promise.reject(new Error('not provided'))),
    renew: fromPromise<Pass, { readonly token: string }>(() => Promise.reject(new Error('not provided'))),
  },
  guards: {
    // The office refuses with a 4xx: a retry would get the same response.
    isRefused: (_, { status }: { readonly status: number }) => status < 500,
  },
  delays: {
    renewal: ({ context }) => (context.pass?.life ?? 0) / 2,
    pause: ({ context }) => 500 * 2 ** context.failures,
  },
  actions: {
    keepName: assign({ name: (_, { name }: { readonly name: string }) => name }),
    keepPass: assign({ pass: (_, { pass }: { readonly pass: Pass }) => pass, failures: 0 }),
    dropPass: assign({ pass: null, failures: 0 }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    tellBegun: sendParent({ type: 'session.begun' }),
    notifyEnded: sendParent((_, { reason }: { readonly reason: string }) => ({
      type: 'session.ended',
      reason,
    })),
  },
}).createMachine({
  id: 'session',
  context: { name: '', pass: null, failures: 0 },
  initial: 'signedOut',
  states: {
    signedOut: {
      entry: 'dropPass',
      on: {
        'session.begin': {
          target: 'signingIn',
          actions: { type: 'keepName', params: ({ event }) => ({ name: event.name }) },
        },
      },
    },
    signingIn: {
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ context }) => ({ name: context.name }),
        onDone: {
          target: 'signedIn',
          actions: [{ type: 'keepPass', params: ({ event }) => ({ pass: event.output }) }, 'tellBegun'],
        },
        onError: {
          target: 'signedOut',
          actions: { type: 'notifyEnded', params: { reason: 'the office did not respond' } },
        },
      },
    },
    signedIn: {
      initial: 'fresh',
      on: {
        'session.end': {
          target: 'signedOut',
          actions: { type: 'notifyEnded', params: { reason: 'the watch is over' } },
        },
      },
      states: {
        fresh: { after: { renewal: 'renewing' } },
        renewing: {
          invoke: {
            id: 'renew',
            src: 'renew',
            input: ({ context }) => ({ token: context.pass?.token ?? '' }),
            onDone: {
              target: 'fresh',
              actions: { type: 'keepPass', params: ({ event }) => ({ pass: event.output }) },
            },
            onError: [
              {
                guard: { type: 'isRefused', params: ({ event }) => ({ status: statusOf(event.error) }) },
                target: '#session.signedOut',
                actions: { type: 'notifyEnded', params: { reason: 'the pass was refused' } },
              },
              { target: 'waiting', actions: 'countFailure' },
            ],
          },
        },
        waiting: { after: { pause: 'renewing' } },
      },
    },
  },
})

/** The status of a response: 4xx is a refusal, 5xx a server error, and 0 means no response. */
function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error ? Number(error.status) : 500
}
