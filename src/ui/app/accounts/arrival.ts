// In which slot a page begins: where this tab was, or where the session belongs to which a link or provider leads.
import { claimsOf } from '../account/token/jwt.ts'
import { freeSlot, type AccountBook } from './book.ts'

/** @param chosen where this tab was; it may have ended in another tab meanwhile. */
export const startingSlot = (book: AccountBook, chosen: string | null, hash: string): string => {
  const isThere = chosen !== null && book.slots.some(({ id }) => id === chosen)
  return slotOfArrival(book, isThere ? chosen : book.last, hash)
}

/**
 * The slot for the session that the page's address carries: the one of the same person, else a free one, so that
 * nobody is pushed out by a link. `slot` when the address carries none.
 */
const slotOfArrival = (book: AccountBook, slot: string, hash: string): string => {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('access_token')
  if (token === null) return slot
  const present = book.slots.find(({ id }) => id === slot)
  if (!present?.user) return slot
  const { sub } = claimsOf(token)
  const own = book.slots.find(({ user }) => user !== null && user.id === sub)
  return own?.id ?? freeSlot(book)
}
