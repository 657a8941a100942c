// Compares plain data by structure.
import { Equivalence } from './codec/equivalence.ts'
import { isPlain } from './codec/values.ts'

/**
 * Compares by structure, regardless of the order of keys. Each object is compared once, without recursion.
 * @param compare compares objects that are neither arrays nor plain; by default they are equal only if
 *   identical
 * @param known objects that are equal; those found equal are added
 */
export function isEqual(
  a: unknown,
  b: unknown,
  compare: (a: object, b: object) => boolean = () => false,
  known?: Equivalence,
): boolean {
  const pending: unknown[] = [a, b]
  const equal = new Equivalence(known)
  while (pending.length > 0) {
    const [other, one] = [pending.pop(), pending.pop()]
    if (Object.is(one, other)) continue
    if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
    if (Array.isArray(one) !== Array.isArray(other)) return false
    if (!Array.isArray(one) && (!isPlain(one) || !isPlain(other))) {
      if (!compare(one, other)) return false
      continue
    }
    if (!equal.merge(one, other)) continue
    const keys = Array.isArray(one) ? one.keys() : Object.keys(one)
    const size = Array.isArray(one) ? one.length : Object.keys(one).length
    if (size !== (Array.isArray(other) ? other.length : Object.keys(other).length)) return false
    for (const key of keys) {
      if (!Array.isArray(other) && !Object.hasOwn(other, key)) return false
      const mine: unknown = Reflect.get(one, key)
      const theirs: unknown = Reflect.get(other, key)
      if (!Object.is(mine, theirs)) pending.push(mine, theirs)
    }
  }
  equal.commit()
  return true
}
