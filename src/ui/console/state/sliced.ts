// Runs long work in slices: short work finishes immediately, the rest runs one slice per frame.
import { useEffect, useMemo, useState } from 'react'

export type Work<T> = Generator<void, T, void>

/** Steps per slice: a few milliseconds. */
const SLICE = 3_000

/** Runs the given number of steps; returns the result once finished. */
export function advance<T>(work: Work<T>, steps = SLICE): { readonly value: T } | undefined {
  for (let at = 0; at < steps; at++) {
    const { done, value } = work.next()
    if (done === true) return { value }
  }
  return undefined
}

/** Returns the result of work that restarts whenever `begin` changes; undefined until it is done. */
export function useSliced<T>(begin: () => Work<T>): T | undefined {
  const begun = useMemo(() => {
    const work = begin()
    return { work, first: advance(work) }
  }, [begin])
  const [late, setLate] = useState<{ readonly of: object; readonly value: T }>()
  useEffect(() => {
    if (begun.first) return
    let frame = requestAnimationFrame(function next() {
      const result = advance(begun.work)
      if (result) setLate({ of: begun, value: result.value })
      else frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [begun])
  return begun.first ? begun.first.value : late?.of === begun ? late.value : undefined
}
