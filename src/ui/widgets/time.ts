// Hooks for what is shown after a moment or again and again. What decides or may fail is a machine instead.
import { useCallback, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'

/** Calls `run` once after `ms`. Starts again when `ms` or `key` changes; `undefined` stops it. */
export function useTimeout(run: () => void, ms: number | undefined, key?: unknown): void {
  const onEnd = useEffectEvent(run)
  useEffect(() => {
    if (ms === undefined) return
    // The one-time timer of all hooks here.
    const timer = setTimeout(() => onEnd(), ms)
    return () => clearTimeout(timer)
  }, [ms, key])
}

function repeat(run: () => void, ms: number): () => void {
  // The repeated timer of all hooks here.
  const timer = setInterval(run, ms)
  return () => clearInterval(timer)
}

/** Calls `run` at once and every `ms`. Starts again when `ms` or `key` changes; `undefined` stops it. */
export function useInterval(run: () => void, ms: number | undefined, key?: unknown): void {
  const onTick = useEffectEvent(run)
  useEffect(() => {
    if (ms === undefined) return
    onTick()
    return repeat(() => onTick(), ms)
  }, [ms, key])
}

/** How long a button confirms that it copied something. */
export const COPIED_MS = 1_600

/** Whether `ms` have passed since `ms` or `key` changed; never for `undefined`. */
export function useHasElapsed(ms: number | undefined, key?: unknown): boolean {
  const started = useMemo(() => ({ ms, key }), [ms, key])
  const [elapsed, setElapsed] = useState<object>()
  useTimeout(() => setElapsed(started), ms, started)
  return elapsed === started
}

/** State that becomes undefined when it has not changed for `ms`. */
export function useTransient<T>(ms: number) {
  const [value, setValue] = useState<T>()
  useTimeout(() => setValue(undefined), value === undefined ? undefined : ms, value)
  return [value, setValue] as const
}

const subscribeToVisibility = (onChange: () => void) => {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

/** Whether the page is visible. */
export const useIsVisible = (): boolean =>
  useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible')

/**
 * What `read` returns, read every `ms`, and only when rendered for `undefined`; renders only when it changed.
 */
export function useSampled<T>(read: () => T, ms: number | undefined): T {
  const subscribe = useCallback(
    (onTick: () => void) => (ms === undefined ? () => undefined : repeat(onTick, ms)),
    [ms],
  )
  return useSyncExternalStore(subscribe, read)
}
