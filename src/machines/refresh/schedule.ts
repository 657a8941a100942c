// Decides what the refresh machine should do from the facts it has: one pure function.
import type { Breaker } from './breaker.ts'
import { overdueAt, refreshAt, type Token } from '../session/expiry.ts'
import type { Timings } from '../timings.ts'

/** The role of this tab among the tabs of one session; `alone` if tabs cannot coordinate. */
export type TabRole = 'electing' | 'leader' | 'follower' | 'alone'

/** Why refreshing is paused. */
export type PauseReason = 'frozen' | 'offline' | 'hidden' | 'follower'

export interface ScheduleFacts {
  readonly timings: Timings
  readonly token: Token | undefined
  /** The time last reported by a ticker or a new token. */
  readonly at: number
  readonly online: boolean
  readonly visible: boolean
  readonly frozen: boolean
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

/** A hidden page that needs no token lets it expire. */
const isUnneeded = ({ visible, wanted, requested }: ScheduleFacts) => !visible && !wanted && !requested

export function nextStep(facts: ScheduleFacts): Step {
  if (facts.frozen) return 'frozen'
  if (!facts.online) return 'offline'
  if (isUnneeded(facts)) return 'hidden'
  if (wantsToken(facts)) return facts.breaker.state === 'open' ? 'breakerOpen' : 'inFlight'
  return facts.role === 'follower' ? 'follower' : 'waiting'
}

/** The device or page is back: changes by other tabs must be checked. */
export const isResumed = (was: ScheduleFacts, now: EnvironmentState): boolean =>
  (now.online && !was.online) || (now.visible && !was.visible) || (now.frozen !== true && was.frozen)
