// The value of a promise as React state.
import { useEffect, useState } from 'react'

/** The value of a promise, which keeps its identity between renders; undefined until it is there or if it fails. */
export function usePromise<T>(promise: Promise<T> | undefined): T | undefined {
  const [result, setResult] = useState<{ readonly of: Promise<T>; readonly value: T }>()
  useEffect(() => {
    if (promise === undefined) return
    let isOver = false
    promise.then(
      value => isOver || setResult({ of: promise, value }),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [promise])
  return result?.of === promise ? result?.value : undefined
}
