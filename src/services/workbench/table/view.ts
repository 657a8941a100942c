// The loaded rows by index and by key, and the visible columns; selections are made and rendered on this.
import { PAGE_ROWS, type Pages } from './pages.ts'
import { rowKey, type Row, type TableInfo } from './schema.ts'

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
  const keys: TableInfo = { ...info, columns: info.columns.filter(({ isKey }) => isKey) }
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
      const other = byKey.get(loaded.key)
      if (other === undefined || (isStale(other) && !isStale(loaded))) byKey.set(loaded.key, loaded)
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
