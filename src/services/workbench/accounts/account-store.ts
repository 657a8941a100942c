// Stores the account list in the browser, and this tab's account.
import { Listeners } from '../../../trace/index.ts'
import { isStored, readSetting, writeSetting } from '../storage/local-store.ts'
import { readInTab, writeInTab } from '../storage/tab-store.ts'
import {
  type Account,
  type AccountList,
  type AccountListAction,
  accountListReducer,
  accountListSchema,
  accountsIn,
  NO_ACCOUNTS,
  storageKeyOf,
} from './account-list.ts'

/** Account list of one backend, as seen by this tab. */
export interface AccountStore {
  readonly book: () => AccountList
  /** The slot of this tab. */
  readonly slot: () => string
  readonly subscribe: (listener: () => void) => () => void
  readonly dispatch: (action: AccountListAction) => void
  /** Switches this tab to another slot. */
  readonly use: (slot: string) => void
}

const settingOf = (url: string) => `accounts.${url}`

const readAccountList = (url: string): AccountList =>
  readSetting(settingOf(url), accountListSchema, NO_ACCOUNTS)

/** Signed-in accounts of a backend, connected or not. */
export const savedAccounts = (url: string): readonly Account[] => accountsIn(readAccountList(url))

const tabSetting = (url: string) => `account.${url}`

/** Sets the account with which this tab opens the backend next time. */
export const chooseAccount = (url: string, slot: string): void => writeInTab(tabSetting(url), slot)

const lastSetting = (url: string) => `last.${url}`

/** Email of this tab's last session; prefills the sign-in form after a session was lost. */
export const lastAddress = (url: string): string => readInTab(lastSetting(url)) ?? ''

export const rememberAddress = (url: string, email: string | undefined): void =>
  writeInTab(lastSetting(url), email ?? null)

/** @param search query of the page's URL, which may carry a sign-in code */
export const createAccountStore = (url: string, search: string): AccountStore => {
  let book = readAccountList(url)
  let slot = startingSlot(book, readInTab(tabSetting(url)), { url, search, isStored })
  const listeners = new Listeners()
  const dispatch = (action: AccountListAction) => {
    // Another tab may have written since the last read.
    const before = readAccountList(url)
    book = accountListReducer(before, action)
    if (book !== before) writeSetting(settingOf(url), book)
    listeners.notify()
  }
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && key !== `chartroom.ui.${settingOf(url)}`) return
    book = readAccountList(url)
    listeners.notify()
  }
  const use = (next: string) => {
    slot = next
    chooseAccount(url, next)
    dispatch({ type: 'slot.used', slot: next })
  }
  return {
    book: () => book,
    slot: () => slot,
    subscribe: listener => {
      if (listeners.size === 0) addEventListener('storage', onStorage)
      const end = listeners.subscribe(listener)
      return () => {
        end()
        if (listeners.size === 0) removeEventListener('storage', onStorage)
      }
    },
    dispatch,
    use,
  }
}

/** How the page was opened. */
interface InitialSlot {
  /** Base URL of the backend. */
  readonly url: string
  /** Query of the page's URL, which may carry a sign-in code. */
  readonly search: string
  /** Whether localStorage has an entry. */
  readonly isStored: (key: string) => boolean
}

/** @param chosenId the tab's last slot; it may have been removed in another tab. */
export const startingSlot = (book: AccountList, chosenId: string | null, arrival: InitialSlot): string => {
  const isThere = chosenId !== null && book.slots.some(({ id }) => id === chosenId)
  const slot = isThere ? chosenId : book.last
  const query = new URLSearchParams(arrival.search)
  if (!query.has('code')) return slot
  // The slot in which a sign-in began stores its code verifier; an emailed link opens in a new tab.
  const flow = query.get('sb_flow_id')
  const half = flow === null ? '-code-verifier' : `-flow-${flow}-code-verifier`
  const candidates = [slot, ...book.slots.map(({ id }) => id)]
  return candidates.find(id => arrival.isStored(storageKeyOf(arrival.url, id) + half)) ?? slot
}
