// Compares plain values without converting them.
import { encodeValue, isPlain } from '../../../trace/index.ts'

/** Compares by structure; the order of keys does not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b)
  if (isPlain(a) && isPlain(b)) return sameFields(a, b)
  // An instance of an error subclass equals the plain error that is read from a file.
  return JSON.stringify(encodeValue(a)) === JSON.stringify(encodeValue(b))
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => sameValue(item, b[at]))
}

function sameFields(a: object, b: object): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return keys.every(key => Object.hasOwn(right, key) && sameValue(left[key], right[key]))
}
