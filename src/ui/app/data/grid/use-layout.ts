// A table's columns as its user laid them, kept in the browser.
import { useCallback, useMemo, useState } from 'react'
import { useClient } from '../../../react.ts'
import { readSetting, writeSetting } from '../../local-store.ts'
import type { Column } from '../schema.ts'
import {
  AS_GIVEN,
  changeLayout,
  layColumns,
  layoutSchema,
  type ColumnLayout,
  type LaidColumn,
  type LayoutAction,
} from './columns.ts'

export interface TableLayout {
  readonly layout: ColumnLayout
  readonly laid: readonly LaidColumn[]
  readonly change: (action: LayoutAction) => void
}

export const useLayout = (table: string, columns: readonly Column[]): TableLayout => {
  const { url } = useClient()
  const name = `columns.${url}.${table}`
  const [layout, setLayout] = useState(() => readSetting(name, layoutSchema, AS_GIVEN))
  const change = useCallback(
    (action: LayoutAction) =>
      setLayout(before => {
        const next = changeLayout(before, action, columns)
        writeSetting(name, next)
        return next
      }),
    [name, columns],
  )
  const laid = useMemo(() => layColumns(columns, layout), [columns, layout])
  return { layout, laid, change }
}
