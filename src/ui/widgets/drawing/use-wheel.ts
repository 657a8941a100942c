// The wheel over a canvas.
import { useEffect, useEffectEvent, type RefObject } from 'react'
import type { Point } from './geometry.ts'

/**
 * React's wheel listeners are passive; this one can prevent page scrolling.
 * @param within selector of the canvas in the pane
 */
export function useWheel(
  paneRef: RefObject<HTMLDivElement | null>,
  within: string,
  onWheel: (event: WheelEvent, at: Point) => void,
): void {
  const handle = useEffectEvent(onWheel)
  useEffect(() => {
    const pane = paneRef.current
    if (!pane) return
    const listen = (event: WheelEvent) => {
      // Overlays scroll independently.
      if (!(event.target instanceof Element) || !event.target.closest(within)) return
      const { left, top } = pane.getBoundingClientRect()
      handle(event, { x: event.clientX - left, y: event.clientY - top })
    }
    pane.addEventListener('wheel', listen, { passive: false })
    return () => pane.removeEventListener('wheel', listen)
  }, [paneRef, within])
}
