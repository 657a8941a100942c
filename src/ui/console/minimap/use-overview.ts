// The overview of a timeline, computed in batches, so that a million events do not block a frame.
import { useEffect, useMemo, useReducer } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { Overview } from './overview.ts'

const BATCH = 60_000

export interface ShownOverview {
  readonly overview: Overview
  /** Increases with every batch: earlier drawings are outdated. */
  readonly drawn: number
}

/** `version` increases with the timeline. */
export function useOverview(
  timeline: Timeline,
  version: number,
  toneOf: (seq: number) => Tone,
): ShownOverview {
  const overview = useMemo(() => new Overview(timeline, toneOf), [timeline, toneOf])
  const [drawn, next] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let asked = 0
    const take = () => {
      const isMore = overview.advance(BATCH)
      next()
      if (isMore) asked = requestAnimationFrame(take)
    }
    take()
    return () => cancelAnimationFrame(asked)
  }, [overview, version])
  return { overview, drawn }
}
