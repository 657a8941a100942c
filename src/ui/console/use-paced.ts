// Slows down fast-changing values: throttled, or debounced.
import { useEffect, useRef, useState } from 'react'

/** Returns `value`, updated at most every `ms` milliseconds while `paced`, and immediately otherwise. */
export function usePaced<T>(value: T, ms: number, paced: boolean): T {
  const [shown, setShown] = useState(value)
  const [wasPaced, setWasPaced] = useState(paced)
  if (wasPaced !== paced) {
    setWasPaced(paced)
    setShown(value)
  }
  const latest = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const known = latest.current
    latest.current = value
    if (!paced || timer.current !== undefined || known === value) return
    const rest = () => {
      const passed = latest.current
      setShown(passed)
      timer.current = setTimeout(() => {
        timer.current = undefined
        if (latest.current !== passed) rest()
      }, ms)
    }
    rest()
  }, [value, ms, paced])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [paced],
  )
  return paced ? shown : value
}

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
