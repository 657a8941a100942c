// Lets a fast-changing value through at most once in a while; the last one always arrives.
import { useEffect, useRef, useState } from 'react'

/** `value`, renewed at most every `ms` milliseconds while `paced`, and at once otherwise. */
export function usePaced<T>(value: T, ms: number, paced: boolean): T {
  const [shown, setShown] = useState(value)
  const latest = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = value
    if (!paced || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      setShown(latest.current)
    }, ms)
  }, [value, ms, paced])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return paced ? shown : value
}
