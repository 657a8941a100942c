// Visible rows and columns of a virtualized table with equal row heights.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { LaidColumn } from '../../../../services/workbench/table/index.ts'
import type { SeenColumn } from './grid-rows.tsx'
import { ACTIONS_FADE, ACTIONS_WIDTH } from './grid-types.ts'

/** Browsers limit element heights to little more than twice this. */
export const MOST_PIXELS = 8_000_000

/** The state of the scroller. */
interface Place {
  /** The browser's `scrollTop`. */
  readonly top: number
  /** Pixels above `top` that the browser does not scroll: 0 when all rows fit. */
  readonly base: number
}

interface Room {
  readonly count: number
  readonly size: number
  /** Height of the visible rows. */
  readonly height: number
}

export const AT_TOP: Place = { top: 0, base: 0 }

/** Height of all rows, and of the element that represents them. */
const heights = ({ count, size }: Room): { readonly all: number; readonly drawn: number } => {
  const all = count * size
  return { all, drawn: Math.min(all, MOST_PIXELS) }
}

/**
 * The place after the browser scrolled to `top`. Up to a few screens scroll by pixels; longer jumps, as with
 * the scrollbar, go to the same share of all rows.
 */
export const scrolledTo = (before: Place, top: number, room: Room): Place => {
  const { all, drawn } = heights(room)
  if (all <= drawn) return { top, base: 0 }
  const most = drawn - room.height
  const share = Math.max(0, Math.min(1, top / most))
  const isFar = Math.abs(top - before.top) > 3 * room.height
  // At either end there is nothing beyond.
  if (isFar || share === 0 || share === 1) return { top, base: share * (all - room.height) - top }
  const base = Math.max(-top, Math.min(all - room.height - top, before.base))
  return { top, base }
}

/** The place whose first row starts `offset` pixels above. */
export const placeAt = (offset: number, room: Room): Place => {
  const { all, drawn } = heights(room)
  const wanted = Math.max(0, Math.min(all - room.height, offset))
  if (all <= drawn) return { top: wanted, base: 0 }
  const top = Math.round((wanted / (all - room.height)) * (drawn - room.height))
  return { top, base: wanted - top }
}

/** Distance to scroll to make a row fully visible; undefined when it is. */
export const offsetFor = (row: number, place: Place, { size, height }: Room): number | undefined => {
  const offset = place.top + place.base
  if (row * size < offset) return row * size
  if ((row + 1) * size > offset + height) return (row + 1) * size - height
  return undefined
}

export interface FarRowsOptions {
  readonly count: number
  readonly size: number
  /** Height of the sticky header that covers the top. */
  readonly head: number
  readonly scroller: RefObject<HTMLElement | null>
  readonly overscan?: number
}

export interface FarRow {
  readonly index: number
  /** Pixels from the start of the element that represents all rows. */
  readonly start: number
  /** A key for the row's element, which is reused for rows that scroll into view. */
  readonly slot: number
}

export interface FarRows {
  readonly items: readonly FarRow[]
  /** Height of the element that represents all rows. */
  readonly drawn: number
  /** First and last visible row. */
  readonly first: number
  readonly last: number
  /** Whole rows that fit. */
  readonly page: number
  readonly reveal: (row: number) => void
  readonly startOf: (row: number) => number
}

interface Seen {
  readonly first: number
  readonly rows: number
  readonly base: number
}

const NONE: Seen = { first: 0, rows: 0, base: 0 }

