// Follows a trace: takes up its growth once per animation frame and in bounded portions.
import { useEffect, useMemo, useReducer, useState } from 'react'
import type { TraceSource } from '../../trace/format.ts'
import type { FileTrace } from './model/file-trace.ts'
import { RowFilter } from './model/row-filter.ts'
import { memoryTrace, type ShownTrace } from './model/shown-trace.ts'

/** Records of a trace in memory taken up in one frame; keeps a frame's work in the low milliseconds. */
const PER_FRAME = 4_000
/** Views tested in one frame: columns are quick to test. */
const TESTED = 150_000

/** A trace as the console reads it, in step with its growth. */
export interface Followed {
  readonly trace: ShownTrace
  readonly filter: RowFilter
  /** Views taken up so far. */
  readonly size: number
}

/** Follows a trace with a query; unmounting ends all work. */
export function useTrace(shown: TraceSource | FileTrace, query: string): Followed {
  const [, nextFrame] = useReducer((count: number) => count + 1, 0)
  const [held, hold] = useState(() => ({ shown, trace: started(shown) }))
  const trace = useMemo(() => (held.shown === shown ? held.trace : started(shown)), [held, shown])
  const { timeline, details } = trace
  // A note that is made or removed changes what this term finds.
  const notes = query.includes('bookmarked') ? timeline.bookmarks : undefined
  const asked = useMemo(() => ({ query, notes }), [query, notes])
  const filter = useMemo(() => {
    const made = new RowFilter(asked.query, timeline, details)
    made.advance(timeline.size, TESTED)
    return made
  }, [timeline, details, asked])

  useEffect(() => {
    let asked = 0
    const work = () => {
      asked = 0
      const { feed } = trace
      if (feed?.isOutdated) return hold({ shown, trace: started(shown) })
      feed?.advance(PER_FRAME)
      const more = filter.advance(timeline.size, TESTED)
      void filter.ask(ask)
      nextFrame()
      if (feed?.isBehind || more) ask()
    }
    const ask = () => {
      if (asked === 0) asked = requestAnimationFrame(work)
    }
    const unsubscribe = (trace.source ?? timeline).subscribe(ask)
    ask()
    return () => {
      unsubscribe()
      cancelAnimationFrame(asked)
      filter.end()
    }
  }, [shown, trace, timeline, filter])

  return { trace, filter, size: timeline.size }
}

function started(shown: TraceSource | FileTrace): ShownTrace {
  if ('timeline' in shown) return shown
  const trace = memoryTrace(shown)
  trace.feed.advance(PER_FRAME)
  return trace
}
