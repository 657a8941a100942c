// The loaded rows of a table: pages of a query by number, each shown until a newer version loads.
import type { DataFailure } from '../rest/explain-failure.ts'
import { fullText, keepRelated, type RelatedColumn } from './related.ts'
import { rowKey, type Row, type TableInfo } from './schema.ts'

export const PAGE_ROWS = 100
/** Maximum number of cached pages; pages farthest from the viewport are evicted first. */
const MOST_PAGES = 60

export interface Pages {
  readonly phase: 'loading' | 'ready' | 'failed'
  /** Whether visible rows load automatically; false after a failure, until a retry. */
  readonly isReading: boolean
  /** Identifies the query and its filters. */
  readonly queryId: string
  readonly filters: string
  readonly rows: ReadonlyMap<number, readonly Row[]>
  /** Pages that are shown but need reloading. */
  readonly stale: ReadonlySet<number>
  /** Number of matching visible rows; null while unknown. */
  readonly total: number | null
  readonly isExact: boolean
  /** Different rows of one response have the same key. */
  readonly isKeyShared: boolean
  /** Keys of rows that were inserted or changed in real time. */
  readonly live: ReadonlySet<string>
  /** The last read's failure, until a later read succeeds. */
  readonly failure?: DataFailure
}

export const NO_PAGES: Pages = {
  phase: 'loading',
  isReading: false,
  queryId: '',
  filters: '',
  rows: new Map(),
  stale: new Set(),
  total: null,
  isExact: false,
  isKeyShared: false,
  live: new Set(),
}

export type PagesAction =
  /** Another sort or filter, or a reload: current rows stay visible until replaced. */
  | { readonly type: 'query.asked'; readonly queryId: string; readonly filters: string }
  | {
      readonly type: 'page.read'
      readonly page: number
      readonly rows: readonly Row[]
      /** The server returned no rows after these, or counted no more. */
      readonly isLast: boolean
      /** Different rows of one response have the same key. */
      readonly isKeyShared: boolean
      /** The server's estimated row count, if requested. */
      readonly estimate: number | null
      readonly seenCount: number
      /** A row changed during the read: the page is shown, but needs reloading. */
      readonly isOutdated: boolean
    }
  | { readonly type: 'page.failed'; readonly failure: DataFailure }
  | { readonly type: 'total.counted'; readonly total: number; readonly isExact: boolean }
  /** The total may be wrong by a few rows. */
  | { readonly type: 'total.doubted' }
  | { readonly type: 'rows.touched'; readonly keys: readonly string[]; readonly shift: number }
  /** Rows that are no longer news. */
  | { readonly type: 'rows.faded'; readonly keys: ReadonlySet<string> }
  | { readonly type: 'rows.gone'; readonly info: TableInfo; readonly keys: ReadonlySet<string> }
  | {
      readonly type: 'row.replaced'
      readonly info: TableInfo
      readonly row: Row
      readonly key: string
      /** Columns of rows that it refers to, whose values stay if it refers to the same ones. */
      readonly related?: readonly RelatedColumn[]
    }

/** The total is known with the last page; a page that is not full may not be the last one. */
const totalAfter = (
  state: Pages,
  { page, rows: { length: count }, estimate, isLast }: Extract<PagesAction, { type: 'page.read' }>,
): Pick<Pages, 'total' | 'isExact'> => {
  const end = page * PAGE_ROWS + count
  if (isLast && (count > 0 || page === 0)) return { total: end, isExact: true }
  if (count === 0) {
    const precedingRows = page * PAGE_ROWS
    return { total: Math.min(state.total ?? precedingRows, precedingRows), isExact: false }
  }
  const total = estimate ?? state.total
  const isExact = estimate === null && state.isExact && end <= (state.total ?? 0)
  // One more than known, so that the next page can load.
  return { total: isExact ? state.total : Math.max(total ?? 0, end + 1), isExact }
}

