// Searches the names and values within a value step by step, so that huge values do not block the page.
import { bytesOf, describe, membersOf } from './json-nodes.ts'
import { below } from './state-path.ts'

/** Maximum listed matches; further ones are only counted. */
const HITS_LISTED = 5_000
/** Deeper than any stored value. */
const DEEPEST = 250

/** A path to a match. */
export interface HitNode {
  readonly kids: ReadonlyMap<string, HitNode>
}

interface Growing extends HitNode {
  readonly kids: Map<string, Growing>
}

export interface Found {
  readonly text: string
  /** Pointers in the order of the value, up to the maximum. */
  readonly pointers: readonly string[]
  readonly total: number
  readonly tree: HitNode
}

/** The matches in an object, which are found once, however often it occurs. */
interface Matches {
  readonly total: number
  /** The members that match, or contain matches. */
  readonly members: readonly { readonly key: string; readonly isHit: boolean; readonly inner: Matches }[]
}

const NONE: Matches = { total: 0, members: [] }

/** Yields periodically; returns the matches. */
export function* searchValue(root: unknown, text: string): Generator<void, Found, void> {
  const wanted = text.toLowerCase()
  const matches = wanted === '' ? NONE : yield* matchesIn(root, wanted, 0, new Map())
  const tree: Growing = { kids: new Map() }
  const pointers: string[] = []
  list(matches, '', tree, pointers)
  return { text, pointers, total: matches.total, tree }
}

function* matchesIn(
  value: unknown,
  wanted: string,
  level: number,
  known: Map<object, Matches>,
): Generator<void, Matches, void> {
  if (typeof value !== 'object' || value === null || level >= DEEPEST) return NONE
  const found = known.get(value)
  if (found) return found
  // For an object that contains itself.
  known.set(value, NONE)
  const { keys, get } = membersOf(value)
  const members: Matches['members'][number][] = []
  let total = 0
  for (const key of keys) {
    const item = get(key)
    // Names of the parts do not belong to the value.
    const isNamed = level > 0 && key.toLowerCase().includes(wanted)
    const isHit = isNamed || textOf(item).toLowerCase().includes(wanted)
    yield
    const inner = yield* matchesIn(item, wanted, level + 1, known)
    if (isHit || inner.total > 0) members.push({ key, isHit, inner })
    total += inner.total + (isHit ? 1 : 0)
  }
  const matches = { total, members }
  known.set(value, matches)
  return matches
}

/** Lists the places of the matches in the order of the value, up to the maximum. */
function list({ members }: Matches, pointer: string, at: Growing, pointers: string[]): void {
  for (const { key, isHit, inner } of members) {
    if (pointers.length >= HITS_LISTED) return
    const place = below(pointer, key)
    const kid: Growing = { kids: new Map() }
    at.kids.set(key, kid)
    if (isHit) pointers.push(place)
    list(inner, place, kid, pointers)
  }
}

/** Returns a value's searchable text; its members are searched separately. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value) || bytesOf(value)) return ''
  const { kind, preview } = describeLeaf(value)
  return kind === 'record' || kind === 'error' ? '' : preview
}

const PLAIN = { kind: 'record', preview: '' } as const
/** Records are not described: listing their names takes as long as walking them. */
const describeLeaf = (value: object) =>
  Object.getPrototypeOf(value) === Object.prototype ? PLAIN : describe(value)

/** Part of a text, and whether it matches. */
export interface Stretch {
  /** Start offset. */
  readonly from: number
  readonly text: string
  readonly isHit: boolean
}

/** Splits a text into matching and other parts. */
export function stretches(text: string, wanted: string): readonly Stretch[] {
  const parts: Stretch[] = []
  const add = (from: number, to: number, isHit: boolean) => {
    if (to > from) parts.push({ from, text: text.slice(from, to), isHit })
  }
  const [lower, key] = [text.toLowerCase(), wanted.toLowerCase()]
  let from = 0
  for (let at = key === '' ? -1 : lower.indexOf(key); at >= 0; at = lower.indexOf(key, from)) {
    add(from, at, false)
    add(at, at + key.length, true)
    from = at + key.length
  }
  add(from, text.length, false)
  return parts
}

/** Quotes the part of a long text around the match; undefined if the beginning already shows it. */
export function excerpt(text: string, wanted: string, shown: number): string | undefined {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0 || at + wanted.length <= shown) return undefined
  return `…${JSON.stringify(text.slice(Math.max(0, at - 20), at + wanted.length + 60))}`
}
