// Computes the changes between two values step by step, so that huge values do not block the page.
import { alignLists } from './align-lists.ts'
import { membersOf } from './json-nodes.ts'
import { isLeaf, isSameLeaf, kindOf } from './same-value.ts'
import type { ChangeMark } from './tree-row.ts'
import { below } from './state-path.ts'

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
  if (typeof value === 'object' && value !== null && !(value instanceof Map) && !(value instanceof Error))
    return key => Object.hasOwn(value, key)
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
