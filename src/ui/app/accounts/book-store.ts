// Keeps the book of accounts in the browser's storage, and which of them this tab works as.
import { isStored, readSetting, writeSetting } from '../local-store.ts'
import { readInTab, writeInTab } from '../tab-store.ts'
import { startingSlot } from './arrival.ts'
import { accountsIn, bookReducer, bookSchema, EMPTY_BOOK, type Account } from './book.ts'
import type { AccountBook, BookAction } from './book.ts'
import { Listeners } from '../listeners.ts'

/** The book of one backend, as this tab sees it. */
export interface BookStore {
  readonly book: () => AccountBook
  /** The slot that this tab works in. */
  readonly slot: () => string
  readonly subscribe: (listener: () => void) => () => void
  readonly dispatch: (action: BookAction) => void
  /** Works in another slot from now on. */
  readonly use: (slot: string) => void
}

const settingOf = (url: string) => `accounts.${url}`

const readBook = (url: string): AccountBook => readSetting(settingOf(url), bookSchema, EMPTY_BOOK)

/** Who is signed in at a backend, in use or not. */
export const savedAccounts = (url: string): readonly Account[] => accountsIn(readBook(url))

const tabSetting = (url: string) => `account.${url}`

/** With which account this tab opens a backend the next time. */
export const chooseAccount = (url: string, slot: string): void => writeInTab(tabSetting(url), slot)

const lastSetting = (url: string) => `last.${url}`

/** The address with which this tab was signed in last: whoever lost a session signs in with it again. */
export const lastAddress = (url: string): string => readInTab(lastSetting(url)) ?? ''

export const rememberAddress = (url: string, email: string | undefined): void =>
  writeInTab(lastSetting(url), email ?? null)

/** @param search query of the page's address, which may carry the code of a sign-in */
export const createBookStore = (url: string, search: string): BookStore => {
  let book = readBook(url)
  let slot = startingSlot(book, readInTab(tabSetting(url)), { url, search, isStored })
  const listeners = new Listeners()
  const dispatch = (action: BookAction) => {
    // Another tab may have written meanwhile.
    const before = readBook(url)
    book = bookReducer(before, action)
    if (book !== before) writeSetting(settingOf(url), book)
    listeners.tell()
  }
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && key !== `chartroom.ui.${settingOf(url)}`) return
    book = readBook(url)
    listeners.tell()
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
      if (!listeners.areAny) addEventListener('storage', onStorage)
      const end = listeners.subscribe(listener)
      return () => {
        end()
        if (!listeners.areAny) removeEventListener('storage', onStorage)
      }
    },
    dispatch,
    use,
  }
}
