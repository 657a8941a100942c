// Walks values of any shape: each object once, without recursion, and only up to a limit.
import { ownField, type PathKey, pointerOf } from './object-path.ts'
import { ActorReference, isPlain, Opaque } from './values.ts'

/** A value, and the place where it was first found. */
export interface FoundValue {
  readonly value: unknown
  /** Name in its owner; empty for the value that the walk began with. */
  readonly key: PathKey
  readonly owner: FoundValue | undefined
  /** Number of owners. */
  readonly depth: number
}

export interface WalkOptions {
  /** Maximum number of values that are visited; 1,024 characters of a text count as one. */
  readonly limit?: number
  /** Whether the members of an object are visited, too. */
  readonly enters?: (object: object, found: FoundValue) => boolean
  /** Visits an object again wherever it occurs, without its members. */
  readonly repeats?: boolean
  /** Lists the members of an object. */
  readonly membersOf?: (object: object) => Members
}

/** The members of an object, which are read by position. */
export interface Members {
  readonly size: number
  readonly keyAt: (at: number) => PathKey
  readonly valueAt: (at: number) => unknown
}

const TEXT_UNIT = 1024

/**
 * Visits a value and everything in it, owners before their members, in the order of their keys. An object that
 * occurs several times, or contains itself, is visited where it is found first. Runs no getter.
 */
export class ValueWalk implements Iterable<FoundValue> {
  readonly #root: unknown
  readonly #options: WalkOptions
  /** Number of values that were visited so far. */
  visited = 0
  /** False if the walk ended at its limit. */
  isComplete = true

  constructor(root: unknown, options: WalkOptions = {}) {
    this.#root = root
    this.#options = options
  }

  *[Symbol.iterator](): Generator<FoundValue, void, void> {
    const { limit = Number.POSITIVE_INFINITY, enters, repeats, membersOf = writtenMembers } = this.#options
    const seen = new Set<object>()
    const path: { readonly found: FoundValue; readonly members: Members; at: number }[] = []
    let cost = 0
    let next: FoundValue | undefined = { value: this.#root, key: '', owner: undefined, depth: 0 }
    for (;;) {
      if (next) {
        const { value } = next
        cost += typeof value === 'string' ? 1 + Math.floor(value.length / TEXT_UNIT) : 1
        if (cost > limit) {
          this.isComplete = false
          return
        }
        this.visited += 1
        yield next
        if (isObject(value) && !seen.has(value)) {
          seen.add(value)
          if (enters?.(value, next) !== false) {
            const members = membersOf(value)
            if (members.size > 0) path.push({ found: next, members, at: 0 })
          }
        }
        next = undefined
      }
      const top = path.at(-1)
      if (!top) return
      if (top.at === top.members.size) {
        path.pop()
        continue
      }
      const at = top.at++
      const value = top.members.valueAt(at)
      if (!repeats && isObject(value) && seen.has(value)) continue
      next = { value, key: top.members.keyAt(at), owner: top.found, depth: top.found.depth + 1 }
    }
  }
}

/** Returns the JSON Pointer of the place where a value was found. */
export function pointerTo(found: FoundValue): string {
  const keys: PathKey[] = []
  for (let at = found; at.owner; at = at.owner) keys.push(at.key)
  return pointerOf(keys.reverse())
}

/** Whether a value has more than this many parts when each is counted wherever it occurs, as in its text. */
export function isLargerThan(value: unknown, most: number): boolean {
  const pending: unknown[] = [value]
  let left = most
  while (pending.length > 0) {
    const item = pending.pop()
    if (--left < 0) return true
    if (!isObject(item)) continue
    const { size, valueAt } = writtenMembers(item)
    if (size > left) return true
    for (let at = 0; at < size; at++) pending.push(valueAt(at))
  }
  return false
}

/** Number of parts of a value when each object is counted once. */
export function partsIn(value: unknown): number {
  const walk = new ValueWalk(value)
  for (const _found of walk);
  return walk.visited
}

const NO_MEMBERS: Members = { size: 0, keyAt: () => '', valueAt: () => undefined }

/** Fields of errors that are not enumerable. */
const HIDDEN = ['message', 'cause', 'errors'] as const

/** Longer lists may be sparse: only their items are visited, not their holes. */
const MOST_DENSE = 10_000

/** The members that are written to traces, under their keys in JSON Pointers. A map's keys and values alternate. */
function writtenMembers(object: object): Members {
  if (Array.isArray(object))
    return object.length <= MOST_DENSE ? listOf(object) : membersAt(object, sparseKeys(object))
  if (!isPlain(object)) {
    if (object instanceof Map) return listOf([...Map.prototype.entries.call(object)].flat())
    if (object instanceof Set) return listOf([...Set.prototype.values.call(object)])
    if (isWhole(object)) return NO_MEMBERS
    if (object instanceof Error) {
      const hidden = HIDDEN.filter(key => Object.getOwnPropertyDescriptor(object, key)?.enumerable === false)
      return membersAt(object, [...hidden, ...Object.keys(object)])
    }
  }
  return membersAt(object, Object.keys(object))
}

function listOf(list: readonly unknown[]): Members {
  return { size: list.length, keyAt: at => at, valueAt: at => ownField(list, at) }
}

function membersAt(object: object, keys: readonly PathKey[]): Members {
  return { size: keys.length, keyAt: at => keys[at] ?? '', valueAt: at => ownField(object, keys[at] ?? '') }
}

const sparseKeys = (list: readonly unknown[]): PathKey[] =>
  Object.keys(list).flatMap(key => (String(Number(key)) === key ? [Number(key)] : []))

/** Objects without members that are written. */
function isWhole(value: object): boolean {
  return (
    value instanceof Date ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value) ||
    value instanceof Promise ||
    value instanceof EventTarget ||
    value instanceof Opaque ||
    value instanceof ActorReference
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
