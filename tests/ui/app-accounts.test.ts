// Accounts side by side: the book in which they are kept, and whom a link signs in where.
import { describe, expect, test } from 'vitest'
import { startingSlot } from '../../src/ui/app/accounts/arrival.ts'
import {
  accountName,
  accountsIn,
  bookReducer,
  EMPTY_BOOK,
  freeSlot,
  MAIN,
  storageKeyOf,
  twinsOf,
  type AccountBook,
  type AccountUser,
} from '../../src/ui/app/accounts/book.ts'

const skipper: AccountUser = { id: 'u1', email: 'skipper@harbour.test', isAnonymous: false }
const mate: AccountUser = { id: 'u2', email: 'mate@harbour.test', isAnonymous: false }
const guest: AccountUser = { id: 'abcdef', isAnonymous: true }

const book = (last: string, ...slots: readonly (readonly [string, AccountUser | null])[]): AccountBook => ({
  last,
  slots: slots.map(([id, user]) => ({ id, user })),
})
const seen = (slot: string, user: AccountUser) => ({ type: 'account.seen', slot, user }) as const

describe('the book of accounts', () => {
  test('one after the other', () => {
    const one = bookReducer(EMPTY_BOOK, seen(MAIN, skipper))
    expect(one).toEqual(book(MAIN, [MAIN, skipper]))
    expect(bookReducer(one, seen(MAIN, skipper))).toBe(one)
    const opened = bookReducer(one, { type: 'slot.used', slot: freeSlot(one) })
    expect(opened).toEqual(book('account-2', [MAIN, skipper], ['account-2', null]))
    const two = bookReducer(opened, seen('account-2', guest))
    expect(accountsIn(two)).toEqual([
      { id: MAIN, userId: 'u1', email: 'skipper@harbour.test', isAnonymous: false },
      { id: 'account-2', userId: 'abcdef', email: undefined, isAnonymous: true },
    ])
    expect(accountsIn(two).map(accountName)).toEqual(['skipper@harbour.test', 'Guest abcd'])
  })

  test('a slot that was opened and left again is gone; the main one stays', () => {
    const opened = book('account-2', [MAIN, skipper], ['account-2', null])
    expect(bookReducer(opened, { type: 'slot.used', slot: MAIN })).toEqual(book(MAIN, [MAIN, skipper]))
    const left = book('account-2', [MAIN, null], ['account-2', mate])
    expect(bookReducer(left, { type: 'slot.used', slot: 'account-2' })).toBe(left)
    expect(freeSlot(left)).toBe(MAIN)
  })

  test('who signed out is listed no more; the slot in use stays for the next', () => {
    const two = book('account-2', [MAIN, skipper], ['account-2', mate])
    expect(bookReducer(two, { type: 'account.gone', slot: 'account-2' })).toEqual(
      book('account-2', [MAIN, skipper], ['account-2', null]),
    )
    expect(bookReducer({ ...two, last: MAIN }, { type: 'account.gone', slot: 'account-2' })).toEqual(
      book(MAIN, [MAIN, skipper]),
    )
    expect(bookReducer(EMPTY_BOOK, { type: 'account.gone', slot: MAIN })).toBe(EMPTY_BOOK)
  })

  test('nobody is there twice: the newer session stands', () => {
    const opened = book('account-2', [MAIN, skipper], ['account-2', null])
    expect(twinsOf(opened, 'account-2', 'u1')).toEqual([MAIN])
    expect(bookReducer(opened, seen('account-2', skipper))).toEqual(
      book('account-2', [MAIN, null], ['account-2', skipper]),
    )
    const other = book(MAIN, [MAIN, null], ['account-2', skipper])
    expect(bookReducer(other, seen(MAIN, skipper))).toEqual(book(MAIN, [MAIN, skipper]))
  })

  test('each session has a key of its own; the first keeps the old one', () => {
    expect(storageKeyOf('http://a:1', MAIN)).toBe('chartroom.session.http://a:1')
    expect(storageKeyOf('http://a:1', 'account-2')).toBe('chartroom.session.http://a:1#account-2')
  })
})

describe('whoever is led here', () => {
  const token = (sub: string) => `x.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.x`
  const hash = (sub: string) => `#access_token=${token(sub)}&type=magiclink`
  const two = book(MAIN, [MAIN, skipper], ['account-2', mate])

  test.each([
    ['an address without a session stays where one is', '#profile', MAIN],
    ['a failed link, too', '#error=access_denied&error_code=otp_expired', MAIN],
    ['the same person', hash('u1'), MAIN],
    ['somebody who is signed in beside', hash('u2'), 'account-2'],
    ['somebody new pushes nobody out', hash('u3'), 'account-3'],
  ])('%s', (_, address, slot) => {
    expect(startingSlot(two, MAIN, address)).toBe(slot)
  })

  test('a tab goes on where it was; what ended in another tab meanwhile is left', () => {
    expect(startingSlot(two, 'account-2', '')).toBe('account-2')
    expect(startingSlot(two, 'account-3', '')).toBe(MAIN)
    expect(startingSlot(two, null, '')).toBe(MAIN)
  })

  test('where nobody is, anybody may come', () => {
    expect(startingSlot(EMPTY_BOOK, MAIN, hash('u3'))).toBe(MAIN)
  })
})
