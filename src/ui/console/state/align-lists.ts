// Aligns the items of two lists: unchanged items are matched before changed ones, by value or id.
import { isSame } from './same-value.ts'

/** Above this many comparisons, items are paired by position. */
const MOST_PAIRS = 10_000
const IDS = ['id', 'key', 'path', 'ref', 'name'] as const

export interface Alignment {
  /** Positions of compared items before and after, ascending. */
  readonly pairs: readonly (readonly [before: number, after: number])[]
  readonly removed: readonly number[]
  readonly added: readonly number[]
}

type List = readonly unknown[]

/** Yields periodically. */
export function* alignLists(before: List, after: List): Generator<void, Alignment, void> {
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
