// Decides what the refresh machine should do from the facts it has; the breaker is one of them.
import { overdueAt, refreshAt, type Token } from '../session/gate.ts'
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

/** The role of this tab among the tabs of one session; `alone` if tabs cannot coordinate. */
export type TabRole = 'electing' | 'leader' | 'follower' | 'alone'

/** Why refreshing is paused. */
export type PauseReason = 'frozen' | 'offline' | 'keyRefused' | 'hidden' | 'manual' | 'follower'

export interface ScheduleFacts {
  readonly timings: Timings
  readonly token: Token | undefined
  /** The time last reported by a ticker or a new token. */
  readonly at: number
  readonly online: boolean
  readonly visible: boolean
  readonly frozen: boolean
  /** The auth server refuses the API key, so it would refuse a refresh. */
  readonly keyRefused: boolean
  /** Refreshes without being asked; otherwise only when something needs a token. */
  readonly automatic: boolean
  /** Channels need a live token. */
  readonly wanted: boolean
  /** A request or channel waits for a token. */
  readonly requested: boolean
  /** A new token is required, however fresh this one is. */
  readonly forced: boolean
  readonly role: TabRole
  readonly breaker: Breaker
}

export interface EnvironmentState {
  readonly online: boolean
  readonly visible: boolean
  readonly frozen?: boolean
}

export type Step = PauseReason | 'breakerOpen' | 'inFlight' | 'waiting'

/**
 * Followers leave the refresh to the leader until it is overdue, unless something in this tab waits for the
 * token.
 */
const wantsToken = ({ token, forced, role, requested, at, timings }: ScheduleFacts): boolean => {
  if (token === undefined) return false
  return forced || at >= (role === 'follower' && !requested ? overdueAt : refreshAt)(token, timings)
}

const isUnneeded = ({ wanted, requested }: ScheduleFacts) => !wanted && !requested

export function nextStep(facts: ScheduleFacts): Step {
  if (facts.frozen) return 'frozen'
  if (!facts.online) return 'offline'
  if (facts.keyRefused) return 'keyRefused'
  // A hidden page that needs no token lets it expire.
  if (!facts.visible && isUnneeded(facts)) return 'hidden'
  if (!facts.automatic && isUnneeded(facts)) return 'manual'
  if (wantsToken(facts)) return facts.breaker.state === 'open' ? 'breakerOpen' : 'inFlight'
  return facts.role === 'follower' ? 'follower' : 'waiting'
}

/** The device or page is back: changes by other tabs must be checked. */
export const isResumed = (previous: EnvironmentState, now: EnvironmentState): boolean =>
  (now.online && !previous.online) ||
  (now.visible && !previous.visible) ||
  (now.frozen !== true && previous.frozen === true)
