// Computes the difference of two plain values by path, as data.
import { webText } from './codec/web-values.ts'

export interface ValueDiff {
  readonly added: Readonly<Record<string, unknown>>
  readonly removed: Readonly<Record<string, unknown>>
  /** Before and after. */
  readonly updated: Readonly<Record<string, readonly [unknown, unknown]>>
  /** True if there are more differences than the limit. */
  readonly truncated: boolean
}

/** Bounds the cost: longer diffs are not useful to readers. */
const MAX_PATHS = 200
const MAX_DEPTH = 40

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
    equal: new Map(),
  }
  walk(before, after, '', found, 0)
  const { added, removed, updated, truncated } = found
  return { added, removed, updated, truncated }
}

/** The paths at which two values differ, in the order found. */
export function changedPaths(diff: ValueDiff): string[] {
  return [...Object.keys(diff.updated), ...Object.keys(diff.added), ...Object.keys(diff.removed)]
}

interface Found {
  added: Record<string, unknown>
  removed: Record<string, unknown>
  updated: Record<string, readonly [unknown, unknown]>
  left: number
  truncated: boolean
  /** Objects without a difference, since values may contain the same object many times. */
  readonly equal: Map<unknown, unknown>
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
  if (found.equal.get(before) === after && typeof after === 'object') return
  const { left } = found
  const a = members(before)
  const b = members(after)
  if (!a || !b || kindOf(before) !== kindOf(after) || depth >= MAX_DEPTH) {
    if (!sameLeaf(before, after)) note(found, () => (found.updated[path] = [before, after]))
    return
  }
  for (const [key, item] of a) {
    const at = `${path}/${escapeKey(key)}`
    if (b.has(key)) walk(item, b.get(key), at, found, depth + 1)
    else note(found, () => (found.removed[at] = item))
  }
  for (const [key, item] of b) {
    if (!a.has(key)) note(found, () => (found.added[`${path}/${escapeKey(key)}`] = item))
  }
  if (found.left === left && !found.truncated) found.equal.set(before, after)
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value)
}

/** Returns the members by name, or undefined for a value without members. */
function members(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [String(key), item]))
  if (value instanceof Set) return new Map([...value].map((item, at) => [String(at), item]))
  if (value instanceof Error) {
    return new Map<string, unknown>([
      ['name', value.name],
      ['message', value.message],
      ['cause', value.cause],
      ...Object.entries(value),
    ])
  }
  if (value instanceof Date || value instanceof ArrayBuffer || webText(value) !== undefined) return undefined
  return new Map(Object.entries(value))
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
