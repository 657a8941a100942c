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

/** Yields periodically; returns the matches. */
export function* searchValue(root: unknown, text: string): Generator<void, Found, void> {
  const wanted = text.toLowerCase()
  const tree: Growing = { kids: new Map() }
  const pointers: string[] = []
  let total = 0
  const note = (names: readonly string[]) => {
    total += 1
    if (pointers.length >= HITS_LISTED) return
    pointers.push(names.reduce(below, ''))
    let at = tree
    for (const name of names) {
      const next: Growing = at.kids.get(name) ?? { kids: new Map() }
      at.kids.set(name, next)
      at = next
    }
  }
  const names: string[] = []
  function* walk(value: unknown): Generator<void, void, void> {
    const { keys, get } = membersOf(value)
    for (const key of keys) {
      const item = get(key)
      names.push(key)
      // Names of the parts do not belong to the value.
      const isNamed = names.length > 1 && key.toLowerCase().includes(wanted)
      if (isNamed || textOf(item).toLowerCase().includes(wanted)) note(names)
      yield
      if (typeof item === 'object' && item !== null && names.length < DEEPEST) yield* walk(item)
      names.pop()
    }
  }
  if (wanted !== '') yield* walk(root)
  return { text, pointers, total, tree }
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
