// Lets a fast-changing value through at most once in a while; the first and the last always arrive.
import { useEffect, useRef, useState } from 'react'

/** `value`, renewed at most every `ms` milliseconds while `paced`, and at once otherwise. */
export function usePaced<T>(value: T, ms: number, paced: boolean): T {
  const [shown, setShown] = useState(value)
  const latest = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const known = latest.current
    latest.current = value
    if (timer.current !== undefined || known === value) return
    const rest = () => {
      const passed = latest.current
      setShown(passed)
      timer.current = setTimeout(() => {
        timer.current = undefined
        if (latest.current !== passed) rest()
      }, ms)
    }
    rest()
  }, [value, ms])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return paced ? shown : value
}
