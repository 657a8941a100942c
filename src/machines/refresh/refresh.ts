// Decides when to refresh the token: scheduled checks, one attempt at a time, delays, and a breaker.
import { closedBreaker, type Step } from './schedule.ts'
import { checkInterval } from '../session/gate.ts'
import type { Failure } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import type { AttemptInput, AttemptOutcome } from './attempt.ts'
import { type RefreshContext, refreshSetup } from './setup.ts'

const tooMany: Failure = {
  kind: 'rateLimit',
  code: 'refresh_breaker_open',
  message: 'The session was refreshed too often in a short time. Try again in a minute.',
}

interface AttemptDone {
  readonly event: { readonly output: AttemptOutcome }
}

/** Input of a ticker, which reports the time immediately and then at this interval. */
const every = ({ context: { token, timings } }: { readonly context: RefreshContext }) => ({
  every: token ? checkInterval(token, timings) : timings.checkEvery,
})
const setTime = withEvent('setTime')
const setEnvironment = withEvent('setEnvironment')
const setToken = withEvent('setToken')
const applyOutcome = { type: 'applyOutcome', params: ({ event }: AttemptDone) => event.output } as const
const isNextStep = (step: Step) => ({ type: 'isNextStep', params: { step } }) as const
const isNotNextStep = (step: Step) => ({ type: 'isNotNextStep', params: { step } }) as const
const hasOutcome = (...kinds: readonly AttemptOutcome['kind'][]) =>
  ({
    type: 'hasOutcome',
    params: ({ event }: AttemptDone) => ({ outcome: event.output, kinds }),
  }) as const
const isKeyRefused = {
  type: 'isKeyRefused',
  params: ({ event }: AttemptDone) => event.output,
} as const
const isRateLimited = {
  type: 'isRateLimited',
  params: ({ event }: AttemptDone) => event.output,
} as const

/** The page or device is back. */
const waking = {
  'environment.changed': { guard: withEvent('isResumed'), target: 'wakeCheck', actions: setEnvironment },
  'environment.woke': 'wakeCheck',
} as const

/** One attempt, and what follows from its outcome. */
const attempting = (mode: AttemptInput['mode']) =>
  ({
    id: 'attempt',
    src: 'attempt',
    input: ({ context: { timings, token } }: { readonly context: RefreshContext }) => ({
      timings,
      token,
      mode,
    }),
    onDone: [
      { guard: hasOutcome('same'), target: 'checking' },
      {
        guard: hasOutcome('rotated', 'adopted'),
        target: '#active',
        reenter: true,
        actions: applyOutcome,
      },
      { guard: hasOutcome('refused'), target: 'refused', actions: applyOutcome },
      { guard: isKeyRefused, target: 'checking', actions: applyOutcome },
      { guard: isRateLimited, target: 'rateLimited', actions: applyOutcome },
      { target: 'backingOff', actions: applyOutcome },
    ],
  }) as const

