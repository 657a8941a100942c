// Small hooks that several pages use.
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useClient } from '../react.ts'

export { useRenewable } from './renewable.ts'
export { useRetry } from './retry.ts'

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

/** Calls back when the part goes away before the function that it gives was called: nobody meant to end it. */
export const useLeft = (onLeft: () => void): (() => void) => {
  const latest = useRef(onLeft)
  const isOver = useRef(false)
  useEffect(() => {
    latest.current = onLeft
  })
  useEffect(() => {
    isOver.current = false
    return () => {
      if (!isOver.current) latest.current()
    }
  }, [])
  return useCallback(() => {
    isOver.current = true
  }, [])
}

/** Sets the document's title while the page is shown. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Chartroom`
  }, [title])
}
