// Debounces a value that may change many times a second.
import { useEffect, useRef, useState } from 'react'

/**
 * Returns `value` once it has not changed for `ms` milliseconds; immediately if it was stable before the
 * change.
 */
export function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    if (timer.current === undefined) setShown(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      timer.current = undefined
      setShown(value)
    }, ms)
  }, [value, ms])
  useEffect(() => () => clearTimeout(timer.current), [])
  return shown
}
