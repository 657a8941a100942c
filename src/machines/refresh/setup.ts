// The context, events, guards and actions of the refresh machine, and the effects of an attempt; its states are
// in refresh.ts.
import { assign, enqueueActions, sendParent, setup } from 'xstate'
import {
  advance,
  isResumed,
  nextStep,
  type EnvironmentState,
  type Step,
  type TabRole,
  countAttempt,
  type Breaker,
  type ScheduleFacts,
} from './schedule.ts'
import { isExpired, type Token, isDue } from '../session/gate.ts'
import { timedOut, type Failure, type KeyRefusal } from '../failure.ts'
import { ticker, type EnvironmentEvent, type TickEvent } from '../ports.ts'
import { refreshAttemptMachine, type AttemptOutcome } from './attempt.ts'
import { EXPIRY_TIMER_SPAN, type Timings } from '../timings.ts'
import type { KeyChanged, KeyReport } from '../api-key.ts'
import { planRetry } from '../backoff.ts'
import type { RefreshReport, TokenEvent } from '../session/setup.ts'

export interface RefreshContext extends ScheduleFacts {
  /** Failed attempts in a row. */
  readonly attempt: number
  /** Milliseconds until the next attempt, in `backingOff` and `rateLimited`. */
  readonly delay: number
  /** When that delay ends. */
  readonly retryAt: number | undefined
  readonly failure: Failure | undefined
  readonly seed: number
}

/** Events to the client. */
export type RefreshNotification = TokenEvent | RefreshReport | KeyReport

export interface OutcomeEffects {
  readonly changes: Partial<RefreshContext>
  readonly notifications: readonly RefreshNotification[]
}

/** Another tab replaced or removed the session. */
export const changedElsewhere: Failure = {
  kind: 'conflict',
  message: 'Another tab changed the stored session.',
}

/** Sets the current token and clears earlier failures. */
const withToken = (token: Token | undefined): Partial<RefreshContext> => ({
  token,
  ...(token && { at: token.heldSince }),
  attempt: 0,
  failure: undefined,
  forced: false,
})

/** The breaker's change, and the event that reports it. */
const breakerChange = (context: RefreshContext, breaker: Breaker): OutcomeEffects => {
  const { token, at } = context
  const isSame = (context.breaker.state === 'open') === (breaker.state === 'open')
  const opened = { type: 'breaker.opened', live: token !== undefined && !isExpired(token, at) } as const
  const notification: RefreshNotification = breaker.state === 'open' ? opened : { type: 'breaker.closed' }
  return { changes: { breaker }, notifications: isSame ? [] : [notification] }
}

function outcomeEffects(context: RefreshContext, outcome: AttemptOutcome): OutcomeEffects {
  switch (outcome.kind) {
    case 'same':
      return { changes: {}, notifications: [] }
    case 'adopted':
      return {
        changes: withToken(outcome.token),
        notifications: [{ type: 'token.rotated', token: outcome.token, adopted: true }],
      }
    case 'rotated':
      return rotated(context, outcome.token)
    case 'foreign':
      return failed(context, changedElsewhere, [
        { type: 'stored.changed', by: 'storage', what: outcome.what },
      ])
    case 'failed':
      return outcome.failure.kind === 'apiKey'
        ? keyRefused(context, outcome.failure)
        : failed(context, outcome.failure, [])
    case 'refused': {
      const { reason, failure } = outcome
      return { changes: {}, notifications: [{ type: 'token.refused', reason, failure }] }
    }
  }
}

function rotated(context: RefreshContext, token: Token): OutcomeEffects {
  const isOrdinary = context.token !== undefined && isDue(context.token, context.at, context.timings)
  const breaker = isOrdinary ? context.breaker : countAttempt(context.breaker, context.at, context.timings)
  const { changes, notifications } = breakerChange(context, breaker)
  return {
    changes: { ...changes, ...withToken(token) },
    notifications: [...notifications, { type: 'token.rotated', token }],
  }
}

/** Neither the token nor the session is at fault: no attempt counts, and none follows until the key is accepted. */
function keyRefused({ token, at }: RefreshContext, { code }: Failure): OutcomeEffects {
  const isOver = token === undefined || isExpired(token, at)
  return {
    changes: { keyRefused: true, attempt: 0, failure: undefined },
    notifications: [
      isOver ? { type: 'token.expired', offline: false } : { type: 'token.due' },
      { type: 'key.refused', family: 'auth', refusal: code as KeyRefusal },
    ],
  }
}

function failed(
  context: RefreshContext,
  failure: Failure,
  before: readonly RefreshNotification[],
): OutcomeEffects {
  const { attempt, seed, timings, at } = context
  const { backoffMin: min, backoffMax: max } = timings
  const plan = planRetry({ attempt: attempt + 1, seed, min, max, retryAfter: failure.retryAfter })
  const { changes, notifications } = breakerChange(context, countAttempt(context.breaker, at, timings))
  return {
    changes: { ...changes, ...plan, failure, retryAt: undefined },
    notifications: [...before, ...notifications],
  }
}

