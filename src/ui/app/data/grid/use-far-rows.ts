// Visible rows of a virtualized table with equal row heights.
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'

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
