// Counts wrong attempts for each code sent: after a few, the code is void. Its link cannot be guessed and
// stays valid.
import type { TokenType } from '../mail/one-time-tokens.ts'
import type { UserRow } from '../accounts/users.ts'

export interface WrongCodes {
  /** Whether the code sent at that time is void. */
  isVoid(user: UserRow, type: TokenType, sentAt: string): boolean
  add(user: UserRow, type: TokenType, sentAt: string): void
}

const WRONG_ALLOWED = 5
/** Codes that were sent long ago have expired anyway. */
const COUNTS_KEPT = 10_000

/** Counts in memory, because writes of a refused request are rolled back. */
export function createWrongCodes(): WrongCodes {
  const counts = new Map<string, number>()
  const keyOf = ({ id }: UserRow, type: TokenType, sentAt: string) => `${id} ${type} ${sentAt}`
  return {
    isVoid: (...code) => (counts.get(keyOf(...code)) ?? 0) >= WRONG_ALLOWED,
    add(...code) {
      const key = keyOf(...code)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      const oldest = counts.keys().next().value
      if (counts.size > COUNTS_KEPT && oldest !== undefined) counts.delete(oldest)
    },
  }
}
