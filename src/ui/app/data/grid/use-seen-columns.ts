// Visible columns: pinned ones always, others as the scroller shows them.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, type RefObject } from 'react'
import type { LaidColumn } from '../../../../services/workbench/table/index.ts'
import type { SeenColumn } from './grid-row.tsx'
import { ACTIONS_WIDTH } from './grid-types.ts'

export interface SeenColumns {
  readonly seen: readonly SeenColumn[]
  /** Width of all columns, including both ends. */
  readonly width: number
  readonly reveal: (index: number) => void
}

/** Columns enter and leave in steps, since each change renders every row. */
const STEP = 4

const floorTo = (step: number, index: number) => Math.floor(index / step) * step

/** Up to this many columns, rendering all is cheaper than measuring. */
const FEW = 8

const widthOf = (columns: readonly LaidColumn[]) => columns.reduce((sum, { width }) => sum + width, 0)

export const useSeenColumns = (
  columns: readonly LaidColumn[],
  gutter: number,
  scroller: RefObject<HTMLElement | null>,
): SeenColumns => {
  const pinned = columns.filter(column => column.isPinned)
  const free = useMemo(() => columns.filter(column => !column.isPinned), [columns])
  const before = gutter + widthOf(pinned)
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: free.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => free[index]?.width ?? 0,
    overscan: 0,
    scrollPaddingStart: before,
    scrollPaddingEnd: ACTIONS_WIDTH,
    useFlushSync: false,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, free])
  const first = columns.length - free.length
  const shown = free.length <= FEW ? undefined : virtualizer.getVirtualItems()
  const last = free.length - 1
  const from = floorTo(STEP, shown?.[0]?.index ?? 0)
  const to = shown === undefined ? last : Math.min(last, floorTo(STEP, shown.at(-1)?.index ?? 0) + STEP - 1)
  const placed = useMemo(() => {
    let left = gutter
    return columns.map((column, index): SeenColumn => {
      const own = { ...column, index, left: column.isPinned ? left : 0 }
      left += column.width
      return own
    })
  }, [columns, gutter])
  const seen = useMemo(() => {
    const skipped = widthOf(free.slice(0, from))
    const rest = placed.slice(first + from, first + to + 1)
    // All columns but one are unchanged: their cells do not render again.
    const moved =
      skipped === 0 ? rest : rest.map((each, at) => (at === 0 ? { ...each, left: skipped } : each))
    return [...placed.slice(0, first), ...moved]
  }, [placed, free, first, from, to])
  const reveal = useCallback(
    (index: number) => {
      if (index >= first) virtualizer.scrollToIndex(index - first, { align: 'auto' })
    },
    [virtualizer, first],
  )
  return { seen, width: gutter + widthOf(columns) + ACTIONS_WIDTH, reveal }
}
