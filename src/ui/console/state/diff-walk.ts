// Computes the changes between two values step by step, so that huge values do not block the page; also as a
// JSON patch.
import { membersOf, bytesOf, isPlainLeaf } from './json-nodes.ts'
import type { ChangeMark } from './tree-row.ts'
import { below } from './state-path.ts'
import {
  ActorReference,
  encodeCompact,
  encodeValue,
  Equivalence,
  isEqual,
  Opaque,
  webText,
} from '../../../trace/index.ts'

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
  const found = yield* compare(before, after, 0, { pairs: new Map(), same: new Equivalence() })
  const changes: Change[] = []
  list(found, '', false, changes, limit)
  return { changes, total: found.total }
}

/** The changes between two values, which are found once for each pair of objects, however often it occurs. */
interface Changes {
  readonly total: number
  /** Present if the values differ as wholes. */
  readonly whole?: readonly [before: unknown, after: unknown]
  readonly members: readonly MemberChange[]
}

interface MemberChange {
  readonly key: string
  readonly inList: boolean
  /** Either it was added or removed, or something in it changed. */
  readonly change: { readonly mark: 'added' | 'removed'; readonly value: unknown } | Changes
}

const NONE: Changes = { total: 0, members: [] }

interface Compared {
  readonly pairs: Map<object, Map<object, Changes>>
  readonly same: Equivalence
}

type Steps<T> = Generator<void, T, void>

/** Lists changes in order, up to the limit. */
function list(
  { whole, members }: Changes,
  pointer: string,
  inList: boolean,
  out: Change[],
  limit: number,
): void {
  if (out.length >= limit) return
  if (whole) out.push({ mark: 'changed', pointer, before: whole[0], after: whole[1], inList })
  for (const { key, inList: isItem, change } of members) {
    if (out.length >= limit) return
    const place = below(pointer, key)
    if (!('mark' in change)) list(change, place, isItem, out, limit)
    else if (change.mark === 'added')
      out.push({ mark: 'added', pointer: place, after: change.value, inList: isItem })
    else out.push({ mark: 'removed', pointer: place, before: change.value, inList: isItem })
  }
}

function* compare(before: unknown, after: unknown, depth: number, compared: Compared): Steps<Changes> {
  yield
  if (Object.is(before, after)) return NONE
  if (!isObject(before) || !isObject(after) || isPlainLeaf(before) || isPlainLeaf(after))
    return isSameLeaf(before, after) ? NONE : { total: 1, whole: [before, after], members: [] }
  const ofBefore = compared.pairs.get(before) ?? new Map<object, Changes>()
  const known = ofBefore.get(after)
  if (known) return known
  // For objects that contain themselves.
  compared.pairs.set(before, ofBefore.set(after, NONE))
  const found = yield* compareObjects(before, after, depth, compared)
  ofBefore.set(after, found)
  return found
}

function* compareObjects(before: object, after: object, depth: number, compared: Compared): Steps<Changes> {
  const isSameKind = kindOf(before) === kindOf(after)
  if (!isSameKind || depth > DEEPEST)
    return isSameKind && isSame(before, after, compared.same)
      ? NONE
      : { total: 1, whole: [before, after], members: [] }
  const members: MemberChange[] = []
  if (before instanceof Set && after instanceof Set)
    yield* compareLists([...before], [...after], depth, compared, members)
  else if (Array.isArray(before) && Array.isArray(after))
    yield* compareLists(before, after, depth, compared, members)
  else yield* compareMembers(before, after, depth, compared, members)
  const total = members.reduce((sum, { change }) => sum + ('mark' in change ? 1 : change.total), 0)
  return total === 0 ? NONE : { total, members }
}

function* compareMembers(
  before: object,
  after: object,
  depth: number,
  compared: Compared,
  members: MemberChange[],
): Steps<void> {
  const [was, is] = [membersOf(before), membersOf(after)]
  const [hadKey, hasKey] = [hasMember(before, was.keys), hasMember(after, is.keys)]
  for (const key of was.keys) {
    if (!hasKey(key)) {
      members.push({ key, inList: false, change: { mark: 'removed', value: was.get(key) } })
      continue
    }
    const change = yield* compare(was.get(key), is.get(key), depth + 1, compared)
    if (change.total > 0) members.push({ key, inList: false, change })
  }
  for (const key of is.keys) {
    yield
    if (!hadKey(key)) members.push({ key, inList: false, change: { mark: 'added', value: is.get(key) } })
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
  depth: number,
  compared: Compared,
  members: MemberChange[],
): Steps<void> {
  const { pairs, removed, added } = yield* alignLists(before, after, compared.same)
  for (const place of removed.toReversed())
    members.push({ key: String(place), inList: true, change: { mark: 'removed', value: before[place] } })
  for (const place of added)
    members.push({ key: String(place), inList: true, change: { mark: 'added', value: after[place] } })
  for (const [was, is] of pairs) {
    const change = yield* compare(before[was], after[is], depth + 1, compared)
    if (change.total > 0) members.push({ key: String(is), inList: true, change })
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
function* alignLists(before: List, after: List, same: Equivalence): Generator<void, Alignment, void> {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isSame(before[head], after[head], same)) {
    head += 1
    yield
  }
  let tail = 0
  while (tail < shorter - head && isSame(before.at(-1 - tail), after.at(-1 - tail), same)) {
    tail += 1
    yield
  }
  const middle = yield* matchMiddle(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
    same,
  )
  return spread(middle, { head, before: before.length - tail, after: after.length - tail })
}

type Pairs = readonly (readonly [number, number])[]

/** Finds items present in both lists in the same order. */
function* matchMiddle(before: List, after: List, same: Equivalence): Generator<void, Pairs, void> {
  const [rows, columns] = [before.length, after.length]
  if (rows === 0 || columns === 0 || rows * columns > MOST_PAIRS) return []
  const longest = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1))
  const isPair = Array.from({ length: rows }, () => new Uint8Array(columns))
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const isOne = isSameItem(before[row], after[column], same)
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
function isSameItem(a: unknown, b: unknown, same: Equivalence): boolean {
  const [one, other] = [idOf(a), idOf(b)]
  return one === undefined || other === undefined ? isSame(a, b, same) : one === other
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

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Compares deeply; adds the objects that are equal to `same`. */
function isSame(a: unknown, b: unknown, same: Equivalence): boolean {
  return isEqual(a, b, areSameObjects, same)
}

/** Compares objects other than lists and plain ones. */
function areSameObjects(a: object, b: object): boolean {
  if (kindOf(a) !== kindOf(b) || isPlainLeaf(a) !== isPlainLeaf(b)) return false
  if (isPlainLeaf(a)) return isSameLeaf(a, b)
  return JSON.stringify(encodeCompact(a)) === JSON.stringify(encodeCompact(b))
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
