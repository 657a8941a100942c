// The gate: as whom requests and channels may go out right now. Kept by the client, read by its children.
import { isExpired, refreshAt, type Token } from './expiry.ts'
import type { Timings } from './timings.ts'

export type Gate =
  | { readonly kind: 'booting' }
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user'
      readonly userId: string
      /** Absent while no live token is at hand: nobody goes out anonymously by accident. */
      readonly tokenId?: string
      /** From here on the token is too old to begin something long with. */
      readonly dueAt?: number
      /** Too many refreshes: until it closes, a refused token is not answered with another. */
      readonly breaker?: 'open'
    }

/** Told to everyone who waits or holds a token whenever the gate changed. */
export type GateEvent = { readonly type: 'gate.changed'; readonly gate: Gate }

/** A stored token may have run out before this client came to hold it. */
export const userGate = (token: Token, timings: Timings): Gate => ({
  kind: 'user',
  userId: token.user.id,
  dueAt: refreshAt(token, timings),
  ...(!isExpired(token, token.heldSince) && { tokenId: token.id }),
})

/** The same user without a live token. */
export const closedGate = (gate: Gate): Gate => {
  if (gate.kind !== 'user') return gate
  const { tokenId: _, ...rest } = gate
  return rest
}

/** The same user with the breaker as it is now. */
export const gateWithBreaker = (gate: Gate, isBroken: boolean): Gate => {
  if (gate.kind !== 'user') return gate
  const { breaker: _, ...rest } = gate
  return isBroken ? { ...rest, breaker: 'open' } : rest
}

export const isOpen = (gate: Gate): boolean =>
  gate.kind === 'anonymous' || (gate.kind === 'user' && gate.tokenId !== undefined)

export const tokenOf = (gate: Gate): string | undefined => (gate.kind === 'user' ? gate.tokenId : undefined)

/** Identity without the token: `anonymous`, a user's id, or undefined while booting. */
export const identityOf = (gate: Gate): string | undefined =>
  gate.kind === 'user' ? gate.userId : gate.kind === 'anonymous' ? ANONYMOUS : undefined

/** Identity of whoever goes out with the API key alone. */
export const ANONYMOUS = 'anonymous'

/** As whom a call goes out: `public` with the API key alone, `user` never without a session. */
export type Access = 'public' | 'user'

/** Who wants to pass: the identity is fixed by the first gate that was no longer booting. */
export interface Passer {
  readonly access?: Access | undefined
  readonly identity?: string | undefined
  /** A token that the server refused. */
  readonly rejected?: string | undefined
}

/** What keeps a call from going out: nothing, a token to wait for, a sign-in, or the end of its session. */
export function hurdle(gate: Gate, { access, identity, rejected }: Passer): Hurdle {
  const present = identityOf(gate)
  const own = identity ?? present
  if (access === 'public') return 'none'
  if (own === ANONYMOUS) return access === 'user' ? 'signIn' : 'none'
  if (own !== present) return 'ended'
  const token = tokenOf(gate)
  return token === undefined || token === rejected ? 'token' : 'none'
}

export type Hurdle = 'none' | 'token' | 'signIn' | 'ended'

/** Monotonic milliseconds from which on the caller's token is due; none for who has no token. */
export const dueAt = (gate: Gate): number | undefined => (gate.kind === 'user' ? gate.dueAt : undefined)

/** Whether the next gate brings a token or a user that the one before did not have. */
export const isAnotherCaller = (before: Gate, next: Gate): boolean =>
  identityOf(before) !== identityOf(next) ||
  (tokenOf(next) !== undefined && tokenOf(next) !== tokenOf(before))
