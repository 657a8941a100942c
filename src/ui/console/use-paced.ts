// Throttles a fast-changing value; the first and the last value always arrive.
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
