// Selects the account slot of a new page: the tab's last slot, or the one where the pending sign-in began.
import { storageKeyOf, type AccountList } from './account-list.ts'

/** How the page was opened. */
export interface InitialSlot {
  /** Base URL of the backend. */
  readonly url: string
  /** Query of the page's URL, which may carry a sign-in code. */
  readonly search: string
  /** Whether localStorage has an entry. */
  readonly isStored: (key: string) => boolean
}

/** @param chosen the tab's last slot; it may have been removed in another tab. */
export const startingSlot = (book: AccountList, chosen: string | null, arrival: InitialSlot): string => {
  const isThere = chosen !== null && book.slots.some(({ id }) => id === chosen)
  const slot = isThere ? chosen : book.last
  const query = new URLSearchParams(arrival.search)
  if (!query.has('code')) return slot
  // The slot in which a sign-in began stores its code verifier; an emailed link opens in a new tab.
  const flow = query.get('sb_flow_id')
  const half = flow === null ? '-code-verifier' : `-flow-${flow}-code-verifier`
  const candidates = [slot, ...book.slots.map(({ id }) => id)]
  return candidates.find(id => arrival.isStored(storageKeyOf(arrival.url, id) + half)) ?? slot
}
