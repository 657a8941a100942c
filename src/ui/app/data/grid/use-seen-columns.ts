// Which columns are in sight: pinned ones always, of the others those that the scroller shows.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, type RefObject } from 'react'
import type { LaidColumn } from './columns.ts'
import type { SeenColumn } from './grid-row.tsx'
import { ACTIONS_WIDTH } from './grid-types.ts'

export interface SeenColumns {
  readonly seen: readonly SeenColumn[]
  /** Of all columns, with what stands at both ends. */
  readonly width: number
  readonly reveal: (index: number) => void
}

/** As many as this cost less than finding out which of them are seen. */
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
    overscan: 2,
    scrollPaddingStart: before,
    scrollPaddingEnd: ACTIONS_WIDTH,
    useFlushSync: false,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, free])
  const first = columns.length - free.length
  const shown = free.length <= FEW ? undefined : virtualizer.getVirtualItems()
  const seen = useMemo(() => {
    let left = gutter
    const kept = columns.slice(0, first).map((column, index): SeenColumn => {
      const own = { ...column, index, left }
      left += column.width
      return own
    })
    const [from, to] =
      shown === undefined ? [0, free.length - 1] : [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0]
    const skipped = widthOf(free.slice(0, from))
    const rest = free.slice(from, to + 1).map((column, at): SeenColumn => ({
      ...column,
      index: first + from + at,
      left: at === 0 ? skipped : 0,
    }))
    return [...kept, ...rest]
  }, [columns, free, first, shown, gutter])
  const reveal = useCallback(
    (index: number) => {
      if (index >= first) virtualizer.scrollToIndex(index - first, { align: 'auto' })
    },
    [virtualizer, first],
  )
  return { seen, width: gutter + widthOf(columns) + ACTIONS_WIDTH, reveal }
}