export const refreshMachine = refreshSetup.createMachine({
  id: 'refresh',
  context: ({ input }) => ({
    ...input,
    automatic: true,
    keyRefused: false,
    token: undefined,
    at: 0,
    online: true,
    visible: true,
    frozen: false,
    wanted: false,
    requested: false,
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
    'environment.changed': { actions: setEnvironment },
    'tab.role': { actions: withEvent('setRole') },
    'realtime.wanted': { actions: withEvent('setWanted') },
    'refresh.automatic': { actions: withEvent('setAutomatic') },
    'key.changed': { actions: withEvent('setKeyRefused') },
    'session.ended': { target: '.idle', actions: 'clearToken' },
    'session.started': { target: '.active', actions: setToken },
  },
  states: {
    idle: { description: 'No session, nothing to refresh.' },
    active: {
      id: 'active',
      type: 'parallel',
      invoke: { id: 'ticker', src: 'ticker', input: every },
      on: {
        'clock.tick': { actions: setTime },
        'token.adopted': { target: 'active', reenter: true, actions: setToken },
      },
      states: {
        schedule: {
          initial: 'checking',
          on: { 'refresh.request': { actions: 'forceRefresh' } },
          states: {
            checking: {
              id: 'checking',
              description: 'Decides what to do from the current facts.',
              always: [
                { guard: isNextStep('frozen'), target: 'paused.frozen' },
                { guard: isNextStep('offline'), target: 'paused.offline' },
                { guard: isNextStep('keyRefused'), target: 'paused.keyRefused' },
                { guard: isNextStep('hidden'), target: 'paused.hidden' },
                { guard: isNextStep('manual'), target: 'paused.manual' },
                { guard: isNextStep('follower'), target: 'paused.follower' },
                { guard: isNextStep('breakerOpen'), target: 'breakerOpen' },
                {
                  guard: isNextStep('inFlight'),
                  target: 'inFlight',
                  actions: { type: 'notifyParent', params: { type: 'token.due' } },
                },
                { target: 'waiting' },
              ],
            },
            waiting: {
              description: 'The token is fresh; each tick is a check.',
              always: { guard: isNotNextStep('waiting'), target: 'checking' },
              on: waking,
            },
            paused: {
              description: 'Refreshing is paused for one of these reasons.',
              on: waking,
              initial: 'frozen',
              states: {
                frozen: {
                  description: 'The page is frozen and runs no code.',
                  always: { guard: isNotNextStep('frozen'), target: '#checking' },
                },
                offline: {
                  description: 'No refresh can succeed; the session is kept.',
                  always: { guard: isNotNextStep('offline'), target: '#checking' },
                },
                keyRefused: {
                  description:
                    'The auth server refuses the API key, and would refuse a refresh, too; the session is kept.',
                  always: { guard: isNotNextStep('keyRefused'), target: '#checking' },
                },
                hidden: {
                  description: 'The page is hidden and nothing waits for a token: it may expire.',
                  always: { guard: isNotNextStep('hidden'), target: '#checking' },
                },
                manual: {
                  description: 'The app turned automatic refreshes off, and nothing waits for a token.',
                  always: { guard: isNotNextStep('manual'), target: '#checking' },
                },
                follower: {
                  description: 'Another tab refreshes; this tab does if that is overdue.',
                  always: { guard: isNotNextStep('follower'), target: '#checking' },
                },
              },
            },
            wakeCheck: {
              description: 'The page or device is back: check for changes by other tabs, and the time.',
              always: { guard: 'isFrozen', target: 'paused.frozen' },
              invoke: [{ id: 'now', src: 'ticker', input: every }, attempting('check')],
            },
            inFlight: {
              description: 'One attempt is running; further refresh requests join it.',
              entry: { type: 'notifyParent', params: { type: 'token.refreshing' } },
              always: { guard: 'isFrozen', target: 'paused.frozen' },
              invoke: [{ id: 'now', src: 'ticker', input: every }, attempting('refresh')],
            },
            backingOff: {
              description: 'The last attempt failed; the session is kept and the next attempt is scheduled.',
              entry: { type: 'notifyDelayed', params: {} },
              always: { guard: 'isPaused', target: 'checking' },
              invoke: { id: 'now', src: 'ticker', input: every },
              after: { retryDelay: 'checking' },
              on: {
                ...waking,
                'clock.tick': { actions: [setTime, withEvent('setRetryTime')] },
                'refresh.request': { target: 'checking', actions: 'forceRefresh' },
              },
            },
            rateLimited: {
              description: 'The server limits the rate; its delay is not shortened.',
              entry: { type: 'notifyDelayed', params: {} },
              invoke: { id: 'now', src: 'ticker', input: every },
              after: { retryDelay: 'checking' },
              on: {
                'clock.tick': { actions: [setTime, withEvent('setRetryTime')] },
              },
            },
            breakerOpen: {
              description: 'The breaker is open: too many refreshes in a short time.',
              entry: { type: 'notifyDelayed', params: { failure: tooMany } },
              always: { guard: isNotNextStep('breakerOpen'), target: 'checking' },
            },
            refused: { description: 'The server ended the session; the client reports it.' },
          },
        },
        expiry: {
          description: 'Whether the token is live.',
          initial: 'live',
          // Whatever the schedule does, a token that expired during sleep is not used again.
          on: { 'environment.woke': { actions: setTime } },
          states: {
            live: {
              after: { untilExpiry: { guard: 'isExpiryNear', actions: 'setExpired' } },
              always: { guard: 'isExpired', target: 'expired' },
            },
            expired: {
              entry: { type: 'notifyParent', params: { type: 'token.expired', offline: false } },
              always: { guard: 'isOffline', target: 'offlineExpired' },
            },
            offlineExpired: {
              entry: { type: 'notifyParent', params: { type: 'token.expired', offline: true } },
              always: { guard: 'isOnline', target: 'expired' },
            },
          },
        },
        demand: {
          description: 'Whether something in this tab waits for a token.',
          initial: 'none',
          states: {
            none: {},
            requested: {
              entry: { type: 'setRequested', params: { requested: true } },
              exit: { type: 'setRequested', params: { requested: false } },
              after: { tokenTimeout: 'none' },
            },
          },
          on: { 'token.needed': '.requested', 'refresh.request': '.requested' },
        },
      },
    },
  },
})
