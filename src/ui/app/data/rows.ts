// The rows on show: one page from the server, kept current by live changes.
import type { RowChange } from '../../../index.ts'
import type { DataFailure } from './rest-failure.ts'
import { rowKey, valueText, type Row, type TableInfo } from './schema.ts'

export interface Sort {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** Which rows are asked for; a new value starts a new load. */
export interface RowsQuery {
  readonly table: string
  readonly sort: Sort | undefined
  readonly page: number
}

export const PAGE_SIZE = 50

export interface RowsState {
  readonly phase: 'loading' | 'ready' | 'failed'
  /** A load is under way; what an earlier one brought, or its failure, stays on show meanwhile. */
  readonly isLoading: boolean
  readonly rows: readonly Row[]
  /** Rows that the session may see, over all pages; null while unknown. */
  readonly count: number | null
  /** Keys of rows that came or changed live since the load. */
  readonly live: ReadonlySet<string>
  readonly failure?: DataFailure
}

export const NO_ROWS: RowsState = {
  phase: 'loading',
  isLoading: true,
  rows: [],
  count: null,
  live: new Set(),
}

export type RowsAction =
  | { readonly type: 'load.started'; readonly keep: boolean }
  | { readonly type: 'load.done'; readonly rows: readonly Row[]; readonly count: number | null }
  | { readonly type: 'load.failed'; readonly failure: DataFailure }
  | {
      readonly type: 'row.changed'
      readonly change: Pick<RowChange, 'type' | 'record' | 'old'>
      readonly table: TableInfo
      readonly sort: Sort | undefined
      readonly page: number
    }

const NUMBER = /^[+-]?\d+(\.\d+)?$/

const compareValues = (a: unknown, b: unknown): number => {
  if (a === b) return 0
  // Postgres puts nulls last when it sorts upwards.
  if (a === null || a === undefined) return 1
  if (b === null || b === undefined) return -1
  // Big numbers come as text, and yet are ordered as numbers.
  if (NUMBER.test(valueText(a)) && NUMBER.test(valueText(b))) return Number(a) - Number(b)
  return valueText(a) < valueText(b) ? -1 : 1
}

const compareRows = (a: Row, b: Row, sort: Sort) =>
  compareValues(a[sort.column], b[sort.column]) * (sort.direction === 'asc' ? 1 : -1)

const insert = (rows: readonly Row[], row: Row, sort: Sort | undefined, page: number): readonly Row[] => {
  const found = sort === undefined ? rows.length : rows.findIndex(each => compareRows(row, each, sort) < 0)
  const at = found === -1 ? rows.length : found
  // It belongs before this page or after it: only the count changes here.
  if ((at === 0 && page > 0) || at >= PAGE_SIZE) return rows
  return [...rows.slice(0, at), row, ...rows.slice(at)].slice(0, PAGE_SIZE)
}

const applyChange = (state: RowsState, action: Extract<RowsAction, { type: 'row.changed' }>): RowsState => {
  const { change, table, sort, page } = action
  const key = rowKey(table, change.type === 'DELETE' ? change.old : change.record)
  if (key === undefined || state.phase !== 'ready') return state
  const present = state.rows.some(row => rowKey(table, row) === key)
  const live = new Set(state.live)
  const shift = (by: number) => (state.count === null ? null : Math.max(0, state.count + by))
  if (change.type === 'DELETE') {
    live.delete(key)
    // Policies do not filter deletions, so one of an unseen row says nothing about the count.
    if (!present) return state
    return { ...state, live, count: shift(-1), rows: state.rows.filter(row => rowKey(table, row) !== key) }
  }
  live.add(key)
  if (present) {
    const rows = state.rows.map(row => (rowKey(table, row) === key ? { ...row, ...change.record } : row))
    return { ...state, live, rows }
  }
  if (change.type === 'UPDATE') return state
  return { ...state, live, count: shift(1), rows: insert(state.rows, change.record, sort, page) }
}

/** Rows that a load brought unchanged stay the same objects, so that nothing is drawn again for them. */
const keepSame = (before: readonly Row[], after: readonly Row[]): readonly Row[] => {
  const known = new Map(before.map(row => [JSON.stringify(row), row]))
  return after.map(row => known.get(JSON.stringify(row)) ?? row)
}

/** The next state of the rows on show. */
export const rowsReducer = (state: RowsState, action: RowsAction): RowsState => {
  switch (action.type) {
    case 'load.started':
      return action.keep ? { ...state, isLoading: true } : NO_ROWS
    case 'load.done':
      return {
        phase: 'ready',
        isLoading: false,
        rows: keepSame(state.rows, action.rows),
        count: action.count,
        live: state.live,
      }
    case 'load.failed':
      return { ...state, phase: 'failed', isLoading: false, failure: action.failure }
    case 'row.changed':
      return applyChange(state, action)
  }
}

/** The order that a table is shown in unless another is asked for: the newest number first. */
export const defaultSort = (table: TableInfo | undefined): Sort | undefined => {
  const key = table?.columns.find(column => column.isKey)
  if (key === undefined) return undefined
  return { column: key.name, direction: key.type === 'integer' ? 'desc' : 'asc' }
}
