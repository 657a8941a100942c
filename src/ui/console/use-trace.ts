// Follows a trace: processes its growth in bounded batches per frame, and draws as often as the page can
// handle.
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { type Cut, type LiveFeed, StepFolds, type TraceSource } from '../../trace/index.ts'
import type { FileTrace } from './model/file-trace.ts'
import { FrameScheduler, type RequestFrame } from './model/frame-scheduler.ts'
import { RowFilter } from './model/row-filter.ts'
import { memoryTrace, type MemoryTrace, type ShownTrace } from './model/shown-trace.ts'

/** Records of a trace in memory processed per frame; keeps a frame's work in the low milliseconds. */
const PER_FRAME = 4_000
/** Views tested per frame: columns are quick to test. */
const TESTED = 150_000
/** Views folded per frame, which takes longer. */
const FOLDED = 20_000

const requestFrame: RequestFrame = run => {
  const asked = requestAnimationFrame(run)
  return () => cancelAnimationFrame(asked)
}

/** A trace as the console reads it, in step with its growth. */
export interface Followed {
  readonly trace: ShownTrace
  readonly filter: RowFilter
  /** Undefined while all steps are shown. */
  readonly folds: StepFolds | undefined
  /** Number of processed views. */
  readonly size: number
}

/**
 * Follows a trace with a query; unmounting ends all work. When its oldest part is dropped, the rest is
 * processed again in the background, and `onCut` receives the new numbers.
 */
export function useTrace(
  shown: TraceSource | FileTrace,
  { query, isFolded }: { readonly query: string; readonly isFolded: boolean },
  onCut: (cut: Cut) => void,
): Followed {
  const [, nextFrame] = useReducer((count: number) => count + 1, 0)
  const [held, hold] = useState(() => ({ shown, trace: started(shown) }))
  const trace = useMemo(() => (held.shown === shown ? held.trace : started(shown)), [held, shown])
  const { timeline, details } = trace
  // Adding or removing a note changes the matches of this term.
  const notes = query.includes('bookmarked') ? timeline.bookmarks : undefined
  const asked = useMemo(() => ({ query, notes }), [query, notes])
  const filter = useMemo(() => {
    const made = new RowFilter(asked.query, timeline, details)
    made.advance(timeline.size, TESTED)
    return made
  }, [timeline, details, asked])
  const folds = useMemo(() => {
    if (!isFolded) return undefined
    const made = new StepFolds(timeline)
    made.advance(timeline.size, FOLDED)
    return made
  }, [timeline, isFolded])

  useEffect(() => {
    const { feed } = trace
    let coming: MemoryTrace | undefined
    const goOver = (from: LiveFeed) => {
      if (!from.isCut) return hold({ shown, trace: started(shown) })
      if (!coming || coming.feed.isOutdated) coming = memoryTrace(from.source)
      coming.feed.advance(PER_FRAME)
      if (coming.feed.isBehind) return
      onCut(from.cutTo(coming.feed))
      hold({ shown, trace: coming })
    }
    const take = () => {
      const isOutdated = feed?.isOutdated === true
      if (isOutdated) goOver(feed)
      else feed?.advance(PER_FRAME)
      const isUntested = filter.advance(timeline.size, TESTED)
      const isUnfolded = folds?.advance(timeline.size, FOLDED) === true
      void filter.ask(scheduler.ask)
      return isUntested || isUnfolded || isOutdated || feed?.isBehind === true
    }
    const scheduler = new FrameScheduler({ requestFrame, take, draw: nextFrame })
    const unsubscribe = (trace.source ?? timeline).subscribe(scheduler.ask)
    scheduler.ask()
    return () => {
      unsubscribe()
      scheduler.stop()
      filter.end()
    }
  }, [shown, trace, timeline, filter, folds, onCut])

  useCutBetween(trace, onCut)
  return { trace, filter, folds, size: timeline.size }
}

/**
 * When another tab's recording drops its oldest part, the rest arrives as a new recording with new numbers.
 */
function useCutBetween(trace: ShownTrace, onCut: (cut: Cut) => void): void {
  const known = useRef(trace)
  useEffect(() => {
    const was = known.current
    known.current = trace
    if (!was.feed || !trace.feed || was.source === trace.source || was.timeline.size === 0) return
    if (trace.feed.dropped > was.feed.dropped) onCut(was.feed.cutTo(trace.feed))
  }, [trace, onCut])
}

function started(shown: TraceSource | FileTrace): ShownTrace {
  if ('timeline' in shown) return shown
  const trace = memoryTrace(shown)
  trace.feed.advance(PER_FRAME)
  return trace
}
