// Computes the difference of two plain values by path, as data.
import { encodeCompact } from './codec/codec.ts'
import { Equivalence } from './codec/equivalence.ts'
import type { Json } from './codec/json.ts'
import { withSharedParts } from './codec/shared-parts.ts'
import { webText } from './codec/web-values.ts'
import { isEqual } from './equal.ts'

export interface ValueDiff {
  readonly added: Readonly<Record<string, unknown>>
  readonly removed: Readonly<Record<string, unknown>>
  /** Before and after. */
  readonly updated: Readonly<Record<string, readonly [unknown, unknown]>>
  /** True if there are more differences than the limit, or more values than were compared. */
  readonly truncated: boolean
}

/** Bounds the cost: longer diffs are not useful to readers. */
const MAX_PATHS = 200
const MAX_DEPTH = 40
const MAX_OBJECTS = 2_000_000

/**
 * Compares by structure. Paths are JSON Pointers (`/session/exp`; the empty path is the whole value).
 * Identical objects are skipped, so a diff of two successive contexts costs only what changed.
 */
export function diffValues(before: unknown, after: unknown, limit = MAX_PATHS): ValueDiff {
  const found: Found = {
    added: {},
    removed: {},
    updated: {},
    left: limit,
    truncated: false,
    objects: MAX_OBJECTS,
    equal: new Equivalence(),
  }
  walk(before, after, '', found, 0)
  const { added, removed, updated, truncated } = found
  return { added, removed, updated, truncated }
}

/** The paths at which two values differ, in the order found. */
export function changedPaths(diff: ValueDiff): string[] {
  return [...Object.keys(diff.updated), ...Object.keys(diff.added), ...Object.keys(diff.removed)]
}

/** Lists the differences of two values that were encoded as graphs, in a form that can be written as text. */
export function listedChanges(diff: ValueDiff): { path: string; before: unknown; after: unknown }[] {
  return changedPaths(diff).map(path => ({
    path,
    before: withParts(diff.updated[path]?.[0] ?? diff.removed[path]),
    after: withParts(diff.updated[path]?.[1] ?? diff.added[path]),
  }))
}

/** Longer values refer to what occurs in them several times. */
const SHORT = 2 ** 14

const withParts = (json: unknown): unknown =>
  json === undefined ? undefined : withSharedParts(json as Json, SHORT)

interface Found {
  added: Record<string, unknown>
  removed: Record<string, unknown>
  updated: Record<string, readonly [unknown, unknown]>
  left: number
  truncated: boolean
  /** Number of objects that may still be compared. */
  objects: number
  /** Objects without a difference, since values may contain the same object many times. */
  readonly equal: Equivalence
}

function note(found: Found, write: () => void): void {
  if (found.left === 0) {
    found.truncated = true
    return
  }
  found.left -= 1
  write()
}

function walk(before: unknown, after: unknown, path: string, found: Found, depth: number): void {
  if (Object.is(before, after) || found.truncated) return
  const isPair = typeof before === 'object' && typeof after === 'object' && before && after
  if (isPair && found.equal.has(before, after)) return
  if (isPair && --found.objects < 0) {
    found.truncated = true
    return
  }
  const { left } = found
  const isLeaf = !isPair || kindOf(before) !== kindOf(after) || !hasMembers(before) || !hasMembers(after)
  if (isLeaf || depth >= MAX_DEPTH) {
    const isSame = isLeaf ? sameLeaf(before, after) : isEqual(before, after, sameForm, found.equal)
    if (!isSame) note(found, () => (found.updated[path] = [before, after]))
    return
  }
  const [a, b] = [members(before), members(after)]
  for (const key of a.keys) {
    const [mine, theirs] = [a.get(key), b.get(key)]
    // Most members of large records are equal, so their paths are not needed.
    if (Object.is(mine, theirs) && (mine !== undefined || b.has(key))) continue
    const at = `${path}/${escapeKey(key)}`
    if (b.has(key)) walk(mine, theirs, at, found, depth + 1)
    else note(found, () => (found.removed[at] = mine))
  }
  for (const key of b.keys)
    if (!a.has(key)) note(found, () => (found.added[`${path}/${escapeKey(key)}`] = b.get(key)))
  if (found.left === left && !found.truncated) found.equal.merge(before, after)
}

/** Compares objects other than lists and plain ones that are nested too deeply for paths. */
const sameForm = (a: object, b: object): boolean =>
  JSON.stringify(encodeCompact(a)) === JSON.stringify(encodeCompact(b))

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value)
}

function hasMembers(value: object): boolean {
  return !(value instanceof Date || value instanceof ArrayBuffer || webText(value) !== undefined)
}

/** Members by name. */
interface Members {
  readonly keys: Iterable<string>
  readonly has: (key: string) => boolean
  readonly get: (key: string) => unknown
}

function members(value: object): Members {
  if (value instanceof Map) return named([...value].map(([key, item]) => [String(key), item]))
  if (value instanceof Set) return named([...value].map((item, at) => [String(at), item]))
  if (value instanceof Error) {
    const own = ['name', 'message', 'cause'] as const
    return named([...own.map((key): [string, unknown] => [key, value[key]]), ...Object.entries(value)])
  }
  const has = (key: string) => Object.hasOwn(value, key)
  return {
    keys: Object.keys(value),
    has,
    get: key => (has(key) ? (Reflect.get(value, key) as unknown) : undefined),
  }
}

function named(entries: readonly [string, unknown][]): Members {
  const byName = new Map(entries)
  return { keys: byName.keys(), has: key => byName.has(key), get: key => byName.get(key) }
}

function sameLeaf(before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object' || !before || !after) return false
  if (before instanceof Date) return after instanceof Date && before.getTime() === after.getTime()
  const text = webText(before)
  return text !== undefined && text === webText(after)
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
