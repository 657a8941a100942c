// In which slot a page begins: where this tab was, or where the sign-in began that a link or provider completes.
import { storageKeyOf, type AccountBook } from './book.ts'

/** What the page was opened with. */
export interface Arrival {
  /** Base address of the backend. */
  readonly url: string
  /** Query of the page's address, which may carry the code of a sign-in. */
  readonly search: string
  /** Whether the browser's storage has an entry. */
  readonly isStored: (key: string) => boolean
}

/** @param chosen where this tab was; it may have ended in another tab meanwhile. */
export const startingSlot = (book: AccountBook, chosen: string | null, arrival: Arrival): string => {
  const isThere = chosen !== null && book.slots.some(({ id }) => id === chosen)
  const slot = isThere ? chosen : book.last
  const query = new URLSearchParams(arrival.search)
  if (!query.has('code')) return slot
  // Where a sign-in begins, it leaves the other half of its code; a mailed link opens in a tab of its own.
  const flow = query.get('sb_flow_id')
  const half = flow === null ? '-code-verifier' : `-flow-${flow}-code-verifier`
  const candidates = [slot, ...book.slots.map(({ id }) => id)]
  return candidates.find(id => arrival.isStored(storageKeyOf(arrival.url, id) + half)) ?? slot
}
