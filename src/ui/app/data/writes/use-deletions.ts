// Deletions of the visible table, as its page sees them.
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import {
  type Deletion,
  leavingKeys,
  type Row,
  rowKey,
  type TableInfo,
  type TableSession,
} from '../../../../services/workbench/table/index.ts'

export interface TableDeletions {
  readonly list: readonly Deletion[]
  /** Keys of rows that are being deleted. */
  readonly leaving: ReadonlySet<string>
  readonly order: (rows: readonly Row[]) => void
  readonly undo: (id: number) => void
  readonly retry: (id: number) => void
}

/** Deletions of a table's rows. */
export const useDeletions = (
  { deletions, undo }: TableSession,
  info: TableInfo,
  onOrder: (rows: ReadonlyMap<string, Row>) => void,
): TableDeletions => {
  const list = useSyncExternalStore(deletions.subscribe, deletions.list)
  const order = useCallback(
    (ordered: readonly Row[]) => {
      const rows = new Map(ordered.flatMap(row => [[rowKey(info, row) ?? '', row] as const]))
      rows.delete('')
      // A row that is already being deleted is not added again.
      for (const key of leavingKeys(deletions.list())) rows.delete(key)
      if (rows.size > 0) onOrder(rows)
    },
    [deletions, info, onOrder],
  )
  const leaving = useMemo(() => leavingKeys(list), [list])
  return { list, leaving, order, undo, retry: deletions.send }
}
