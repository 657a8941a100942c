// The breaker: stops refreshes that follow each other too fast, then allows them again one at a time.
import type { Timings } from '../timings.ts'

/**
 * `closed`: attempts are allowed; `open`: blocked until `until`; `halfOpen`: one probe attempt is allowed.
 */
export interface Breaker {
  readonly state: 'closed' | 'open' | 'halfOpen'
  readonly until: number
  /** Times of the attempts that count. */
  readonly attempts: readonly number[]
}

export const closedBreaker: Breaker = { state: 'closed', until: 0, attempts: [] }

/** This many counted attempts open a half-open breaker again. */
const HALF_OPEN_LIMIT = 2

/** Counts an attempt that failed or came too early. */
export function countAttempt({ state, attempts }: Breaker, at: number, timings: Timings): Breaker {
  const { breakerLimit, breakerWindow, breakerPause } = timings
  const recent = [...attempts.filter(time => time > at - breakerWindow), at]
  const limit = state === 'halfOpen' ? HALF_OPEN_LIMIT : breakerLimit
  return recent.length >= limit
    ? { state: 'open', until: at + breakerPause, attempts: [] }
    : { state, until: at + breakerWindow, attempts: recent }
}

/** Advances time: an open breaker becomes half open, and a half-open one without failures closes. */
export function advance(breaker: Breaker, at: number, { breakerWindow }: Timings): Breaker {
  if (breaker.state === 'closed' || at < breaker.until) return breaker
  return breaker.state === 'open'
    ? { state: 'halfOpen', until: at + breakerWindow, attempts: [] }
    : closedBreaker
}
