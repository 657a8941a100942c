// When to refresh the token: checks on a schedule, one attempt at a time, pauses after failures and offline.
import { assign, sendParent, setup } from 'xstate'
import { backoff, pause } from './backoff.ts'
import { checkInterval, isDue, isExpired, type Token } from './expiry.ts'
import { terminalReason, timedOut, type Failure } from './failure.ts'
import {
  refreshToken,
  ticker,
  type EnvironmentEvent,
  type RefreshTokenEvent,
  type TickEvent,
} from './ports.ts'
import type { TokenNews } from './session-events.ts'
import type { Timings } from './timings.ts'

export type RefreshCommand =
  | { readonly type: 'session.started'; readonly token: Token }
  | { readonly type: 'session.ended' }
  /** The app asks, or a request was answered with 401 in spite of a live token. */
  | { readonly type: 'refresh.request' }

export interface RefreshContext {
  readonly timings: Timings
  readonly token: Token | undefined
  readonly attempt: number
  /** Milliseconds until the next attempt, in `backoff`. */
  readonly delay: number
  readonly failure: Failure | undefined
  readonly seed: number
  readonly online: boolean
  /** The time as last said by the ticker or by a new token. */
  readonly at: number
}

export const refreshMachine = setup({
  types: {
    context: {} as RefreshContext,
    events: {} as RefreshCommand | TickEvent | EnvironmentEvent | RefreshTokenEvent,
    input: {} as { timings: Timings; seed: number },
  },
  actors: { refreshToken, ticker },
  delays: {
    authTimeout: ({ context }) => context.timings.authTimeout,
    pause: ({ context }) => context.delay,
    untilExpiry: ({ context }) => Math.max(0, (context.token?.expiresAt ?? 0) - context.at),
  },
  guards: {
    isDue: ({ context }, params: { at: number }) =>
      context.token !== undefined && isDue(context.token, params.at, context.timings),
    isExpired: ({ context }, params: { at: number }) =>
      context.token !== undefined && isExpired(context.token, params.at),
    isOffline: ({ context }) => !context.online,
    isTerminal: (_, params: { failure: Failure }) => terminalReason(params.failure) !== undefined,
    isRateLimited: (_, params: { failure: Failure }) => params.failure.kind === 'rateLimit',
  },
  actions: {
    keepToken: assign((_, params: { token: Token }) => ({
      token: params.token,
      at: params.token.heldSince,
      attempt: 0,
      delay: 0,
      failure: undefined,
    })),
    forget: assign({ token: undefined, attempt: 0, delay: 0, failure: undefined }),
    keepTime: assign((_, params: { at: number }) => ({ at: params.at })),
    keepOnline: assign((_, params: { online: boolean }) => ({ online: params.online })),
    delay: assign(({ context }, params: { failure: Failure }) => {
      const { backoffMin, backoffMax } = context.timings
      const wanted = backoff(context.attempt + 1, context.seed, backoffMin, backoffMax)
      return { ...pause(wanted, params.failure.retryAfter), failure: params.failure }
    }),
    tell: sendParent((_, news: TokenNews) => news),
    tellDelayed: sendParent(({ context }) => {
      const failure = context.failure ?? timedOut('Refreshing the session')
      return { type: 'token.delayed', failure } satisfies TokenNews
    }),
    tellRefused: sendParent((_, params: { failure: Failure }) => {
      const reason = terminalReason(params.failure) ?? 'remoteRevoked'
      return { type: 'token.refused', reason, failure: params.failure } satisfies TokenNews
    }),
  },
}).createMachine({
  id: 'refresh',
  context: ({ input }) => ({
    timings: input.timings,
    token: undefined,
    attempt: 0,
    delay: 0,
    failure: undefined,
    seed: input.seed,
    online: true,
    at: 0,
  }),
  initial: 'idle',
  on: {
    'environment.changed': { actions: { type: 'keepOnline', params: ({ event }) => event } },
    'session.ended': { target: '.idle', actions: 'forget' },
    'session.started': { target: '.active', actions: { type: 'keepToken', params: ({ event }) => event } },
  },
  states: {
    idle: { description: 'No session, nothing to refresh.' },
    active: {
      type: 'parallel',
      invoke: {
        id: 'ticker',
        src: 'ticker',
        input: ({ context }) => ({
          every: context.token ? checkInterval(context.token, context.timings) : context.timings.checkEvery,
        }),
      },
      states: {
        schedule: {
          initial: 'checking',
          states: {
            checking: {
              description: 'Looks at the time at once: a restored or long-slept token may be due already.',
              always: [
                { guard: 'isOffline', target: 'offline' },
                {
                  guard: { type: 'isDue', params: ({ context }) => ({ at: context.at }) },
                  target: 'inFlight',
                  actions: { type: 'tell', params: { type: 'token.due' } },
                },
                { target: 'waiting' },
              ],
            },
            waiting: {
              description: 'The token is fresh; the next check comes with the next tick.',
              on: {
                'clock.tick': {
                  target: 'checking',
                  actions: { type: 'keepTime', params: ({ event }) => event },
                },
                'refresh.request': 'inFlight',
                'environment.changed': {
                  target: 'checking',
                  actions: { type: 'keepOnline', params: ({ event }) => event },
                },
              },
            },
            inFlight: {
              description: 'The one refresh under way; whoever asks for another joins it.',
              entry: { type: 'tell', params: { type: 'token.refreshing' } },
              invoke: {
                id: 'refreshToken',
                src: 'refreshToken',
                input: ({ context }) => ({ tokenId: context.token?.id ?? '' }),
              },
              after: {
                authTimeout: {
                  target: 'backoff',
                  actions: { type: 'delay', params: { failure: timedOut('Refreshing the session') } },
                },
              },
              on: {
                'refresh.failed': [
                  {
                    guard: { type: 'isTerminal', params: ({ event }) => event },
                    target: 'refused',
                    actions: { type: 'tellRefused', params: ({ event }) => event },
                  },
                  {
                    guard: { type: 'isRateLimited', params: ({ event }) => event },
                    target: 'rateLimited',
                    actions: { type: 'delay', params: ({ event }) => event },
                  },
                  { target: 'backoff', actions: { type: 'delay', params: ({ event }) => event } },
                ],
                'port.broken': {
                  target: 'backoff',
                  actions: { type: 'delay', params: ({ event }) => event },
                },
              },
            },
            backoff: {
              description: 'The last attempt failed; the session is kept.',
              entry: 'tellDelayed',
              after: { pause: 'inFlight' },
              on: {
                'refresh.request': 'inFlight',
                'environment.changed': {
                  target: 'checking',
                  actions: { type: 'keepOnline', params: ({ event }) => event },
                },
              },
            },
            rateLimited: {
              description: 'The server asked for patience; nobody may cut it short.',
              entry: 'tellDelayed',
              after: { pause: 'inFlight' },
            },
            offline: {
              description: 'Nothing can succeed now; the session is kept.',
              on: {
                'environment.changed': {
                  target: 'checking',
                  actions: { type: 'keepOnline', params: ({ event }) => event },
                },
              },
            },
            refused: { description: 'The server ended the session; the client will say so.' },
          },
        },
        life: {
          initial: 'deciding',
          states: {
            deciding: {
              always: [
                {
                  guard: { type: 'isExpired', params: ({ context }) => ({ at: context.at }) },
                  target: 'expired',
                },
                { target: 'live' },
              ],
            },
            live: {
              after: { untilExpiry: 'expired' },
              on: {
                'clock.tick': {
                  guard: { type: 'isExpired', params: ({ event }) => event },
                  target: 'expired',
                  actions: { type: 'keepTime', params: ({ event }) => event },
                },
              },
            },
            expired: { entry: { type: 'tell', params: { type: 'token.expired' } } },
          },
        },
      },
      on: {
        'clock.tick': { actions: { type: 'keepTime', params: ({ event }) => event } },
        'refresh.succeeded': {
          target: 'active',
          reenter: true,
          actions: [
            { type: 'keepToken', params: ({ event }) => event },
            { type: 'tell', params: ({ event }) => ({ type: 'token.rotated', token: event.token }) },
          ],
        },
      },
    },
  },
})
