// The value of a promise as React state.
import { useEffect, useMemo, useState } from 'react'

type Load<T> = () => Promise<T>

/** What `load` ended with. */
export type Loaded<T> =
  | { readonly load: Load<T>; readonly value: T; readonly error?: never }
  | { readonly load: Load<T>; readonly value?: never; readonly error: unknown }

/**
 * Calls `load`, which keeps its identity between renders, once it is rendered, and returns what it ended with; the end
 * of the last one until then.
 */
export function useLoaded<T>(load: Load<T> | undefined): Loaded<T> | undefined {
  const [result, setResult] = useState<Loaded<T>>()
  useEffect(() => {
    if (load === undefined) return
    let isOver = false
    load().then(
      value => isOver || setResult({ load, value }),
      (error: unknown) => isOver || setResult({ load, error }),
    )
    return () => {
      isOver = true
    }
  }, [load])
  return result
}

/** The value of a promise, which keeps its identity between renders; undefined until it is there or if it fails. */
export function usePromise<T>(promise: Promise<T> | undefined): T | undefined {
  const load = useMemo(() => promise && (() => promise), [promise])
  const result = useLoaded(load)
  return result?.load === load ? result?.value : undefined
}
