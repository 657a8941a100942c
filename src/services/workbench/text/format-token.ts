// Describes which tab refreshes the token, why refreshing is paused, and the clock difference.
import type { TokenStatus } from '../../client/index.ts'
import { formatSpan } from './format.ts'

const PAUSES: Readonly<Record<NonNullable<TokenStatus['paused']>, string>> = {
  offline: 'paused: offline',
  keyRefused: 'paused: the backend refuses the API key',
  hidden: 'paused: this page is hidden',
  frozen: 'paused: this page is frozen',
  manual: 'paused: refreshed when something needs it',
  follower: 'by another tab',
}

const ROLES: Readonly<Record<TokenStatus['role'], string>> = {
  electing: 'by this tab',
  leader: 'by this tab, for all tabs',
  follower: 'by another tab',
  alone: 'by this tab',
}

/** Describes which tab refreshes the token, or why refreshing is paused. */
export function formatRefresh(token: TokenStatus, now: number): string {
  if (token.breaker === 'open') return 'paused for a minute: refreshed too often'
  if (token.paused) return PAUSES[token.paused]
  if (token.retryAt !== undefined) return `by this tab, retry in ${formatSpan(token.retryAt - now)}`
  return ROLES[token.role]
}

/** Smaller differences count as in sync: the server's timestamps are in whole seconds. */
const AGREES = 3_000

/** Describes the difference between the device's clock and the server's. */
export function formatClock({ skew }: TokenStatus): string {
  if (Math.abs(skew) < AGREES) return 'in sync with the backend'
  const span = Math.abs(skew) < 60_000 ? `${Math.round(Math.abs(skew) / 1000)} s` : formatSpan(Math.abs(skew))
  return `${span} ${skew > 0 ? 'behind' : 'ahead of'} the backend (corrected)`
}
