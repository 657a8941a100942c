// Decides when to refresh the token: scheduled checks, one attempt at a time, delays, and a breaker.
import { closedBreaker } from './breaker.ts'
import { checkInterval } from './expiry.ts'
import type { Failure } from './failure.ts'
import { eventParams } from './event-params.ts'
import type { AttemptOutcome } from './refresh-attempt.ts'
import type { RefreshContext } from './refresh-outcome.ts'
import type { Step } from './refresh-schedule.ts'
import { refreshSetup } from './refresh-setup.ts'

const tooMany: Failure = {
  kind: 'rateLimit',
  code: 'refresh_breaker_open',
  message: 'The session was refreshed too often in a short time. Try again in a minute.',
}

interface Done {
  readonly event: { readonly output: AttemptOutcome }
}
interface Given {
  readonly context: RefreshContext
}

const every = ({ context: { token, timings } }: Given) => ({
  every: token ? checkInterval(token, timings) : timings.checkEvery,
})
const keepTime = { type: 'keepTime', params: eventParams } as const
const keepEnvironment = { type: 'keepEnvironment', params: eventParams } as const
const keepToken = { type: 'keepToken', params: eventParams } as const
const is = (step: Step) => ({ type: 'is', params: { step } }) as const
const isNot = (step: Step) => ({ type: 'isNot', params: { step } }) as const
const came = (...kinds: readonly AttemptOutcome['kind'][]) =>
  ({ type: 'came', params: ({ event }: Done) => ({ outcome: event.output, kinds }) }) as const
const settle = { type: 'settle', params: ({ event }: Done) => event.output } as const

/** Transitions for states that can be interrupted to check for changes by other tabs. */
const wake = {
  'environment.changed': {
    guard: { type: 'isBetter', params: eventParams },
    target: 'wakeCheck',
    actions: keepEnvironment,
  },
  'environment.woke': 'wakeCheck',
} as const

/** Reports the time once, immediately. */
const now = { id: 'now', src: 'ticker', input: every } as const

const attempt = (mode: 'look' | 'ask') =>
  [
    now,
    {
      id: 'attempt',
      src: 'attempt',
      input: ({ context: { timings, token } }: Given) => ({ timings, token, mode }),
      onDone: [
        { guard: came('same'), target: 'checking' },
        { guard: came('rotated', 'adopted'), target: '#active', reenter: true, actions: settle },
        { guard: came('refused'), target: 'refused', actions: settle },
        {
          guard: { type: 'isRateLimited', params: ({ event }: Done) => event.output },
          target: 'rateLimited',
          actions: settle,
        },
        { target: 'backoff', actions: settle },
      ],
    },
  ] as const

const paused = (step: Step) =>
  ({
    tags: 'paused',
    always: { guard: isNot(step), target: 'checking' },
    on: wake,
  }) as const