export type RefreshCommand =
  | { readonly type: 'session.started'; readonly token: Token }
  | { readonly type: 'session.ended' }
  /** The app requests it, or a request got a 401 despite a live token. */
  | { readonly type: 'refresh.request' }
  /** The session adopted a token that another tab stored. */
  | { readonly type: 'token.adopted'; readonly token: Token }
  /** A request waits for a live token. */
  | { readonly type: 'token.needed' }
  | { readonly type: 'tab.role'; readonly role: TabRole }
  | { readonly type: 'realtime.wanted'; readonly wanted: boolean }
  | KeyChanged
  /** Whether tokens are refreshed without being asked. */
  | { readonly type: 'refresh.automatic'; readonly automatic: boolean }

export const refreshSetup = setup({
  types: {
    context: {} as RefreshContext,
    events: {} as RefreshCommand | TickEvent | EnvironmentEvent,
    input: {} as { timings: Timings; seed: number },
  },
  actors: { attempt: refreshAttemptMachine, ticker },
  delays: {
    retryDelay: ({ context }) => context.delay,
    tokenTimeout: ({ context }) => context.timings.tokenTimeout,
    untilExpiry: ({ context }) => Math.max(0, (context.token?.expiresAt ?? 0) - context.at),
  },
  guards: {
    isNextStep: ({ context }, { step }: { step: Step }) => nextStep(context) === step,
    isNotNextStep: ({ context }, { step }: { step: Step }) => nextStep(context) !== step,
    isFrozen: ({ context }) => context.frozen,
    isPaused: ({ context }) =>
      ['frozen', 'offline', 'keyRefused', 'hidden', 'manual'].includes(nextStep(context)),
    isResumed: ({ context }, now: EnvironmentState) => isResumed(context, now),
    isOnline: ({ context }) => context.online,
    isOffline: ({ context }) => !context.online,
    isExpiryNear: ({ context: { token, at } }) =>
      token !== undefined && token.expiresAt - at < EXPIRY_TIMER_SPAN,
    isExpired: ({ context }) => context.token !== undefined && isExpired(context.token, context.at),
    hasOutcome: (_, { outcome, kinds }: { outcome: AttemptOutcome; kinds: readonly string[] }) =>
      kinds.includes(outcome.kind),
    isKeyRefused: (_, outcome: AttemptOutcome) =>
      outcome.kind === 'failed' && outcome.failure.kind === 'apiKey',
    isRateLimited: (_, outcome: AttemptOutcome) =>
      outcome.kind === 'failed' && outcome.failure.kind === 'rateLimit',
  },
  actions: {
    setToken: assign((_, { token }: { token: Token }) => withToken(token)),
    clearToken: assign(withToken(undefined)),
    setEnvironment: assign((_, { online, visible, frozen = false }: EnvironmentState) => {
      return { online, visible, frozen }
    }),
    setRole: assign((_, { role }: { role: TabRole }) => ({ role })),
    setKeyRefused: assign((_, { refused }: Pick<KeyChanged, 'refused'>) => ({
      keyRefused: refused.auth !== undefined,
    })),
    setAutomatic: assign((_, { automatic }: { automatic: boolean }) => ({ automatic })),
    setWanted: assign((_, { wanted }: { wanted: boolean }) => ({ wanted })),
    setRequested: assign((_, { requested }: { requested: boolean }) => ({ requested })),
    forceRefresh: assign({ forced: true }),
    setRetryTime: assign(({ context }, { at }: { at: number }) => ({
      retryAt: context.retryAt ?? at + context.delay,
    })),
    setTime: enqueueActions(({ context, enqueue }, { at }: { at: number }) => {
      const { changes, notifications } = breakerChange(context, advance(context.breaker, at, context.timings))
      enqueue.assign({ ...changes, at })
      for (const event of notifications) enqueue.sendParent(event)
    }),
    setExpired: assign(({ context }) => ({ at: Math.max(context.at, context.token?.expiresAt ?? 0) })),
    applyOutcome: enqueueActions(({ context, enqueue }, outcome: AttemptOutcome) => {
      const { changes, notifications } = outcomeEffects(context, outcome)
      enqueue.assign(changes)
      for (const event of notifications) enqueue.sendParent(event)
    }),
    notifyParent: sendParent((_, notification: RefreshNotification) => notification),
    notifyDelayed: sendParent(({ context }, params: { failure?: Failure }) => {
      const failure = params.failure ?? context.failure ?? timedOut('Refreshing the session')
      return { type: 'token.delayed', failure } satisfies RefreshNotification
    }),
  },
})
