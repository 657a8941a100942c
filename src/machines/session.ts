// The session's life: booting, signed out for a reason, authenticating, authenticated, signing out.
import { assign, sendParent, setup } from 'xstate'
import type { ChartroomUser, Token } from './expiry.ts'
import { timedOut, type Failure, type SignedOutReason } from './failure.ts'
import {
  authenticate,
  readSession,
  removeSession,
  revoke,
  type AuthenticateEvent,
  type ReadEvent,
  type RemoveEvent,
  type RevokeEvent,
  type SignOutScope,
} from './ports.ts'
import type { SessionCommand, SessionReport, TokenNews } from './session-events.ts'
import type { Timings } from './timings.ts'

export interface SessionContext {
  readonly timings: Timings
  readonly token: Token | undefined
  /** Why there is no session; of meaning in `signedOut` and on the way to it. */
  readonly reason: SignedOutReason
  readonly failure: Failure | undefined
  readonly attempt: string
  readonly scope: SignOutScope
}

const alreadySignedIn: Failure = {
  kind: 'conflict',
  message: 'Somebody is signed in already. Sign out first.',
}
const signInTimedOut = [
  { type: 'settle', params: { failure: timedOut('Signing in') } },
  { type: 'keepFailure', params: { failure: timedOut('Signing in') } },
] as const

interface Failed {
  readonly event: { readonly failure: Failure }
}
/** What several states do with an event that carries a failure. */
const settleFailed = { type: 'settle', params: ({ event }: Failed) => ({ failure: event.failure }) } as const
const keepFailed = {
  type: 'keepFailure',
  params: ({ event }: Failed) => ({ failure: event.failure }),
} as const
const keepAttempt = {
  type: 'keepAttempt',
  params: ({ event }: { event: { attempt: string } }) => event,
} as const
const keepCorrupt = {
  type: 'keepReason',
  params: ({ event }: Failed) => ({ reason: 'corrupt' as const, failure: event.failure }),
} as const

const givenUp: Failure = { kind: 'aborted', message: 'Signing in was given up.' }

