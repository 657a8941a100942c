// The context, events, guards and actions of the refresh machine; its states are in refresh.ts.
import { assign, enqueueActions, sendParent, setup } from 'xstate'
import { advance } from './breaker.ts'
import { isExpired, type Token } from '../session/expiry.ts'
import { timedOut, type Failure } from '../failure.ts'
import { ticker, type EnvironmentEvent, type TickEvent } from '../ports.ts'
import { refreshAttemptMachine, type AttemptOutcome } from './attempt.ts'
import {
  breakerChange,
  outcomeEffects,
  withToken,
  type RefreshContext,
  type RefreshNotification,
} from './outcome.ts'
import { isResumed, nextStep, type EnvironmentState, type Step, type TabRole } from './schedule.ts'
import { EXPIRY_TIMER_SPAN, type Timings } from '../timings.ts'

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
    isPaused: ({ context }) => ['frozen', 'offline', 'hidden'].includes(nextStep(context)),
    isResumed: ({ context }, now: EnvironmentState) => isResumed(context, now),
    isOnline: ({ context }) => context.online,
    isOffline: ({ context }) => !context.online,
    isExpiryNear: ({ context: { token, at } }) =>
      token !== undefined && token.expiresAt - at < EXPIRY_TIMER_SPAN,
    isExpired: ({ context }) => context.token !== undefined && isExpired(context.token, context.at),
    hasOutcome: (_, { outcome, kinds }: { outcome: AttemptOutcome; kinds: readonly string[] }) =>
      kinds.includes(outcome.kind),
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
