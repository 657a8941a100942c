// Accounts of one backend in this browser: the signed-in users and the storage slot of each session.
import { array, boolean, nullable, object, optional, string, type InferOutput } from 'valibot'

const userSchema = object({
  id: string(),
  email: optional(string()),
  /** Without email or provider: losing the session means losing the account. */
  isAnonymous: boolean(),
})

const slotSchema = object({
  id: string(),
  /** Null while signed out. */
  user: nullable(userSchema),
})

export const accountListSchema = object({
  /** The slot used last, in any tab. */
  last: string(),
  slots: array(slotSchema),
})

export type AccountUser = InferOutput<typeof userSchema>
export type AccountList = InferOutput<typeof accountListSchema>

/** A signed-in account. `id` is the slot's id, not the user's. */
export interface Account {
  readonly id: string
  readonly userId: string
  readonly email: string | undefined
  readonly isAnonymous: boolean
}

/** Slot of the first account; its session key is the one used before multiple accounts were supported. */
export const MAIN = 'main'

export const NO_ACCOUNTS: AccountList = { last: MAIN, slots: [{ id: MAIN, user: null }] }

export type AccountListAction =
  | { readonly type: 'account.seen'; readonly slot: string; readonly user: AccountUser }
  | { readonly type: 'account.gone'; readonly slot: string }
  | { readonly type: 'slot.used'; readonly slot: string }

const isSame = (a: AccountUser | null, b: AccountUser) =>
  a?.id === b.id && a.email === b.email && a.isAnonymous === b.isAnonymous

/** Returns the next state of the account list, or the same object if nothing changed. */
export const accountListReducer = (book: AccountList, action: AccountListAction): AccountList => {
  const { slot } = action
  const present = book.slots.find(({ id }) => id === slot)
  switch (action.type) {
    case 'account.seen': {
      const { user } = action
      const twins = book.slots.filter(each => each.id !== slot && each.user?.id === user.id)
      if (present && isSame(present.user, user) && twins.length === 0) return book
      const otherSlots = book.slots.filter(each => !twins.includes(each) || each.id === MAIN)
      const slots = otherSlots.map(each => (twins.includes(each) ? { ...each, user: null } : each))
      return {
        ...book,
        slots: present
          ? slots.map(each => (each.id === slot ? { id: slot, user } : each))
          : [...slots, { id: slot, user }],
      }
    }
    case 'account.gone': {
      if (!present || (present.user === null && (slot === MAIN || slot === book.last))) return book
      const isKept = slot === MAIN || slot === book.last
      return {
        ...book,
        slots: isKept
          ? book.slots.map(each => (each.id === slot ? { id: slot, user: null } : each))
          : book.slots.filter(each => each.id !== slot),
      }
    }
    case 'slot.used': {
      if (present && book.last === slot) return book
      // A slot that was opened for another account but has no user is removed.
      const slots = book.slots.filter(each => each.user !== null || each.id === MAIN || each.id === slot)
      return { last: slot, slots: present ? slots : [...slots, { id: slot, user: null }] }
    }
  }
}

/** Signed-in accounts, oldest first. */
export const accountsIn = (book: AccountList): readonly Account[] =>
  book.slots.flatMap(({ id, user }) =>
    user === null ? [] : [{ id, userId: user.id, email: user.email, isAnonymous: user.isAnonymous }],
  )

/** Slots in which the same user is already signed in. */
export const twinsOf = (book: AccountList, slot: string, userId: string): readonly string[] =>
  book.slots.filter(each => each.id !== slot && each.user?.id === userId).map(({ id }) => id)

/** Slot for another account: an empty one, or a new one. */
export const freeSlot = (book: AccountList): string => {
  const empty = book.slots.find(({ user }) => user === null)
  if (empty) return empty.id
  const usedIds = new Set(book.slots.map(({ id }) => id))
  let n = 2
  while (usedIds.has(`account-${n}`)) n += 1
  return `account-${n}`
}

/** Storage key of a slot's session. */
export const storageKeyOf = (url: string, slot: string): string =>
  slot === MAIN ? `chartroom.session.${url}` : `chartroom.session.${url}#${slot}`

/** Display name of an account. */
export const accountName = ({ email, isAnonymous, userId }: Omit<Account, 'id'>): string =>
  email ?? (isAnonymous ? `Guest ${userId.slice(0, 4)}` : `User ${userId.slice(0, 8)}`)
