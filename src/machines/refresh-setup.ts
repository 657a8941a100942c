// The context, events, guards and actions of the refresh machine; its states are in refresh.ts.
import { assign, enqueueActions, sendParent, setup } from 'xstate'
import { cool } from './breaker.ts'
import { isExpired, type Token } from './expiry.ts'
import { timedOut, type Failure } from './failure.ts'
import { ticker, type EnvironmentEvent, type TickEvent } from './ports.ts'
import { refreshAttemptMachine, type AttemptOutcome } from './refresh-attempt.ts'
import { consequences, holding, switched, type News, type RefreshContext } from './refresh-outcome.ts'
import { isBetter, nextStep, type Step, type Surroundings, type TabRole } from './refresh-schedule.ts'
import type { Timings } from './timings.ts'

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

/** Longer than any pause between two ticks of a running page. */
const LAST_STRETCH = 600_000

export const refreshSetup = setup({
  types: {
    context: {} as RefreshContext,
    events: {} as RefreshCommand | TickEvent | EnvironmentEvent,
    input: {} as { timings: Timings; seed: number },
    tags: {} as 'paused',
  },
  actors: { attempt: refreshAttemptMachine, ticker },
  delays: {
    pause: ({ context }) => context.delay,
    breakerPause: ({ context }) => context.timings.breakerPause,
    tokenTimeout: ({ context }) => context.timings.tokenTimeout,
    untilExpiry: ({ context }) => Math.max(0, (context.token?.expiresAt ?? 0) - context.at),
  },
  guards: {
    is: ({ context }, { step }: { step: Step }) => nextStep(context) === step,
    isNot: ({ context }, { step }: { step: Step }) => nextStep(context) !== step,
    isFrozen: ({ context }) => context.frozen,
    isStopped: ({ context }) => ['frozen', 'offline', 'hidden'].includes(nextStep(context)),
    isBetter: ({ context }, now: Surroundings) => isBetter(context, now),
    isOnline: ({ context }) => context.online,
    isOffline: ({ context }) => !context.online,
    /** Timers are limited to some weeks; until then, ticks detect the expiry. */
    isEnding: ({ context: { token, at } }) => token !== undefined && token.expiresAt - at < LAST_STRETCH,
    isExpired: ({ context }) => context.token !== undefined && isExpired(context.token, context.at),
    came: (_, { outcome, kinds }: { outcome: AttemptOutcome; kinds: readonly string[] }) =>
      kinds.includes(outcome.kind),
    isRateLimited: (_, outcome: AttemptOutcome) =>
      outcome.kind === 'failed' && outcome.failure.kind === 'rateLimit',
  },
  actions: {
    keepToken: assign((_, { token }: { token: Token }) => holding(token)),
    forget: assign(holding(undefined)),
    keepEnvironment: assign((_, { online, visible, frozen = false }: Surroundings) => {
      return { online, visible, frozen }
    }),
    keepRole: assign((_, { role }: { role: TabRole }) => ({ role })),
    keepWanted: assign((_, { wanted }: { wanted: boolean }) => ({ wanted })),
    keepAsked: assign((_, { asked }: { asked: boolean }) => ({ asked })),
    force: assign({ forced: true }),
    keepRetry: assign(({ context }, { at }: { at: number }) => ({
      retryAt: context.retryAt ?? at + context.delay,
    })),
    keepTime: enqueueActions(({ context, enqueue }, { at }: { at: number }) => {
      const { facts, news } = switched(context, cool(context.breaker, at, context.timings))
      enqueue.assign({ ...facts, at })
      for (const item of news) enqueue.sendParent(item)
    }),
    outlive: assign(({ context }) => ({ at: Math.max(context.at, context.token?.expiresAt ?? 0) })),
    settle: enqueueActions(({ context, enqueue }, outcome: AttemptOutcome) => {
      const { facts, news } = consequences(context, outcome)
      enqueue.assign(facts)
      for (const item of news) enqueue.sendParent(item)
    }),
    tell: sendParent((_, news: News) => news),
    tellDelayed: sendParent(({ context }, { failure }: { failure?: Failure }) => {
      const told = failure ?? context.failure ?? timedOut('Refreshing the session')
      return { type: 'token.delayed', failure: told } satisfies News
    }),
  },
})
