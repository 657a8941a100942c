// An element's inner width, as state.
import { useLayoutEffect, useState, type RefObject } from 'react'

/** 0 until measured, which happens before the first paint. */
export const useVisibleHeight = (of: RefObject<HTMLElement | null>): number => {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = of.current
    if (element === null) return
    const measure = () => setRoom(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [of])
  return room
}
