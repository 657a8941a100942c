// The gate: as whom requests and channels may go out right now. Kept by the client, read by its children.
import { isExpired, type Token } from './expiry.ts'

export type Gate =
  | { readonly kind: 'booting' }
  | { readonly kind: 'anonymous' }
  /** `tokenId` is absent while no live token is at hand: nobody goes out anonymously by accident. */
  | { readonly kind: 'user'; readonly userId: string; readonly tokenId?: string }

/** Told to everyone who waits or holds a token whenever the gate changed. */
export type GateEvent = { readonly type: 'gate.changed'; readonly gate: Gate }

/** A stored token may have run out before this client came to hold it. */
export const userGate = (token: Token): Gate => ({
  kind: 'user',
  userId: token.user.id,
  ...(!isExpired(token, token.heldSince) && { tokenId: token.id }),
})

/** The same user without a live token. */
export const closedGate = (gate: Gate): Gate =>
  gate.kind === 'user' ? { kind: 'user', userId: gate.userId } : gate

export const isOpen = (gate: Gate): boolean =>
  gate.kind === 'anonymous' || (gate.kind === 'user' && gate.tokenId !== undefined)

export const tokenOf = (gate: Gate): string | undefined => (gate.kind === 'user' ? gate.tokenId : undefined)

/** Identity without the token: `anonymous`, a user's id, or undefined while booting. */
export const identityOf = (gate: Gate): string | undefined =>
  gate.kind === 'user' ? gate.userId : gate.kind === 'anonymous' ? 'anonymous' : undefined
