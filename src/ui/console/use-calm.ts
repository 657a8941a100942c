// A value that may change many times a second, followed without being as restless as it.
import { useEffect, useRef, useState } from 'react'

/** `value` once it has rested for `ms` milliseconds; at once when it rested before it changed. */
export function useCalm<T>(value: T, ms: number): T {
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
