// Computes the changes between two values step by step, so that huge values do not block the page; also as a
// JSON patch.
import { membersOf, bytesOf, isPlainLeaf } from './json-nodes.ts'
import type { ChangeMark } from './tree-row.ts'
import { below } from './state-path.ts'
import { ActorReference, Opaque, webText, encodeValue } from '../../../trace/index.ts'

/** Maximum listed changes; further ones are only counted. */
const CHANGES_LISTED = 5_000
const DEEPEST = 250

/** One change. Applied in order, like a JSON patch, the changes turn one value into the other. */
export interface Change {
  readonly mark: ChangeMark
  /** For an item removed from a list, its position before removal. */
  readonly pointer: string
  readonly before?: unknown
  readonly after?: unknown
  /** Whether its parent is a list. */
  readonly inList: boolean
}

export interface Difference {
  readonly changes: readonly Change[]
  readonly total: number
}

/** Counts the listed changes by kind: `+2 ±1 −3`. */
export function countsOf({ changes }: Difference): string {
  const counted = (mark: ChangeMark) => changes.filter(change => change.mark === mark).length
  const parts = [
    ['+', counted('added')],
    ['±', counted('changed')],
    ['−', counted('removed')],
  ] as const
  return parts.flatMap(([sign, number]) => (number > 0 ? [`${sign}${number}`] : [])).join(' ')
}

/** Yields periodically; returns the changes. `limit` is the maximum number of listed ones. */
export function* diffSteps(
  before: unknown,
  after: unknown,
  limit = CHANGES_LISTED,
): Generator<void, Difference, void> {
  const changes: Change[] = []
  let total = 0
  const note = (change: Change) => {
    total += 1
    if (changes.length < limit) changes.push(change)
  }
  yield* compare(before, after, { pointer: '', depth: 0, inList: false, note })
  return { changes, total }
}

interface At {
  readonly pointer: string
  readonly depth: number
  readonly inList: boolean
  readonly note: (change: Change) => void
}

type Steps = Generator<void, void, void>

function* compare(before: unknown, after: unknown, at: At): Steps {
  yield
  if (Object.is(before, after)) return
  if (isLeaf(before) || isLeaf(after) || kindOf(before) !== kindOf(after) || at.depth > DEEPEST) {
    const { pointer, inList } = at
    if (!isSameLeaf(before, after)) at.note({ mark: 'changed', pointer, before, after, inList })
  } else if (before instanceof Set && after instanceof Set) {
    yield* compareLists([...before], [...after], at)
  } else if (Array.isArray(before) && Array.isArray(after)) {
    yield* compareLists(before, after, at)
  } else {
    yield* compareMembers(before, after, at)
  }
}

function* compareMembers(before: unknown, after: unknown, { pointer, depth, note }: At): Steps {
  const [was, is] = [membersOf(before), membersOf(after)]
  const [hadKey, hasKey] = [hasMember(before, was.keys), hasMember(after, is.keys)]
  for (const key of was.keys) {
    const own = below(pointer, key)
    if (hasKey(key)) {
      yield* compare(was.get(key), is.get(key), { pointer: own, depth: depth + 1, inList: false, note })
    } else note({ mark: 'removed', pointer: own, before: was.get(key), inList: false })
  }
  for (const key of is.keys) {
    yield
    if (!hadKey(key)) note({ mark: 'added', pointer: below(pointer, key), after: is.get(key), inList: false })
  }
}

/** Returns whether a value has a member; asks the value itself if that is fast. */
function hasMember(value: unknown, keys: readonly string[]): (key: string) => boolean {
  const isNamed = value instanceof Map || value instanceof Set || value instanceof Error
  if (typeof value === 'object' && value !== null && !isNamed) return key => Object.hasOwn(value, key)
  const all = new Set(keys)
  return key => all.has(key)
}

/** Removes from last to first, then adds from first to last, so that positions are right when applied. */
function* compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  { pointer, depth, note }: At,
): Steps {
  const { pairs, removed, added } = yield* alignLists(before, after)
  for (const place of removed.toReversed())
    note({ mark: 'removed', pointer: below(pointer, String(place)), before: before[place], inList: true })
  for (const place of added)
    note({ mark: 'added', pointer: below(pointer, String(place)), after: after[place], inList: true })
  for (const [was, is] of pairs) {
    const own = below(pointer, String(is))
    yield* compare(before[was], after[is], { pointer: own, depth: depth + 1, inList: true, note })
  }
}

/** Above this many comparisons, items are paired by position. */
const MOST_PAIRS = 10_000
const IDS = ['id', 'key', 'path', 'ref', 'name'] as const

