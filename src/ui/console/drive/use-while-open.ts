// For what is ready only after a while: the view that asked for it may be gone by then.
import { useCallback, useEffect, useRef } from 'react'

/** Gives it to `take` while the view is there, and to `refuse` after that; neither may change. */
export function useWhileOpen<T>(take: (made: T) => void, refuse: (made: T) => void): (made: T) => void {
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => void (isGone.current = true)
  }, [])
  return useCallback(made => (isGone.current ? refuse : take)(made), [take, refuse])
}
