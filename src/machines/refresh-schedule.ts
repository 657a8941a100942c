// What the refresh machine should be doing, from what it knows: one pure decision.
import type { Breaker } from './breaker.ts'
import { overdueAt, refreshAt, type Token } from './expiry.ts'
import type { Timings } from './timings.ts'

/** What this tab is among the tabs of one session; `alone` where tabs can't agree. */
export type TabRole = 'electing' | 'leader' | 'follower' | 'alone'

/** Why nothing is refreshed for now. */
export type Pause = 'frozen' | 'offline' | 'hidden' | 'follower'

export interface ScheduleFacts {
  readonly timings: Timings
  readonly token: Token | undefined
  /** The time as last said by a ticker or by a new token. */
  readonly at: number
  readonly online: boolean
  readonly visible: boolean
  readonly frozen: boolean
  /** Channels want a live token. */
  readonly wanted: boolean
  /** Somebody waits for a token. */
  readonly asked: boolean
  /** A new token is wanted, however fresh this one is. */
  readonly forced: boolean
  readonly role: TabRole
  readonly breaker: Breaker
}

export interface Surroundings {
  readonly online: boolean
  readonly visible: boolean
  readonly frozen?: boolean
}

export type Step = Pause | 'tripped' | 'inFlight' | 'waiting'

/** Followers leave the refresh to the leader until it is overdue, unless somebody here waits for it. */
const wantsToken = ({ token, forced, role, asked, at, timings }: ScheduleFacts): boolean => {
  if (token === undefined) return false
  return forced || at >= (role === 'follower' && !asked ? overdueAt : refreshAt)(token, timings)
}

/** A page that nobody looks at and that needs no token lets it run out. */
const isUnneeded = ({ visible, wanted, asked }: ScheduleFacts) => !visible && !wanted && !asked

export function nextStep(facts: ScheduleFacts): Step {
  if (facts.frozen) return 'frozen'
  if (!facts.online) return 'offline'
  if (isUnneeded(facts)) return 'hidden'
  if (wantsToken(facts)) return facts.breaker.state === 'open' ? 'tripped' : 'inFlight'
  return facts.role === 'follower' ? 'follower' : 'waiting'
}

/** The device or the page came back: what other tabs did meanwhile must be looked at. */
export const isBetter = (was: ScheduleFacts, now: Surroundings): boolean =>
  (now.online && !was.online) || (now.visible && !was.visible) || (now.frozen !== true && was.frozen)
