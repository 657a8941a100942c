// The token's part of the public status: its life, and what the refresh machine and the tab do about it.
import type { SnapshotFrom } from 'xstate'
import type { Breaker } from './breaker.ts'
import { refreshAt, type Token } from './expiry.ts'
import type { Failure } from './failure.ts'
import type { Pause, TabRole } from './refresh-schedule.ts'
import type { refreshMachine } from './refresh.ts'
import type { Timings } from './timings.ts'

/** The access token's life; times are milliseconds on the client's monotonic clock. */
export interface TokenStatus {
  /** `delayed`: the last refresh failed and another is set; `expired`: nobody goes out until one succeeds. */
  readonly state: 'fresh' | 'due' | 'refreshing' | 'delayed' | 'expired'
  readonly receivedAt: number
  readonly expiresAt: number
  /** From here on a check asks for a new token. */
  readonly refreshAt: number
  /** Why the last refresh failed. */
  readonly failure?: Failure
  /** Why nothing is refreshed for now; `follower`: another tab does it. */
  readonly paused?: Pause
  /** When the next attempt is made after one that failed. */
  readonly retryAt?: number
  /** The server's clock minus this device's, in milliseconds, known to a second or so; harmless, since reckoned with. */
  readonly skew: number
  /** `open`: too many refreshes in a short time; for a while there is none. */
  readonly breaker: Breaker['state']
  /** Who refreshes among the tabs of this session: the leader, or each `alone` where tabs can't agree. */
  readonly role: TabRole
}

type Refresh = SnapshotFrom<typeof refreshMachine>

const PAUSES: ReadonlySet<string> = new Set<Pause>(['frozen', 'offline', 'hidden', 'follower'])
const isPause = (step: string): step is Pause => PAUSES.has(step)

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
  if (isPause(schedule)) return { paused: schedule }
  const isWaiting = schedule === 'backoff' || schedule === 'rateLimited'
  return isWaiting && context.retryAt !== undefined ? { retryAt: context.retryAt } : {}
}
