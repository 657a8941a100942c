// The effects of a refresh attempt: changes of the context, and events for the client.
import { planRetry } from '../backoff.ts'
import { countAttempt, type Breaker } from './breaker.ts'
import { isDue, isExpired, type Token } from '../session/expiry.ts'
import type { Failure } from '../failure.ts'
import type { AttemptOutcome } from './attempt.ts'
import type { ScheduleFacts } from './schedule.ts'
import type { RefreshReport, TokenEvent } from '../session/events.ts'

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
export type RefreshNotification = TokenEvent | RefreshReport

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
export const withToken = (token: Token | undefined): Partial<RefreshContext> => ({
  token,
  ...(token && { at: token.heldSince }),
  attempt: 0,
  failure: undefined,
  forced: false,
})

/** The breaker's change, and the event that reports it. */
export const breakerChange = (context: RefreshContext, breaker: Breaker): OutcomeEffects => {
  const { token, at } = context
  const isSame = (context.breaker.state === 'open') === (breaker.state === 'open')
  const opened = { type: 'breaker.opened', live: token !== undefined && !isExpired(token, at) } as const
  const notification: RefreshNotification = breaker.state === 'open' ? opened : { type: 'breaker.closed' }
  return { changes: { breaker }, notifications: isSame ? [] : [notification] }
}

export function outcomeEffects(context: RefreshContext, outcome: AttemptOutcome): OutcomeEffects {
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
      return failed(context, outcome.failure, [])
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
