// Who renews the token, what holds the renewal up, and how the clock is, in words.
import type { TokenStatus } from '../../index.ts'
import { formatSpan } from './format.ts'

const PAUSES: Readonly<Record<NonNullable<TokenStatus['paused']>, string>> = {
  offline: 'paused: offline',
  hidden: 'paused: nobody looks at this page',
  frozen: 'paused: this page sleeps',
  follower: 'another tab renews it',
}

const ROLES: Readonly<Record<TokenStatus['role'], string>> = {
  electing: 'this tab',
  leader: 'this tab, for all tabs',
  follower: 'another tab renews it',
  alone: 'this tab',
}

/** Who renews it, or why nobody does for now. */
export function renewalWords(token: TokenStatus, now: number): string {
  if (token.breaker === 'open') return 'paused: renewed too often, rests for a minute'
  if (token.paused) return PAUSES[token.paused]
  if (token.retryAt !== undefined) return `this tab, again in ${formatSpan(token.retryAt - now)}`
  return ROLES[token.role]
}

/** Below this the clocks agree, as far as can be told from a server that speaks in seconds. */
const AGREES = 3_000

/** How the device's clock is beside the server's. */
export function clockWords({ skew }: TokenStatus): string {
  if (Math.abs(skew) < AGREES) return 'agrees with the backend'
  const span = Math.abs(skew) < 60_000 ? `${Math.round(Math.abs(skew) / 1000)} s` : formatSpan(Math.abs(skew))
  return `${span} ${skew > 0 ? 'behind' : 'ahead of'} the backend; reckoned with`
}