export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionCommand | TokenNews | ReadEvent | AuthenticateEvent | RemoveEvent | RevokeEvent,
    input: {} as { timings: Timings },
  },
  actors: { authenticate, readSession, removeSession, revoke },
  delays: { authTimeout: ({ context }) => context.timings.authTimeout },
  guards: {
    isHighAssurance: ({ context }) => context.token?.aal === 'aal2',
  },
  actions: {
    keepToken: assign((_, params: { token: Token }) => ({ token: params.token, failure: undefined })),
    keepAttempt: assign((_, params: { attempt: string }) => ({
      attempt: params.attempt,
      failure: undefined,
    })),
    keepScope: assign((_, params: { attempt: string; scope: SignOutScope }) => ({
      attempt: params.attempt,
      scope: params.scope,
      reason: params.scope === 'global' ? ('userGlobal' as const) : ('userLocal' as const),
    })),
    keepReason: assign((_, params: { reason: SignedOutReason; failure: Failure }) => params),
    keepFailure: assign((_, params: { failure: Failure }) => params),
    forget: assign({ token: undefined }),
    announceStart: sendParent((_, params: { token: Token }) => {
      return { type: 'session.started', token: params.token } satisfies SessionReport
    }),
    announceEnd: sendParent(({ context }) => {
      return { type: 'session.ended', reason: context.reason } satisfies SessionReport
    }),
    settle: sendParent(
      (
        { context },
        params: { attempt?: string; user?: ChartroomUser; unconfirmed?: boolean; failure?: Failure },
      ) =>
        ({
          type: 'auth.settled',
          ...params,
          attempt: params.attempt ?? context.attempt,
        }) satisfies SessionReport,
    ),
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({
    timings: input.timings,
    token: undefined,
    reason: 'never',
    failure: undefined,
    attempt: '',
    scope: 'local',
  }),
  initial: 'booting',
  on: {
    'session.signIn': {
      description: 'There is a session, or one is ending.',
      actions: {
        type: 'settle',
        params: ({ event }) => ({ attempt: event.attempt, failure: alreadySignedIn }),
      },
    },
    'session.signOut': {
      description: 'There is nothing to end: that is what was asked for.',
      actions: { type: 'settle', params: ({ event }) => ({ attempt: event.attempt }) },
    },
  },
  states: {
    booting: {
      description: 'Reading the session kept from an earlier run.',
      invoke: { id: 'readSession', src: 'readSession' },
      on: {
        'stored.found': {
          target: 'authenticated',
          actions: [
            { type: 'keepToken', params: ({ event }) => event },
            { type: 'announceStart', params: ({ event }) => event },
          ],
        },
        'stored.none': 'signedOut',
        'stored.corrupt': { target: 'signedOut', actions: keepCorrupt },
        'port.broken': { target: 'signedOut', actions: keepCorrupt },
        'session.signIn': { target: 'authenticating', actions: keepAttempt },
        'session.signOut': {
          target: 'signingOut',
          actions: { type: 'keepScope', params: ({ event }) => event },
        },
      },
    },
    signedOut: {
      entry: ['forget', 'announceEnd'],
      on: {
        'session.signIn': { target: 'authenticating', actions: keepAttempt },
      },
    },
    authenticating: {
      invoke: {
        id: 'authenticate',
        src: 'authenticate',
        input: ({ context }) => ({ attempt: context.attempt }),
      },
      after: { authTimeout: { target: 'signedOut', actions: signInTimedOut } },
      on: {
        'auth.succeeded': {
          target: 'authenticated',
          actions: [
            { type: 'keepToken', params: ({ event }) => event },
            { type: 'announceStart', params: ({ event }) => event },
            { type: 'settle', params: ({ event }) => ({ user: event.token.user }) },
          ],
        },
        'auth.unconfirmed': {
          target: 'signedOut',
          actions: { type: 'settle', params: ({ event }) => ({ user: event.user, unconfirmed: true }) },
        },
        'auth.failed': { target: 'signedOut', actions: [settleFailed, keepFailed] },
        'port.broken': { target: 'signedOut', actions: [settleFailed, keepFailed] },
        'session.signOut': {
          target: 'signedOut',
          actions: [
            { type: 'settle', params: { failure: givenUp } },
            { type: 'settle', params: ({ event }) => ({ attempt: event.attempt }) },
          ],
        },
      },
    },
    authenticated: {
      type: 'parallel',
      states: {
        token: {
          initial: 'fresh',
          on: {
            'token.due': '.due',
            'token.refreshing': '.refreshing',
            'token.delayed': { target: '.delayed', actions: keepFailed },
            'token.expired': '.expired',
          },
          states: {
            fresh: {},
            due: {},
            refreshing: {},
            delayed: {
              description: 'The last refresh failed; the token still lives and another try is set.',
            },
            expired: { description: 'No live token, but the session is kept: only the server can end it.' },
          },
        },
        assurance: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: 'isHighAssurance', target: 'aal2' }, { target: 'aal1' }] },
            aal1: {},
            aal2: {},
          },
        },
      },
      on: {
        'token.rotated': {
          target: 'authenticated',
          reenter: true,
          actions: { type: 'keepToken', params: ({ event }) => event },
        },
        'token.refused': {
          target: 'ending',
          actions: { type: 'keepReason', params: ({ event }) => event },
        },
        'session.signOut': {
          target: 'signingOut',
          actions: { type: 'keepScope', params: ({ event }) => event },
        },
      },
    },
    ending: {
      description: 'The server ended the session; what is stored of it goes.',
      invoke: { id: 'removeSession', src: 'removeSession' },
      on: { 'stored.removed': 'signedOut', 'port.broken': 'signedOut' },
    },
    signingOut: {
      initial: 'removingLocal',
      states: {
        removingLocal: {
          invoke: { id: 'removeSession', src: 'removeSession' },
          on: { 'stored.removed': 'revoking', 'port.broken': 'revoking' },
        },
        revoking: {
          invoke: {
            id: 'revoke',
            src: 'revoke',
            input: ({ context }) => ({ tokenId: context.token?.id ?? '', scope: context.scope }),
          },
        },
      },
      after: {
        authTimeout: {
          target: 'signedOut',
          actions: { type: 'settle', params: { failure: timedOut('Telling the server') } },
        },
      },
      on: {
        'revoke.succeeded': { target: 'signedOut', actions: { type: 'settle', params: {} } },
        'revoke.failed': { target: 'signedOut', actions: settleFailed },
        'port.broken': { target: 'signedOut', actions: settleFailed },
      },
    },
  },
})
