// Multiple accounts: the list that stores them, and which account a link signs in.
import { describe, expect, test } from 'vitest'
import { startingSlot } from '../../../src/services/workbench/accounts/account-store.ts'
import {
  accountName,
  accountsIn,
  accountListReducer,
  NO_ACCOUNTS,
  freeSlot,
  MAIN,
  storageKeyOf,
  twinsOf,
  type AccountList,
  type AccountUser,
} from '../../../src/services/workbench/accounts/account-list.ts'

const skipper: AccountUser = { id: 'u1', email: 'skipper@harbour.test', isAnonymous: false }
const mate: AccountUser = { id: 'u2', email: 'mate@harbour.test', isAnonymous: false }
const guest: AccountUser = { id: 'abcdef', isAnonymous: true }

const book = (last: string, ...slots: readonly (readonly [string, AccountUser | null])[]): AccountList => ({
  last,
  slots: slots.map(([id, user]) => ({ id, user })),
})
const seen = (slot: string, user: AccountUser) => ({ type: 'account.seen', slot, user }) as const

describe('the account list', () => {
  test('slots in sequence', () => {
    const one = accountListReducer(NO_ACCOUNTS, seen(MAIN, skipper))
    expect(one).toEqual(book(MAIN, [MAIN, skipper]))
    expect(accountListReducer(one, seen(MAIN, skipper))).toBe(one)
    const opened = accountListReducer(one, { type: 'slot.used', slot: freeSlot(one) })
    expect(opened).toEqual(book('account-2', [MAIN, skipper], ['account-2', null]))
    const two = accountListReducer(opened, seen('account-2', guest))
    expect(accountsIn(two)).toEqual([
      { id: MAIN, userId: 'u1', email: 'skipper@harbour.test', isAnonymous: false },
      { id: 'account-2', userId: 'abcdef', email: undefined, isAnonymous: true },
    ])
    expect(accountsIn(two).map(accountName)).toEqual(['skipper@harbour.test', 'Guest abcd'])
  })

  test('a slot that was opened and left again is removed; the main one stays', () => {
    const opened = book('account-2', [MAIN, skipper], ['account-2', null])
    expect(accountListReducer(opened, { type: 'slot.used', slot: MAIN })).toEqual(book(MAIN, [MAIN, skipper]))
    const left = book('account-2', [MAIN, null], ['account-2', mate])
    expect(accountListReducer(left, { type: 'slot.used', slot: 'account-2' })).toBe(left)
    expect(freeSlot(left)).toBe(MAIN)
  })

  test('a signed-out account is no longer listed; the slot in use stays for the next one', () => {
    const two = book('account-2', [MAIN, skipper], ['account-2', mate])
    expect(accountListReducer(two, { type: 'account.gone', slot: 'account-2' })).toEqual(
      book('account-2', [MAIN, skipper], ['account-2', null]),
    )
    expect(accountListReducer({ ...two, last: MAIN }, { type: 'account.gone', slot: 'account-2' })).toEqual(
      book(MAIN, [MAIN, skipper]),
    )
    expect(accountListReducer(NO_ACCOUNTS, { type: 'account.gone', slot: MAIN })).toBe(NO_ACCOUNTS)
  })

  test('an account is not listed twice: the newer session is kept', () => {
    const opened = book('account-2', [MAIN, skipper], ['account-2', null])
    expect(twinsOf(opened, 'account-2', 'u1')).toEqual([MAIN])
    expect(accountListReducer(opened, seen('account-2', skipper))).toEqual(
      book('account-2', [MAIN, null], ['account-2', skipper]),
    )
    const other = book(MAIN, [MAIN, null], ['account-2', skipper])
    expect(accountListReducer(other, seen(MAIN, skipper))).toEqual(book(MAIN, [MAIN, skipper]))
  })

  test('each session has its own key; the first keeps the old one', () => {
    expect(storageKeyOf('http://a:1', MAIN)).toBe('chartroom.session.http://a:1')
    expect(storageKeyOf('http://a:1', 'account-2')).toBe('chartroom.session.http://a:1#account-2')
  })
})

describe('the initial slot of a page', () => {
  const two = book(MAIN, [MAIN, skipper], ['account-2', mate])
  const url = 'http://a:1'
  const at = (search: string, ...stored: readonly string[]) => ({
    url,
    search,
    isStored: (key: string) => stored.includes(key),
  })
  const second = storageKeyOf(url, 'account-2')

  test.each([
    ['an address without a code stays', at('', `${second}-code-verifier`), MAIN],
    ['a failed link stays', at('?error=access_denied&error_code=otp_expired'), MAIN],
    [
      'a code goes to the slot where its sign-in began',
      at('?code=c', `${second}-code-verifier`),
      'account-2',
    ],
    [
      'a code of a named flow goes to the slot of that flow',
      at(
        '?code=c&sb_flow_id=f',
        `${storageKeyOf(url, MAIN)}-code-verifier`,
        `${second}-flow-f-code-verifier`,
      ),
      'account-2',
    ],
    [
      'a code that two slots wait for stays in the slot of the tab',
      at('?code=c', `${second}-code-verifier`, `${storageKeyOf(url, MAIN)}-code-verifier`),
      MAIN,
    ],
    ['a code of another browser stays', at('?code=c'), MAIN],
  ])('%s', (_, arrival, slot) => {
    expect(startingSlot(two, MAIN, arrival)).toBe(slot)
  })

  test('a tab stays in its slot, unless that slot ended in another tab', () => {
    expect(startingSlot(two, 'account-2', at(''))).toBe('account-2')
    expect(startingSlot(two, 'account-3', at(''))).toBe(MAIN)
    expect(startingSlot(two, null, at(''))).toBe(MAIN)
  })

  test('in a signed-out slot, a code signs in there', () => {
    expect(startingSlot(NO_ACCOUNTS, MAIN, at('?code=c'))).toBe(MAIN)
  })
})
