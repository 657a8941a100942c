// Trying again, by itself and by hand.
import { useCallback, useEffect, useRef, useState } from 'react'

const RETRY_AFTER_MS = 4_000

/**
 * Calls `retry` a while after each failure, so that a page recovers without being asked. Each failure is an
 * object of its own: the next attempt has all the time it needs, however slow the backend is.
 */
export const useRetry = (failure: object | undefined, retry: () => void): void => {
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  useEffect(() => {
    if (failure === undefined) return
    const timer = setTimeout(() => latest.current(), RETRY_AFTER_MS)
    return () => clearTimeout(timer)
  }, [failure])
}

/** A signal that `renew` aborts and replaces: what depends on it is asked for anew. */
export const useRenewable = (): readonly [AbortSignal, () => void] => {
  const [current, setCurrent] = useState(() => new AbortController())
  const renew = useCallback(
    () =>
      setCurrent(before => {
        before.abort()
        return new AbortController()
      }),
    [],
  )
  return [current.signal, renew]
}
