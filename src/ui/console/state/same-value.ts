// Compares two values by everything the codec preserves.
import { ActorReference, Opaque } from '../../../trace/index.ts'
import { bytesOf, membersOf } from './json-nodes.ts'

/** Returns a value's kind; only values of the same kind are compared member by member. */
export function kindOf(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value) : typeof value
}

/** Whether the value is compared as a whole. */
export function isLeaf(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return (
    value instanceof Date ||
    value instanceof ActorReference ||
    value instanceof Opaque ||
    bytesOf(value) !== undefined
  )
}

/** Compares deeply. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (kindOf(a) !== kindOf(b) || isLeaf(a) !== isLeaf(b)) return false
  if (isLeaf(a)) return isSameLeaf(a, b)
  const [one, other] = [membersOf(a), membersOf(b)]
  if (one.keys.length !== other.keys.length) return false
  const isKnown = Array.isArray(b) ? () => true : known(b, other.keys)
  return one.keys.every(key => isKnown(key) && isSame(one.get(key), other.get(key)))
}

function known(value: unknown, keys: readonly string[]): (key: string) => boolean {
  if (value instanceof Map || value instanceof Set || value instanceof Error) {
    const all = new Set(keys)
    return key => all.has(key)
  }
  return key => Object.hasOwn(value as object, key)
}

/** Compares two different objects as wholes. */
export function isSameLeaf(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime())
  if (a instanceof ActorReference && b instanceof ActorReference) return a.path === b.path
  if (a instanceof Opaque && b instanceof Opaque) return a.kind === b.kind && a.name === b.name
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [one, other] = [bytesOf(a), bytesOf(b)]
  return (
    one !== undefined &&
    other !== undefined &&
    one.length === other.length &&
    one.every((byte, at) => byte === other[at])
  )
}
