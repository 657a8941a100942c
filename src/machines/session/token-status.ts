// The token part of the public status: its lifetime, and the state of refreshing.
import type { SnapshotFrom } from 'xstate'
import type { Breaker } from '../refresh/breaker.ts'
import { refreshAt, type Token } from './expiry.ts'
import type { Failure } from '../failure.ts'
import type { PauseReason, TabRole } from '../refresh/schedule.ts'
import type { refreshMachine } from '../refresh/refresh.ts'
import type { Timings } from '../timings.ts'

/** The access token's lifetime; times are milliseconds on the client's monotonic clock. */
export interface TokenStatus {
  /**
   * `delayed`: the last refresh failed and a retry is scheduled; `expired`: requests wait until a refresh
   * succeeds.
   */
  readonly state: 'fresh' | 'due' | 'refreshing' | 'delayed' | 'expired'
  readonly receivedAt: number
  readonly expiresAt: number
  /** From this time on, a check requests a new token. */
  readonly refreshAt: number
  /** Why the last refresh failed. */
  readonly failure?: Failure
  /** Why refreshing is paused; `follower`: another tab refreshes. */
  readonly paused?: PauseReason
  /** Time of the next attempt after a failure. */
  readonly retryAt?: number
  /** The server's clock minus this device's, in milliseconds, accurate to about a second; compensated for. */
  readonly skew: number
  /** `open`: too many refreshes in a short time; refreshing is paused. */
  readonly breaker: Breaker['state']
  /**
   * The role of this tab in refreshing: the leader refreshes, or each tab if tabs cannot coordinate
   * (`alone`).
   */
  readonly role: TabRole
}

type Refresh = SnapshotFrom<typeof refreshMachine>

export function tokenStatus(
  { token, timings, failure }: { token: Token; timings: Timings; failure: Failure | undefined },
  state: TokenStatus['state'] | 'offlineExpired',
  refresh: Refresh | undefined,
): TokenStatus {
  const { receivedAt, expiresAt, skew = 0 } = token
  return {
    state: state === 'offlineExpired' ? 'expired' : state,
    receivedAt,
    expiresAt,
    refreshAt: refreshAt(token, timings),
    ...(failure && { failure }),
    ...(refresh && scheduleOf(refresh)),
    skew,
    breaker: refresh?.context.breaker.state ?? 'closed',
    role: refresh?.context.role ?? 'electing',
  }
}

function scheduleOf({ value, context }: Refresh): Pick<TokenStatus, 'paused' | 'retryAt'> {
  if (typeof value === 'string') return {}
  const { schedule } = value.active
  if (typeof schedule === 'object') return { paused: schedule.paused }
  const isWaiting = schedule === 'backingOff' || schedule === 'rateLimited'
  return isWaiting && context.retryAt !== undefined ? { retryAt: context.retryAt } : {}
}
