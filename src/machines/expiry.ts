// When a token is live, due and expired, on the client's own monotonic clock.
import type { Timings } from './timings.ts'

/** What machines know of a token: a handle and its life. The secret itself stays in the services' vault. */
export interface Token {
  /** Handle of the secret, e.g. `token-3`. */
  readonly id: string
  /** Monotonic milliseconds at which the server gave it; before this page's time for a stored one. */
  readonly receivedAt: number
  /** Monotonic milliseconds since which this client holds it. */
  readonly heldSince: number
  readonly expiresAt: number
  /** Full life in milliseconds, as the server issued it. */
  readonly lifetime: number
  readonly aal: 'aal1' | 'aal2'
  /** A second factor is set up and could raise `aal1`. */
  readonly hasFactor?: boolean
  readonly user: ChartroomUser
  /** The server's clock minus this device's at the receipt, in milliseconds; known to a second or so. */
  readonly skew?: number
  /** In [0, 1): where in the span of `refreshJitter` this token is due. */
  readonly spread?: number
}

export interface ChartroomUser {
  readonly id: string
  readonly email?: string
  /** Has neither address nor provider: whoever loses this session has lost the account. */
  readonly isAnonymous?: boolean
  /** An address that waits for its confirmation. */
  readonly newEmail?: string
}

/** How long before its end a token is due; one of a short life (under 3 minutes) would be due from the start. */
function margin({ lifetime, spread = 0.5 }: Token, { refreshBefore, refreshJitter }: Timings): number {
  return Math.min(refreshBefore + (spread - 0.5) * refreshJitter, (lifetime / 2) * (0.9 + spread / 5))
}

export const refreshAt = (token: Token, timings: Timings): number => token.expiresAt - margin(token, timings)

export const isDue = (token: Token, at: number, timings: Timings): boolean => at >= refreshAt(token, timings)

/** When those who left the refresh to somebody else no longer do; drawn apart, so that one of them is first. */
export const overdueAt = (token: Token, timings: Timings): number =>
  token.expiresAt - margin(token, timings) * (0.65 - (token.spread ?? 0.5) / 5)

export const isExpired = (token: Token, at: number): boolean => at >= token.expiresAt

/** Between two checks: the policy's, but at least four checks in a token's life. */
export function checkInterval(token: Token, timings: Timings): number {
  return Math.min(timings.checkEvery, Math.max(250, token.lifetime / 4))
}
