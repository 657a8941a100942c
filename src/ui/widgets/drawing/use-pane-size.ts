// The size of an element, kept up to date.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Size } from './geometry.ts'

const UNKNOWN: Size = { width: 0, height: 0 }

/** Returns a ref for an element, and its size; 0 × 0 before the first measurement. */
export function usePaneSize(): readonly [RefObject<HTMLDivElement | null>, Size] {
  const ref = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState(UNKNOWN)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
