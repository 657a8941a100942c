// The gate: the identity and token for requests and channels right now. Owned by the client, read by its
// children. A token is live, due and expired by the client's own monotonic clock.
import type { KeyFamily } from '../failure.ts'
import type { RefusedKeys } from '../api-key.ts'
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
  /** From the app's `accessToken` function: no refresh of it is a call of this client. */
  readonly byApp?: true
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
function margin(
  { lifetime, spread: jitter = 0.5 }: Token,
  { refreshBefore, refreshJitter }: Timings,
): number {
  return Math.min(refreshBefore + (jitter - 0.5) * refreshJitter, (lifetime / 2) * (0.9 + jitter / 5))
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

/** Of a gate while the API key is refused. */
interface KeyGate {
  /** The services that refuse the API key. */
  readonly refused?: RefusedKeys
}

export type AuthGate = KeyGate &
  (
    | { readonly kind: 'booting' }
    | { readonly kind: 'anonymous' }
    | {
        readonly kind: 'user'
        readonly userId: string
        /**
         * Absent without a live token: the user's requests then wait, and are never sent anonymously by
         * accident.
         */
        readonly tokenId?: string
        /** From this time on, the token is too old to start something long with. */
        readonly dueAt?: number
        /** Too many refreshes: until the breaker closes, a rejected token is not replaced by another. */
        readonly breaker?: 'open'
      }
  )

/** Sent to everything that waits for or holds a token when the gate changes. */
export type AuthGateEvent = { readonly type: 'gate.changed'; readonly gate: AuthGate }

/** Closed if the token has expired: a stored one may have expired before this client loaded it. */
export const userGate = (token: Token, timings: Timings): AuthGate => ({
  kind: 'user',
  userId: token.user.id,
  dueAt: refreshAt(token, timings),
  ...(!isExpired(token, token.heldSince) && { tokenId: token.id }),
})

/** The same user without a live token. */
export const closedGate = (gate: AuthGate): AuthGate => {
  if (gate.kind !== 'user') return gate
  const { tokenId: _, ...rest } = gate
  return rest
}

/** The same user with the current state of the breaker. */
export const gateWithBreaker = (gate: AuthGate, isBreakerOpen: boolean): AuthGate => {
  if (gate.kind !== 'user') return gate
  const { breaker: _, ...rest } = gate
  return isBreakerOpen ? { ...rest, breaker: 'open' } : rest
}

/** The same gate with the services that refuse the API key now. */
export const gateWithKey = (gate: AuthGate, refused: RefusedKeys): AuthGate => {
  const { refused: _, ...rest } = gate
  return Object.keys(refused).length > 0 ? { ...rest, refused } : rest
}

/** Why a service refuses the API key, if it does. */
export const keyRefusalOf = (gate: AuthGate, family: KeyFamily) => gate.refused?.[family]

export const isOpen = (gate: AuthGate): boolean =>
  gate.kind === 'anonymous' || (gate.kind === 'user' && gate.tokenId !== undefined)

export const tokenOf = (gate: AuthGate): string | undefined =>
  gate.kind === 'user' ? gate.tokenId : undefined

/** Identity without the token: `anonymous`, a user's id, or undefined while booting. */
export const identityOf = (gate: AuthGate): string | undefined =>
  gate.kind === 'user' ? gate.userId : gate.kind === 'anonymous' ? ANONYMOUS : undefined

/** The identity of requests with the API key alone. */
export const ANONYMOUS = 'anonymous'

/** The identity a call requires: `public` uses the API key alone, `user` requires a session. */
export type Access = 'public' | 'user'

/** An access request: its identity is fixed by the first gate that is no longer booting. */
export interface AccessRequest {
  readonly access?: Access | undefined
  readonly identity?: string | undefined
  /** A token that the server rejected. */
  readonly rejected?: string | undefined
}

/** What blocks a call: nothing, a missing token, a required sign-in, or the end of its session. */
export function blockerOf(gate: AuthGate, { access, identity, rejected }: AccessRequest): Blocker {
  const present = identityOf(gate)
  const callIdentity = identity ?? present
  if (access === 'public') return 'none'
  if (callIdentity === ANONYMOUS) return access === 'user' ? 'signIn' : 'none'
  if (callIdentity !== present) return 'ended'
  const token = tokenOf(gate)
  return token === undefined || token === rejected ? 'token' : 'none'
}

export type Blocker = 'none' | 'token' | 'signIn' | 'ended'

/** Monotonic milliseconds from which the token is due; undefined without a user. */
export const dueAt = (gate: AuthGate): number | undefined => (gate.kind === 'user' ? gate.dueAt : undefined)

/** Whether the next gate brings a token, a user or an accepted key that the previous one did not have. */
export const hasNewCredentials = (before: AuthGate, next: AuthGate): boolean =>
  identityOf(before) !== identityOf(next) ||
  (before.refused !== undefined && next.refused === undefined) ||
  (tokenOf(next) !== undefined && tokenOf(next) !== tokenOf(before))
