// Scrolls the log to its end as it grows, until the user scrolls away; and to the cursor when it moves.
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import type { Selection } from '../model/selection.ts'

/** Nearer than this to the end is at the end. */
const NEAR_END = 48

interface Shown {
  /** How many rows there are, ... */
  readonly length: number
  /** ... and which query they answer. */
  readonly query: string
}

/** What the log does on scrolling. `toCursor` brings the selected event into view. */
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
  // Moving the cursor scrolls, and so does another query, which puts other rows around it; growth of the log must not.
  const reveal = useEffectEvent(toCursor)
  useEffect(() => {
    if (!following) reveal()
  }, [following, seq, query])
  return () => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    // The log may have grown since it was scrolled to its end: only going up leaves the end.
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) atEnd.current = true
    else if (scrollTop < lastTop.current) atEnd.current = false
    lastTop.current = scrollTop
  }
}
