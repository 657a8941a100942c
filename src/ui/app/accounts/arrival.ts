// Somebody is led here by a link or a provider: into which slot their session belongs.
import { claimsOf } from '../account/jwt.ts'
import { freeSlot, type AccountBook } from './book.ts'

/**
 * The slot for the session that the page's address carries: the one of the same person, else a free one, so that
 * nobody is pushed out by a link. `slot` when the address carries none.
 */
export const slotOfArrival = (book: AccountBook, slot: string, hash: string): string => {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('access_token')
  if (token === null) return slot
  const present = book.slots.find(({ id }) => id === slot)
  if (!present?.user) return slot
  const { sub } = claimsOf(token)
  const own = book.slots.find(({ user }) => user !== null && user.id === sub)
  return own?.id ?? freeSlot(book)
}
