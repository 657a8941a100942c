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
}

export interface ChartroomUser {
  readonly id: string
  readonly email?: string
  /** Has neither address nor provider: whoever loses this session has lost the account. */
  readonly isAnonymous?: boolean
  /** An address that waits for its confirmation. */
  readonly newEmail?: string
}

/** A token of a short life (under 3 minutes) is due at half of it, else it would be due from the start. */
export function refreshAt(token: Token, timings: Timings): number {
  return token.expiresAt - Math.min(timings.refreshBefore, token.lifetime / 2)
}

export const isDue = (token: Token, at: number, timings: Timings): boolean => at >= refreshAt(token, timings)

export const isExpired = (token: Token, at: number): boolean => at >= token.expiresAt

/** Between two checks: the policy's, but at least four checks in a token's life. */
export function checkInterval(token: Token, timings: Timings): number {
  return Math.min(timings.checkEvery, Math.max(250, token.lifetime / 4))
}
