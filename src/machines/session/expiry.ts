// When a token is live, due and expired, on the client's own monotonic clock.
import type { Timings } from '../timings.ts'

/**
 * A token as known to the machines: a handle and its lifetime. The secret itself stays in the services'
 * vault.
 */
export interface Token {
  /** Handle of the secret, e.g. `token-3`. */
  readonly id: string
  /** Monotonic milliseconds at which the server issued it; before the page's start for a stored token. */
  readonly receivedAt: number
  /** Monotonic milliseconds at which this client received it. */
  readonly heldSince: number
  readonly expiresAt: number
  /** Full lifetime in milliseconds, as issued by the server. */
  readonly lifetime: number
  readonly aal: 'aal1' | 'aal2'
  /** A second factor is enrolled and could raise `aal1`. */
  readonly hasFactor?: boolean
  readonly user: ChartroomUser
  /**
   * The server's clock minus this device's when the token arrived, in milliseconds; accurate to about a
   * second.
   */
  readonly skew?: number
  /** In [0, 1): when the token is due within the span of `refreshJitter`. */
  readonly spread?: number
}

/** User of a session, reduced to what the client itself reads. */
export interface ChartroomUser {
  readonly id: string
  readonly email?: string
  /** Has neither email nor provider: losing this session means losing the account. */
  readonly isAnonymous?: boolean
  /** An email address that awaits confirmation. */
  readonly newEmail?: string
}

/**
 * How long before expiry a token is due; bounded so that a short-lived one (under 3 minutes) is not due from
 * the start.
 */
function margin({ lifetime, spread = 0.5 }: Token, { refreshBefore, refreshJitter }: Timings): number {
  return Math.min(refreshBefore + (spread - 0.5) * refreshJitter, (lifetime / 2) * (0.9 + spread / 5))
}

export const refreshAt = (token: Token, timings: Timings): number => token.expiresAt - margin(token, timings)

export const isDue = (token: Token, at: number, timings: Timings): boolean => at >= refreshAt(token, timings)

/** When followers stop waiting for the leader's refresh; jittered so that one of them is first. */
export const overdueAt = (token: Token, timings: Timings): number =>
  token.expiresAt - margin(token, timings) * (0.65 - (token.spread ?? 0.5) / 5)

export const isExpired = (token: Token, at: number): boolean => at >= token.expiresAt

/** Milliseconds between two checks: `checkEvery`, but at least four checks in a token's lifetime. */
export function checkInterval(token: Token, timings: Timings): number {
  return Math.min(timings.checkEvery, Math.max(250, token.lifetime / 4))
}
