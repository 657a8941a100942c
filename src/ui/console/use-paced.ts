// Slows down fast-changing values: throttled, or debounced.
import { useState } from 'react'
import { useTimeout } from '../widgets/time.ts'

/** Returns `value`, updated at most every `ms`; always the current one for `undefined`. */
export function useThrottled<T>(value: T, ms: number | undefined): T {
  const [{ shown, isResting }, set] = useState({ shown: value, isResting: false })
  const isChanged = !Object.is(shown, value)
  if (ms === undefined ? isResting : isChanged && !isResting)
    set({ shown: value, isResting: ms !== undefined })
  useTimeout(() => set({ shown: value, isResting: isChanged }), isResting ? ms : undefined, shown)
  return ms === undefined ? value : shown
}

/** Returns `value` once it has not changed for `ms`; at once if it had not changed for as long before. */
export function useDebounced<T>(value: T, ms: number): T {
  const [{ shown, latest, isSettled }, set] = useState({ shown: value, latest: value, isSettled: true })
  if (!Object.is(latest, value)) set({ shown: isSettled ? value : shown, latest: value, isSettled: false })
  useTimeout(() => set({ shown: latest, latest, isSettled: true }), isSettled ? undefined : ms, latest)
  return shown
}
