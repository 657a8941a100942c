// Small hooks shared by several pages.
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useClient } from '../react/index.ts'
import { useIsVisible, useSampled } from '../widgets/time.ts'

/** Returns the client's clock as a function with a stable identity. */
export const useClock = (): (() => number) => {
  const client = useClient()
  return useCallback(() => client.now(), [client])
}

const TICK_MS = 1_000

/** The client's time in whole seconds; it does not advance while the page is hidden. */
export const useNow = (): number => {
  const now = useClock()
  const ms = useIsVisible() ? TICK_MS : undefined
  return useSampled(() => Math.floor(now() / TICK_MS) * TICK_MS, ms)
}

/** Calls `onLeft` on unmount, unless the returned function was called before. */
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

/** A ref that focuses its element when it mounts. */
export const focusNow = (element: HTMLElement | null): void => element?.focus()

type Start<T> = () => { readonly started: T; readonly stop: () => void }

function whileSubscribed<T>(start: Start<T>) {
  let current: T | undefined
  const subscribe = (onStarted: () => void) => {
    const { started, stop } = start()
    current = started
    onStarted()
    return () => {
      current = undefined
      stop()
    }
  }
  return { subscribe, current: () => current }
}

/** What `start` returns while the component is mounted; starts again when `start` changes. */
export function useStarted<T>(start: Start<T>): T | undefined {
  const { subscribe, current } = useMemo(() => whileSubscribed(start), [start])
  return useSyncExternalStore(subscribe, current)
}
