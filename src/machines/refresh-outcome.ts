// What follows from a refresh attempt: new facts, and the events sent to the client.
import { planRetry } from './backoff.ts'
import { spend, type Breaker } from './breaker.ts'
import { isDue, isExpired, type Token } from './expiry.ts'
import type { Failure } from './failure.ts'
import type { AttemptOutcome } from './refresh-attempt.ts'
import type { ScheduleFacts } from './refresh-schedule.ts'
import type { RefreshReport, TokenEvent } from './session-events.ts'

export interface RefreshContext extends ScheduleFacts {
  /** Failed attempts in a row. */
  readonly attempt: number
  /** Milliseconds until the next attempt, in `backoff` and `rateLimited`. */
  readonly delay: number
  /** When that delay ends. */
  readonly retryAt: number | undefined
  readonly failure: Failure | undefined
  readonly seed: number
}

export type News = TokenEvent | RefreshReport

export interface Consequences {
  readonly facts: Partial<RefreshContext>
  readonly news: readonly News[]
}

/** Another tab replaced or removed the session. */
export const changedElsewhere: Failure = {
  kind: 'conflict',
  message: 'Another tab changed the stored session.',
}

/** Sets the current token and clears earlier failures. */
export const holding = (token: Token | undefined): Partial<RefreshContext> => ({
  token,
  ...(token && { at: token.heldSince }),
  attempt: 0,
  failure: undefined,
  forced: false,
})

/** The breaker's change, and the event that reports it. */
export const switched = (context: RefreshContext, breaker: Breaker): Consequences => {
  const { token, at } = context
  const isSame = (context.breaker.state === 'open') === (breaker.state === 'open')
  const opened = { type: 'breaker.opened', live: token !== undefined && !isExpired(token, at) } as const
  const word: News = breaker.state === 'open' ? opened : { type: 'breaker.closed' }
  return { facts: { breaker }, news: isSame ? [] : [word] }
}

export function consequences(context: RefreshContext, outcome: AttemptOutcome): Consequences {
  switch (outcome.kind) {
    case 'same':
      return { facts: {}, news: [] }
    case 'adopted':
      return {
        facts: holding(outcome.token),
        news: [{ type: 'token.rotated', token: outcome.token, adopted: true }],
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
      return { facts: {}, news: [{ type: 'token.refused', reason, failure }] }
    }
  }
}

function rotated(context: RefreshContext, token: Token): Consequences {
  const isOrdinary = context.token !== undefined && isDue(context.token, context.at, context.timings)
  const breaker = isOrdinary ? context.breaker : spend(context.breaker, context.at, context.timings)
  const { facts, news } = switched(context, breaker)
  return { facts: { ...facts, ...holding(token) }, news: [...news, { type: 'token.rotated', token }] }
}

function failed(context: RefreshContext, failure: Failure, before: readonly News[]): Consequences {
  const { attempt, seed, timings, at } = context
  const { backoffMin: min, backoffMax: max } = timings
  const plan = planRetry({ attempt: attempt + 1, seed, min, max, retryAfter: failure.retryAfter })
  const { facts, news } = switched(context, spend(context.breaker, at, timings))
  return {
    facts: { ...facts, ...plan, failure, retryAt: undefined },
    news: [...before, ...news],
  }
}
