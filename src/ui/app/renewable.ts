// An abort signal that can be renewed, to run an effect again.
import { useCallback, useState } from 'react'

/** A signal that `renew` aborts and replaces, so that effects that depend on it run again. */
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
