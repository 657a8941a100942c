// A signal that is renewed by hand: what depends on it is asked for anew.
import { useCallback, useState } from 'react'

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
