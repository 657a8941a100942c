// Small hooks that several pages use.
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useClient } from '../react.ts'

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

/** The client's clock as a function that stays the same. */
export const useClock = (): (() => number) => {
  const client = useClient()
  return useCallback(() => client.now(), [client])
}

const TICK_MS = 1_000

/** Calls back every second while the page can be seen, and when it is seen again. */
const subscribeToTicks = (onTick: () => void) => {
  let timer: ReturnType<typeof setInterval> | undefined
  const update = () => {
    clearInterval(timer)
    timer = undefined
    if (document.visibilityState !== 'visible') return
    timer = setInterval(onTick, TICK_MS)
    onTick()
  }
  document.addEventListener('visibilitychange', update)
  update()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', update)
  }
}

/** The time of the client's clock to the second; it stands still while the page is hidden. */
export const useNow = (): number => {
  const now = useClock()
  return useSyncExternalStore(subscribeToTicks, () => Math.floor(now() / TICK_MS) * TICK_MS)
}

/** Sets the document's title while the page is shown. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Chartroom`
  }, [title])
}
