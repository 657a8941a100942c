// Long work in slices: what is short is done at once, the rest a slice a frame.
import { useEffect, useMemo, useState } from 'react'

export type Work<T> = Generator<void, T, void>

/** Steps of one slice: a few milliseconds. */
const SLICE = 3_000

/** Goes on for so many steps; the result once there is one. */
export function advance<T>(work: Work<T>, steps = SLICE): { readonly value: T } | undefined {
  for (let at = 0; at < steps; at++) {
    const { done, value } = work.next()
    if (done === true) return { value }
  }
  return undefined
}

/** The result of work that is begun anew whenever `begin` is another function; nothing until it is done. */
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
