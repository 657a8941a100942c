// Follows a trace: takes up its growth once per animation frame and in bounded portions.
import { useEffect, useMemo, useReducer, useState } from 'react'
import type { TraceSource } from '../../trace/format.ts'
import { LogFilter } from './log-filter.ts'
import { TraceIndex } from './trace-index.ts'

/** Records taken up in one frame; keeps a frame's work in the low milliseconds. */
const PER_FRAME = 4_000

/** A trace as the console reads it, in step with its growth. */
export interface Followed {
  readonly source: TraceSource
  readonly index: TraceIndex
  readonly filter: LogFilter
  /** Records indexed so far. */
  readonly size: number
}

/** Follows `source` with a text filter; unmounting ends all work. */
export function useTrace(source: TraceSource, query: string): Followed {
  const [, nextFrame] = useReducer((count: number) => count + 1, 0)
  const [held, hold] = useState(() => started(source))
  const index = useMemo(() => (held.source === source ? held : started(source)), [held, source])
  const filter = useMemo(() => {
    const made = new LogFilter(source, query)
    made.advance(index.size, PER_FRAME)
    return made
  }, [source, index, query])

  useEffect(() => {
    let asked = 0
    const work = () => {
      asked = 0
      if (index.outdated) return hold(started(source))
      index.advance(PER_FRAME)
      const more = filter.advance(index.size, PER_FRAME)
      nextFrame()
      if (index.behind || more) ask()
    }
    const ask = () => {
      if (asked === 0) asked = requestAnimationFrame(work)
    }
    const unsubscribe = source.subscribe(ask)
    ask()
    return () => {
      unsubscribe()
      cancelAnimationFrame(asked)
    }
  }, [source, index, filter])

  return { source, index, filter, size: index.size }
}

function started(source: TraceSource): TraceIndex {
  const index = new TraceIndex(source)
  index.advance(PER_FRAME)
  return index
}
