// A table's column layout, stored in the browser.
import { useCallback, useMemo, useState } from 'react'
import { useClient } from '../../../react/index.ts'
import {
  AS_GIVEN,
  changeLayout,
  type Column,
  type ColumnLayout,
  type LaidColumn,
  layColumns,
  type LayoutAction,
  layoutSchema,
  readOfTable,
  settledLayout,
  type TableName,
  writeOfTable,
} from '../../../../services/workbench/table/index.ts'

export interface TableLayout {
  readonly layout: ColumnLayout
  readonly laid: readonly LaidColumn[]
  readonly change: (action: LayoutAction) => void
  /** Shows these columns of a table, this one or another; empty: all columns. */
  readonly choose: (of: TableName, names: readonly string[]) => void
}

export const useLayout = ({ schema, table }: TableName, columns: readonly Column[]): TableLayout => {
  const { url } = useClient()
  const [kept, setLayout] = useState(() =>
    readOfTable('columns', url, { schema, table }, layoutSchema, AS_GIVEN),
  )
  const change = useCallback(
    (action: LayoutAction) =>
      setLayout(before => {
        const next = changeLayout(settledLayout(before, columns), action, columns)
        writeOfTable('columns', url, { schema, table }, next)
        return next
      }),
    [url, schema, table, columns],
  )
  const choose = useCallback(
    (of: TableName, names: readonly string[]) => {
      const before = readOfTable('columns', url, of, layoutSchema, AS_GIVEN)
      const next = { ...before, only: [...names] }
      writeOfTable('columns', url, of, next)
      if (of.schema === schema && of.table === table) setLayout(next)
    },
    [url, schema, table],
  )
  const layout = useMemo(() => settledLayout(kept, columns), [kept, columns])
  const laid = useMemo(() => layColumns(columns, layout), [columns, layout])
  return useMemo(() => ({ layout, laid, change, choose }), [layout, laid, change, choose])
}
