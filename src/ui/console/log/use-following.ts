// Scrolls the log to its end as it grows, until the user scrolls away; and to the cursor when it moves.
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import type { Selection } from '../model/selection.ts'

/** Within this distance, the log counts as scrolled to its end. */
const NEAR_END = 48

interface Shown {
  /** Number of rows. */
  readonly length: number
  /** The query that the rows match. */
  readonly query: string
}

/** Handles scrolling of the log. `toCursor` scrolls the selected event into view. */
export function useFollowing(
  scroller: RefObject<HTMLDivElement | null>,
  { length, query }: Shown,
  { following, seq, timeline }: Selection,
  toCursor: () => void,
): () => void {
  const atEnd = useRef(true)
  const lastTop = useRef(0)
  useEffect(() => {
    if (following) atEnd.current = true
  }, [following, timeline])
  useEffect(() => {
    const element = scroller.current
    if (element && following && atEnd.current) element.scrollTo({ top: element.scrollHeight })
  }, [scroller, length, following, timeline])
  // Scroll when the cursor moves or the query changes, since it surrounds the cursor with other rows; not
  // when the log grows.
  const reveal = useEffectEvent(toCursor)
  useEffect(() => {
    if (!following) reveal()
  }, [following, seq, query])
  return () => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    // The log may have grown since it was scrolled to its end: only scrolling up leaves the end.
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) atEnd.current = true
    else if (scrollTop < lastTop.current) atEnd.current = false
    lastTop.current = scrollTop
  }
}
