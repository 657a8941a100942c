// Whether the page is narrow, matching the style sheets.
import { useCallback, useSyncExternalStore } from 'react'

const NARROW = 720

const queryOf = (most: number) => matchMedia(`(max-width: ${most}px)`)

/**
 * True on narrow screens.
 * @param most the limit in pixels
 */
export function useNarrow(most = NARROW): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const query = queryOf(most)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    [most],
  )
  return useSyncExternalStore(subscribe, () => queryOf(most).matches)
}