export const refreshMachine = refreshSetup.createMachine({
  id: 'refresh',
  context: ({ input }) => ({
    ...input,
    token: undefined,
    at: 0,
    online: true,
    visible: true,
    frozen: false,
    wanted: false,
    asked: false,
    forced: false,
    role: 'electing',
    breaker: closedBreaker,
    attempt: 0,
    delay: 0,
    retryAt: undefined,
    failure: undefined,
  }),
  initial: 'idle',
  on: {
    'environment.changed': { actions: keepEnvironment },
    'tab.role': { actions: { type: 'keepRole', params: eventParams } },
    'realtime.wanted': { actions: { type: 'keepWanted', params: eventParams } },
    'session.ended': { target: '.idle', actions: 'forget' },
    'session.started': { target: '.active', actions: keepToken },
  },
  states: {
    idle: { description: 'No session, nothing to refresh.' },
    active: {
      id: 'active',
      type: 'parallel',
      invoke: { id: 'ticker', src: 'ticker', input: every },
      on: {
        'clock.tick': { actions: keepTime },
        'token.adopted': { target: 'active', reenter: true, actions: keepToken },
      },
      states: {
        schedule: {
          initial: 'checking',
          on: { 'refresh.request': { actions: 'force' } },
          states: {
            checking: {
              description: 'Decides what to do from the current facts.',
              always: [
                { guard: is('frozen'), target: 'frozen' },
                { guard: is('offline'), target: 'offline' },
                { guard: is('hidden'), target: 'hidden' },
                { guard: is('follower'), target: 'follower' },
                { guard: is('tripped'), target: 'tripped' },
                {
                  guard: is('inFlight'),
                  target: 'inFlight',
                  actions: { type: 'tell', params: { type: 'token.due' } },
                },
                { target: 'waiting' },
              ],
            },
            waiting: {
              description: 'The token is fresh; each tick is a check.',
              always: { guard: isNot('waiting'), target: 'checking' },
              on: wake,
            },
            frozen: { ...paused('frozen'), description: 'The page is frozen and runs no code.' },
            offline: { ...paused('offline'), description: 'No refresh can succeed; the session is kept.' },
            hidden: {
              ...paused('hidden'),
              description: 'The page is hidden and nothing waits for a token: it may expire.',
            },
            follower: {
              ...paused('follower'),
              description: 'Another tab refreshes; this tab does if that is overdue.',
            },
            wakeCheck: {
              description: 'The page or device is back: check for changes by other tabs, and the time.',
              always: { guard: 'isFrozen', target: 'frozen' },
              invoke: attempt('look'),
            },
            inFlight: {
              description: 'One attempt is running; further refresh requests join it.',
              entry: { type: 'tell', params: { type: 'token.refreshing' } },
              always: { guard: 'isFrozen', target: 'frozen' },
              invoke: attempt('ask'),
            },
            backoff: {
              description: 'The last attempt failed; the session is kept and the next attempt is scheduled.',
              entry: { type: 'tellDelayed', params: {} },
              always: { guard: 'isStopped', target: 'checking' },
              invoke: now,
              after: { pause: 'checking' },
              on: {
                ...wake,
                'clock.tick': { actions: [keepTime, { type: 'keepRetry', params: eventParams }] },
                'refresh.request': { target: 'checking', actions: 'force' },
              },
            },
            rateLimited: {
              description: 'The server limits the rate; its delay is not shortened.',
              entry: { type: 'tellDelayed', params: {} },
              invoke: now,
              after: { pause: 'checking' },
              on: {
                'clock.tick': { actions: [keepTime, { type: 'keepRetry', params: eventParams }] },
              },
            },
            tripped: {
              description: 'The breaker is open: too many refreshes in a short time.',
              entry: { type: 'tellDelayed', params: { failure: tooMany } },
              always: { guard: isNot('tripped'), target: 'checking' },
            },
            refused: { description: 'The server ended the session; the client reports it.' },
          },
        },
        life: {
          initial: 'live',
          states: {
            live: {
              after: { untilExpiry: { guard: 'isEnding', actions: 'outlive' } },
              always: { guard: 'isExpired', target: 'expired' },
            },
            expired: {
              entry: { type: 'tell', params: { type: 'token.expired', offline: false } },
              always: { guard: 'isOffline', target: 'offlineExpired' },
            },
            offlineExpired: {
              entry: { type: 'tell', params: { type: 'token.expired', offline: true } },
              always: { guard: 'isOnline', target: 'expired' },
            },
          },
        },
        demand: {
          description: 'Whether something in this tab waits for a token.',
          initial: 'none',
          states: {
            none: {},
            asked: {
              entry: { type: 'keepAsked', params: { asked: true } },
              exit: { type: 'keepAsked', params: { asked: false } },
              after: { tokenTimeout: 'none' },
            },
          },
          on: { 'token.needed': '.asked', 'refresh.request': '.asked' },
        },
      },
    },
  },
})
