// Compares plain data by structure.
import { isPlain } from './codec/values.ts'

/**
 * Compares by structure, regardless of the order of keys.
 * @param compare compares objects that are neither arrays nor plain; by default they are equal only if
 *   identical
 */
export function isEqual(
  a: unknown,
  b: unknown,
  compare: (a: object, b: object) => boolean = () => false,
): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, at) => isEqual(item, b[at], compare))
  }
  if (!isPlain(a) || !isPlain(b)) return compare(a, b)
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && isEqual(Reflect.get(a, key), Reflect.get(b, key), compare))
  )
}