/** Keeps the objects of unchanged rows, so that they do not render again. */
const keepSame = (before: readonly Row[] | undefined, after: readonly Row[]): readonly Row[] => {
  if (before === undefined) return after
  const knownRows = new Map(before.map(row => [fullText(row), row]))
  return after.map(row => knownRows.get(fullText(row)) ?? row)
}

const prune = (rows: Map<number, readonly Row[]>, seenCount: number): Map<number, readonly Row[]> => {
  if (rows.size <= MOST_PAGES) return rows
  const near = [...rows.keys()]
    .sort((a, b) => Math.abs(a - seenCount) - Math.abs(b - seenCount))
    .slice(0, MOST_PAGES)
  return new Map(near.sort((a, b) => a - b).map(page => [page, rows.get(page) ?? []]))
}

const takePage = (state: Pages, action: Extract<PagesAction, { type: 'page.read' }>): Pages => {
  const { page, rows, seenCount, isOutdated } = action
  const { failure: _over, ...rest } = state
  const next = new Map(state.rows)
  next.set(page, keepSame(state.rows.get(page), rows))
  const stale = new Set(state.stale)
  if (isOutdated) stale.add(page)
  else stale.delete(page)
  const count = totalAfter(state, action)
  // Remove pages past the new end.
  if (count.isExact)
    for (const each of next.keys()) if (each * PAGE_ROWS >= (count.total ?? 0) && each > 0) next.delete(each)
  const isKeyShared = state.isKeyShared || action.isKeyShared
  return { ...rest, ...count, phase: 'ready', rows: prune(next, seenCount), stale, isKeyShared }
}

const replace = (
  state: Pages,
  { info, key, row, related = [] }: Extract<PagesAction, { type: 'row.replaced' }>,
): Pages => {
  const rows = new Map(state.rows)
  for (const [page, list] of state.rows)
    if (list.some(each => rowKey(info, each) === key))
      rows.set(
        page,
        list.map(each =>
          rowKey(info, each) === key ? keepRelated(each, { ...each, ...row }, related) : each,
        ),
      )
  return { ...state, rows }
}

const ask = (state: Pages, { queryId, filters }: Extract<PagesAction, { type: 'query.asked' }>): Pages => {
  const isSame = queryId === state.queryId
  // With another sort, only the first page is at a valid position.
  const rows = isSame ? state.rows : new Map([...state.rows].filter(([page]) => page === 0))
  const total = filters === state.filters ? {} : { total: null, isExact: false }
  return { ...state, isReading: true, queryId, filters, rows, stale: new Set(rows.keys()), ...total }
}

const remove = (state: Pages, info: TableInfo, keys: ReadonlySet<string>): Pages => {
  const isGone = (row: Row) => keys.has(rowKey(info, row) ?? '')
  const rows = new Map([...state.rows].map(([page, list]) => [page, list.filter(row => !isGone(row))]))
  const total = state.total === null ? null : Math.max(0, state.total - keys.size)
  return { ...state, rows, total, stale: new Set(rows.keys()) }
}

const MOST_LIVE = 2_000

const touch = (state: Pages, keys: readonly string[], shift: number): Pages => {
  const live = [...new Set([...state.live, ...keys])].slice(-MOST_LIVE)
  const total = state.total === null ? null : Math.max(0, state.total + shift)
  // Only the server knows whether a row matches the filters.
  const isExact = state.isExact && (shift === 0 || state.filters.endsWith('[]]'))
  return { ...state, total, isExact, live: new Set(live), stale: new Set(state.rows.keys()) }
}

/** The next state of the rows. */
export const pagesReducer = (state: Pages, action: PagesAction): Pages => {
  switch (action.type) {
    case 'query.asked':
      return ask(state, action)
    case 'page.read':
      return takePage(state, action)
    case 'page.failed':
      return { ...state, phase: 'failed', isReading: false, failure: action.failure }
    case 'total.counted': {
      const knownCount = Math.max(0, ...[...state.rows].map(([page, rows]) => page * PAGE_ROWS + rows.length))
      return { ...state, total: Math.max(action.total, knownCount), isExact: action.isExact }
    }
    case 'total.doubted':
      // The first page alone shows the number of rows of a small table.
      return rowCount(state) < PAGE_ROWS ? state : { ...state, isExact: false }
    case 'rows.touched':
      return touch(state, action.keys, action.shift)
    case 'rows.faded': {
      const live = new Set([...state.live].filter(key => !action.keys.has(key)))
      return live.size === state.live.size ? state : { ...state, live }
    }
    case 'rows.gone':
      return remove(state, action.info, action.keys)
    case 'row.replaced':
      return replace(state, action)
  }
}

