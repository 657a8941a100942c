// A table's column layout, stored in the browser.
import { useCallback, useMemo, useState } from 'react'
import { useClient } from '../../../react/index.ts'
import {
  AS_GIVEN,
  changeLayout,
  type Column,
  type ColumnLayout,
  currentRelated,
  type LaidColumn,
  layColumns,
  type LayoutAction,
  layoutSchema,
  readOfTable,
  type RelatedColumn,
  settledLayout,
  type TableInfo,
  type TableName,
  type TableQuery,
  withRelatedColumns,
  writeOfTable,
} from '../../../../services/workbench/table/index.ts'

export interface TableLayout {
  readonly layout: ColumnLayout
  /** All columns, with those of rows that the rows refer to. */
  readonly columns: readonly Column[]
  readonly related: readonly RelatedColumn[]
  readonly laid: readonly LaidColumn[]
  readonly change: (action: LayoutAction) => void
  /** Shows the columns of a query of this or another table; without any, all columns. */
  readonly choose: (query: Pick<TableQuery, 'schema' | 'table' | 'columns' | 'related'>) => void
}

const NONE: readonly RelatedColumn[] = []

/** The stored layout of a table, and the related columns that the current schema has. */
export const useStoredLayout = (
  { schema, table }: TableName,
  info: TableInfo | undefined,
  infoOf: (table: string) => TableInfo | undefined,
) => {
  const { url } = useClient()
  const [stored, setStored] = useState(() =>
    readOfTable('columns', url, { schema, table }, layoutSchema, AS_GIVEN),
  )
  const related = useMemo(() => {
    const all = currentRelated(info, stored.related ?? NONE, infoOf)
    return all.length === 0 ? NONE : all
  }, [info, stored.related, infoOf])
  const choose: TableLayout['choose'] = useCallback(
    ({ columns, related: chosen, ...of }) => {
      const { related: _, ...before } = readOfTable('columns', url, of, layoutSchema, AS_GIVEN)
      const next = { ...before, only: [...columns], ...(chosen && { related: [...chosen] }) }
      writeOfTable('columns', url, { schema: of.schema, table: of.table }, next)
      if (of.schema === schema && of.table === table) setStored(next)
    },
    [url, schema, table],
  )
  return { stored, setStored, related, choose }
}

/** The layout of the table's columns, once they are known. */
export const useLayout = (
  { schema, table }: TableName,
  { stored, setStored, related, choose }: ReturnType<typeof useStoredLayout>,
  tableColumns: readonly Column[],
): TableLayout => {
  const { url } = useClient()
  const columns = useMemo(() => withRelatedColumns(tableColumns, related), [tableColumns, related])
  const change = useCallback(
    (action: LayoutAction) =>
      setStored(before => {
        const next = changeLayout(settledLayout(before, columns), action, columns)
        writeOfTable('columns', url, { schema, table }, next)
        return next
      }),
    [url, schema, table, columns, setStored],
  )
  const layout = useMemo(() => settledLayout(stored, columns), [stored, columns])
  const laid = useMemo(() => layColumns(columns, layout), [columns, layout])
  return useMemo(
    () => ({ layout, columns, related, laid, change, choose }),
    [layout, columns, related, laid, change, choose],
  )
}
