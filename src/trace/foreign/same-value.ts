// Compares two plain values.

/** By structure; values that are not plain are equal only if they are the same object. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => sameValue(item, b[at]))
    )
  const prototype: unknown = Object.getPrototypeOf(a)
  if (prototype !== Object.getPrototypeOf(b)) return false
  if (prototype !== Object.prototype) return JSON.stringify(a) === JSON.stringify(b) && a instanceof Date
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && sameValue(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
