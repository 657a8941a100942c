// Whether the page is narrow, as the style sheets have it.
import { useSyncExternalStore } from 'react'

const QUERY = '(max-width: 720px)'

const subscribe = (onChange: () => void) => {
  const query = matchMedia(QUERY)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** True on narrow screens. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(QUERY).matches)
