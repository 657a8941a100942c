// The breaker: stops refreshes that follow each other too fast, then allows them again one at a time.
import type { Timings } from './timings.ts'

/**
 * `closed`: attempts are allowed; `open`: blocked until `until`; `halfOpen`: one probe attempt is allowed.
 */
export interface Breaker {
  readonly state: 'closed' | 'open' | 'halfOpen'
  readonly until: number
  /** Times of the attempts that count. */
  readonly spent: readonly number[]
}

export const closedBreaker: Breaker = { state: 'closed', until: 0, spent: [] }

const PROBES = 2

/** Counts an attempt that failed or came too early. */
export function spend({ state, spent }: Breaker, at: number, timings: Timings): Breaker {
  const { breakerLimit, breakerWindow, breakerPause } = timings
  const recent = [...spent.filter(time => time > at - breakerWindow), at]
  const limit = state === 'halfOpen' ? PROBES : breakerLimit
  return recent.length >= limit
    ? { state: 'open', until: at + breakerPause, spent: [] }
    : { state, until: at + breakerWindow, spent: recent }
}

/** Advances time: an open breaker becomes half open, and a half-open one without failures closes. */
export function cool(breaker: Breaker, at: number, { breakerWindow }: Timings): Breaker {
  if (breaker.state === 'closed' || at < breaker.until) return breaker
  return breaker.state === 'open'
    ? { state: 'halfOpen', until: at + breakerWindow, spent: [] }
    : closedBreaker
}
