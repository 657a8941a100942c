// Texts that stay the same when a project is seeded again: without ids and times, and with names for users.
import type { AccessAccount } from './types.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?/g

/** Replaces user ids by account names, and other ids and times by placeholders. */
export function stableText(text: string, accounts: readonly AccessAccount[]): string {
  const names = new Map(
    accounts.flatMap(({ userId, name }) => (userId === undefined ? [] : [[userId, `@${name}`]])),
  )
  return text.replaceAll(UUID, id => names.get(id.toLowerCase()) ?? '#').replaceAll(TIME, 't')
}

/** Compares texts with numbers by their value. */
export const byText = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** A short hash that detects changes; not for secrets. */
export function hashOf(texts: readonly string[]): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (const letter of texts.toSorted().join('\n')) {
    const code = letter.codePointAt(0) ?? 0
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return [high, low].map(part => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Parses JSON; numbers that would lose digits stay text, which PostgreSQL reads as the same value. */
export function parseExact(text: string): unknown {
  const exact = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? context.source
      : value
  try {
    return JSON.parse(text, exact)
  } catch {
    return undefined
  }
}