export const useFarRows = ({ count, size, head, scroller, overscan = 4 }: FarRowsOptions): FarRows => {
  const [seen, setSeen] = useState(NONE)
  const place = useRef<Place>(AT_TOP)
  const height = useRef(0)
  const look = useCallback(() => {
    const offset = place.current.top + place.current.base
    const [first, rows] = [Math.floor(offset / size), Math.ceil(height.current / size) + 1]
    const base = place.current.base
    setSeen(now =>
      now.first === first && now.rows === rows && now.base === base ? now : { first, rows, base },
    )
  }, [size])
  const room = useCallback(() => ({ count, size, height: height.current }), [count, size])
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const onScroll = () => {
      place.current = scrolledTo(place.current, element.scrollTop, room())
      // Render rows that scroll into view in the same frame.
      flushSync(look)
    }
    const observer = new ResizeObserver(() => {
      height.current = Math.max(0, element.clientHeight - head)
      look()
    })
    height.current = Math.max(0, element.clientHeight - head)
    look()
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [scroller, head, room, look])
  const reveal = useCallback(
    (row: number) => {
      const offset = offsetFor(row, place.current, room())
      const element = scroller.current
      if (offset === undefined || element === null) return
      place.current = placeAt(offset, room())
      element.scrollTo({ top: place.current.top })
      look()
    },
    [scroller, room, look],
  )
  const first = Math.max(0, Math.min(seen.first, count - 1))
  const last = Math.max(first, Math.min(count - 1, seen.first + seen.rows - 1))
  const from = Math.max(0, Math.min(first, count - seen.rows) - overscan)
  const slots = Math.max(1, seen.rows + 2 * overscan)
  const startOf = (row: number) => row * size - seen.base
  const items = Array.from({ length: Math.max(0, Math.min(count - from, slots)) }, (_, n) => {
    const index = from + n
    return { index, start: startOf(index), slot: index % slots }
  })
  const page = Math.max(1, seen.rows - 2)
  return { items, drawn: heights({ count, size, height: 0 }).drawn, first, last, page, reveal, startOf }
}

/** What is known of a column's place when it is brought into view, in pixels. */
export interface ColumnPlace {
  /** The column's edges in the scrolled content. */
  readonly start: number
  readonly end: number
  /** Width of what sticks to the left edge and covers columns. */
  readonly before: number
  /** Width of what covers columns at the right edge. */
  readonly after: number
  /** Width of the scrolled content and of the pane, and how far it is scrolled. */
  readonly whole: number
  readonly room: number
  readonly left: number
}

/** Where to scroll to show a column in full, or its beginning if it is too wide; undefined when it is shown. */
export const leftFor = (place: ColumnPlace): number | undefined => {
  const { start, end, before, after, whole, room, left } = place
  const first = start - before
  // At the end of the content, nothing covers the last column.
  const last = Math.min(end + after, whole) - room
  if (last > first) return left === first ? undefined : first
  return left > first ? first : left < last ? last : undefined
}

/** Row buttons scroll with the columns in narrow windows, and cover some in others; as in the style sheet. */
const NARROW = '(max-width: 720px)'

export interface SeenColumns {
  readonly seen: readonly SeenColumn[]
  /** Width of all columns, including both ends. */
  readonly width: number
  readonly reveal: (index: number) => void
  /** Whether a column is in view in a pane of this width. */
  readonly isShown: (index: number, room: number) => boolean
}

/** Columns enter and leave in steps, since each change renders every row. */
const STEP = 4

const floorTo = (step: number, index: number) => Math.floor(index / step) * step

/** Up to this many columns, rendering all is cheaper than measuring. */
const FEW = 8

const widthOf = (columns: readonly LaidColumn[]) => columns.reduce((sum, { width }) => sum + width, 0)

/** Visible columns: pinned ones always, others as the scroller shows them. */
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
  const width = gutter + widthOf(columns) + ACTIONS_WIDTH
  const placeOf = useCallback(
    (index: number, { scrollLeft }: HTMLElement, room: number): ColumnPlace => {
      const start = gutter + widthOf(columns.slice(0, index))
      const after = matchMedia(NARROW).matches ? 0 : ACTIONS_WIDTH + ACTIONS_FADE
      const end = start + (columns[index]?.width ?? 0)
      return { start, end, before, after, whole: width, room, left: scrollLeft }
    },
    [columns, gutter, before, width],
  )
  const reveal = useCallback(
    (index: number) => {
      const element = scroller.current
      if (element === null || index < first) return
      const left = leftFor(placeOf(index, element, element.clientWidth))
      if (left !== undefined) element.scrollTo({ left })
    },
    [scroller, placeOf, first],
  )
  const isShown = useCallback(
    (index: number, room: number) => {
      const element = scroller.current
      return index < first || (element !== null && leftFor(placeOf(index, element, room)) === undefined)
    },
    [scroller, placeOf, first],
  )
  return { seen, width, reveal, isShown }
}
