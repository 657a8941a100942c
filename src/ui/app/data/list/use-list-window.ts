// The rows of the table list that are range, and the one that the keyboard is at.
import { useVirtualizer, defaultRangeExtractor } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ListRow } from '../../../../services/workbench/table-list/index.ts'

const ROW_HEIGHT = 26
const LARGE_ROW_HEIGHT = 40

interface WindowOptions {
  readonly rows: readonly ListRow[]
  /** Id of the open table. */
  readonly open: string | undefined
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly isLarge: boolean
}

interface ListItem {
  readonly index: number
  readonly row: ListRow
  /** Pixels above it. */
  readonly start: number
}

/** The last row of a table: that of its schema, below favorites. */
const indexOfTable = (rows: readonly ListRow[], table: string | undefined): number =>
  rows.findLastIndex(row => row.type === 'table' && row.table.id === table)

export const useListWindow = ({ rows, open, scroller, isLarge }: WindowOptions) => {
  const [focused, setFocused] = useState<string>()
  const takesFocus = useRef(false)
  const at = rows.findIndex(({ id }) => id === focused)
  const ofOpen = indexOfTable(rows, open)
  const active = at >= 0 ? at : Math.max(0, ofOpen)
  const size = isLarge ? LARGE_ROW_HEIGHT : ROW_HEIGHT
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => size,
    getItemKey: index => rows[index]?.id ?? index,
    overscan: 12,
    rangeExtractor: visible => {
      const range = defaultRangeExtractor(visible)
      // The row with the focus stays.
      return range.includes(active) || active >= rows.length
        ? range
        : [...range, active].toSorted((a, b) => a - b)
    },
  })
  const focusRow = useCallback(
    (index: number) => {
      takesFocus.current = true
      setFocused(rows[index]?.id)
      virtualizer.scrollToIndex(index, { align: 'auto' })
    },
    [rows, virtualizer],
  )
  useLayoutEffect(() => {
    if (!takesFocus.current) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)
    if (!row) return
    takesFocus.current = false
    row.focus({ preventScroll: true })
  })
  const latest = useRef(virtualizer)
  useEffect(() => {
    latest.current = virtualizer
  })
  // The open table is in view, whatever opened it.
  const hasRows = rows.length > 0
  useEffect(() => {
    if (ofOpen >= 0) latest.current.scrollToIndex(ofOpen, { align: 'auto' })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- not when groups close or the filter changes
  }, [open, hasRows])
  const items = virtualizer.getVirtualItems().flatMap(({ index, start }): ListItem[] => {
    const row = rows[index]
    return row === undefined ? [] : [{ index, row, start }]
  })
  return { items, height: virtualizer.getTotalSize(), focusRow, active }
}
