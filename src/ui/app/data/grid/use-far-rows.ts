// Visible rows of a virtualized table with equal row heights.
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { AT_TOP, heights, offsetFor, placeAt, scrolledTo, type Place } from './virtual-rows.ts'

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