interface Alignment {
  /** Positions of compared items before and after, ascending. */
  readonly pairs: readonly (readonly [before: number, after: number])[]
  readonly removed: readonly number[]
  readonly added: readonly number[]
}

type List = readonly unknown[]

/** Yields periodically. */
function* alignLists(before: List, after: List): Generator<void, Alignment, void> {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isSame(before[head], after[head])) {
    head += 1
    yield
  }
  let tail = 0
  while (tail < shorter - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) {
    tail += 1
    yield
  }
  const middle = yield* matchMiddle(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  )
  return spread(middle, { head, before: before.length - tail, after: after.length - tail })
}

type Pairs = readonly (readonly [number, number])[]

/** Finds items present in both lists in the same order. */
function* matchMiddle(before: List, after: List): Generator<void, Pairs, void> {
  const [rows, columns] = [before.length, after.length]
  if (rows === 0 || columns === 0 || rows * columns > MOST_PAIRS) return []
  const longest = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1))
  const isPair = Array.from({ length: rows }, () => new Uint8Array(columns))
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const isOne = isSameItem(before[row], after[column])
      const [own, next] = [longest[row], longest[row + 1]]
      if (!own || !next) continue
      if (isOne) isPair[row]?.fill(1, column, column + 1)
      own[column] = isOne ? (next[column + 1] ?? 0) + 1 : Math.max(next[column] ?? 0, own[column + 1] ?? 0)
      yield
    }
  }
  const pairs: (readonly [number, number])[] = []
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    if (isPair[row]?.[column] === 1) pairs.push([row++, column++])
    else if ((longest[row + 1]?.[column] ?? 0) >= (longest[row]?.[column + 1] ?? 0)) row += 1
    else column += 1
  }
  return pairs
}

/** Items with the same id are the same item, regardless of other changes. */
function isSameItem(a: unknown, b: unknown): boolean {
  const [one, other] = [idOf(a), idOf(b)]
  return one === undefined || other === undefined ? isSame(a, b) : one === other
}

function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined
  const name = IDS.find(key => Object.hasOwn(item, key))
  const id: unknown = name === undefined ? undefined : Reflect.get(item, name)
  return typeof id === 'string' || typeof id === 'number' ? `${name} ${id}` : undefined
}

/** Pairs the items between matched ones by position; the rest was added or removed. */
function spread(
  middle: Pairs,
  end: { readonly head: number; readonly before: number; readonly after: number },
): Alignment {
  const pairs: (readonly [number, number])[] = []
  const [removed, added]: [number[], number[]] = [[], []]
  let [row, column] = [end.head, end.head]
  const closeGap = (toRow: number, toColumn: number) => {
    while (row < toRow && column < toColumn) pairs.push([row++, column++])
    while (row < toRow) removed.push(row++)
    while (column < toColumn) added.push(column++)
  }
  for (const [atRow, atColumn] of middle) {
    closeGap(end.head + atRow, end.head + atColumn)
    pairs.push([row++, column++])
  }
  closeGap(end.before, end.after)
  return { pairs, removed, added }
}

/** Returns a value's kind; only values of the same kind are compared member by member. */
function kindOf(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value) : typeof value
}

/** Whether the value is compared as a whole. */
function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null || isPlainLeaf(value)
}

/** Compares deeply. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (kindOf(a) !== kindOf(b) || isLeaf(a) !== isLeaf(b)) return false
  if (isLeaf(a)) return isSameLeaf(a, b)
  const [one, other] = [membersOf(a), membersOf(b)]
  if (one.keys.length !== other.keys.length) return false
  const isKnown = Array.isArray(b) ? () => true : hasMember(b, other.keys)
  return one.keys.every(key => isKnown(key) && isSame(one.get(key), other.get(key)))
}

/** Compares two different objects as wholes. */
function isSameLeaf(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime())
  if (a instanceof ActorReference && b instanceof ActorReference) return a.path === b.path
  if (a instanceof Opaque && b instanceof Opaque) return a.kind === b.kind && a.name === b.name
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const text = webText(a)
  if (text !== undefined) return text === webText(b)
  const [one, other] = [bytesOf(a), bytesOf(b)]
  return (
    one !== undefined &&
    other !== undefined &&
    one.length === other.length &&
    one.every((byte, at) => byte === other[at])
  )
}

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

/** Returns the patch from one snapshot to the other. */
export function jsonPatch(before: unknown, after: unknown): readonly PatchOperation[] {
  const steps = diffSteps(encodeValue(before), encodeValue(after), Number.POSITIVE_INFINITY)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value.changes.map(operation)
  }
}

function operation({ mark, pointer, after }: Change): PatchOperation {
  if (mark === 'removed') return { op: 'remove', path: pointer }
  return { op: mark === 'added' ? 'add' : 'replace', path: pointer, value: after }
}
