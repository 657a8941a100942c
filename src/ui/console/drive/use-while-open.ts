// Handles async results that may arrive after their view has closed.
import { useCallback, useEffect, useRef } from 'react'

/** Passes the result to `take` while mounted, and to `refuse` afterwards; neither may change. */
export function useWhileOpen<T>(take: (made: T) => void, refuse: (made: T) => void): (made: T) => void {
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => void (isGone.current = true)
  }, [])
  return useCallback(made => (isGone.current ? refuse : take)(made), [take, refuse])
}