/** Number of rows in the grid. */
export const rowCount = ({ rows, total }: Pages): number => total ?? rows.get(0)?.length ?? 0

/** A row by its index in the whole table; undefined until loaded. */
export const rowAt = ({ rows }: Pages, index: number): Row | undefined =>
  rows.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS]

/** Pages needed to show a range of rows. */
export const pagesNeeded = (state: Pages, first: number, last: number): readonly number[] => {
  const end = state.total === null ? 0 : Math.max(0, Math.ceil(state.total / PAGE_ROWS) - 1)
  const [from, to] = [
    Math.floor(first / PAGE_ROWS),
    Math.min(end, Math.floor(Math.max(first, last) / PAGE_ROWS)),
  ]
  const missingPages: number[] = []
  for (let page = Math.min(from, end); page <= to; page += 1)
    if (!state.rows.has(page) || state.stale.has(page)) missingPages.push(page)
  return missingPages
}

export interface LoadedRow {
  readonly index: number
  readonly key: string
  readonly row: Row
}

export interface LoadedRows {
  /** Undefined while the row is not loaded. */
  readonly at: (index: number) => LoadedRow | undefined
  /** Undefined when no loaded row has the key. */
  readonly withKey: (key: string) => LoadedRow | undefined
  /** The loaded rows between two indexes, inclusive, in order. */
  readonly between: (top: number, bottom: number) => readonly LoadedRow[]
}

/** The visible rows and columns. */
export interface View {
  /** Rows of the table, loaded or not. */
  readonly count: number
  /** Column names, in order. */
  readonly columns: readonly string[]
  readonly rows: LoadedRows
}

/**
 * Indexes the loaded rows. A table without a primary key is read-only; its rows are identified by content,
 * and equal rows by their position among equals.
 */
export const loadedRows = (info: TableInfo, { rows, stale }: Pick<Pages, 'rows' | 'stale'>): LoadedRows => {
  const byIndex = new Map<number, LoadedRow>()
  const byKey = new Map<string, LoadedRow>()
  const equal = new Map<string, number>()
  // Compare only key columns: each page has thousands of rows, and a table may have hundreds of columns.
  const keys: TableInfo = info.isKeyShared
    ? info
    : { ...info, columns: info.columns.filter(({ isKey }) => isKey) }
  const keyOf = (row: Row): string => {
    const key = rowKey(keys, row)
    if (key !== undefined) return key
    const content = JSON.stringify(row)
    const before = equal.get(content) ?? 0
    equal.set(content, before + 1)
    return `${content} ${before}`
  }
  const isStale = ({ index }: LoadedRow) => stale.has(Math.floor(index / PAGE_ROWS))
  for (const [page, list] of [...rows].sort(([a], [b]) => a - b))
    for (const [at, row] of list.entries()) {
      const loaded: LoadedRow = { index: page * PAGE_ROWS + at, key: keyOf(row), row }
      byIndex.set(loaded.index, loaded)
      // A row may be on two pages when it moved between reads: the later read wins.
      const otherRow = byKey.get(loaded.key)
      if (otherRow === undefined || (isStale(otherRow) && !isStale(loaded))) byKey.set(loaded.key, loaded)
    }
  return {
    at: index => byIndex.get(index),
    withKey: key => byKey.get(key),
    between: (top, bottom) =>
      bottom - top < byIndex.size
        ? Array.from({ length: Math.max(0, bottom - top + 1) }, (_, n) => byIndex.get(top + n)).filter(
            loaded => loaded !== undefined,
          )
        : [...byIndex.values()].filter(({ index }) => index >= top && index <= bottom),
  }
}
