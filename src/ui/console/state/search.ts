// Looks for a text in the names and values of a value, step by step, so that a huge one holds nothing up.
import { bytesOf, describe, membersOf } from './json-nodes.ts'
import { below } from './state-path.ts'

/** Places that are listed; more are only counted. */
const HITS_LISTED = 5_000
/** Deeper than any value is stored. */
const DEEPEST = 250

/** The way to what was found. */
export interface HitNode {
  readonly kids: ReadonlyMap<string, HitNode>
}

interface Growing extends HitNode {
  readonly kids: Map<string, Growing>
}

export interface Found {
  readonly text: string
  /** Pointers in the order of the value, at most so many as are listed. */
  readonly pointers: readonly string[]
  readonly total: number
  readonly tree: HitNode
}

/** Yields now and then; ends with what it found. */
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
      // The names of the parts are not the value's own.
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

/** What of a value itself can be found; what it holds is looked at by itself. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value) || bytesOf(value)) return ''
  const { kind, preview } = describeLeaf(value)
  return kind === 'record' || kind === 'error' ? '' : preview
}

const PLAIN = { kind: 'record', preview: '' } as const
/** Records are not described: to list their names takes as long as to walk them. */
const describeLeaf = (value: object) =>
  Object.getPrototypeOf(value) === Object.prototype ? PLAIN : describe(value)

/** A part of a text, and whether it is what was looked for. */
export interface Stretch {
  /** Where it begins. */
  readonly from: number
  readonly text: string
  readonly isHit: boolean
}

/** A text in parts, by where another stands in it. */
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

/** Of a long text the part around what was looked for, in quotes; nothing when the beginning shows it already. */
export function excerpt(text: string, wanted: string, shown: number): string | undefined {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0 || at + wanted.length <= shown) return undefined
  return `…${JSON.stringify(text.slice(Math.max(0, at - 20), at + wanted.length + 60))}`
}
