// The range of time that a view shows: the one that is looked at, or all that there is so far.
import { useMemo } from 'react'
import { useConsole } from '../use-console.ts'
import { usePaced } from '../use-paced.ts'
import { wholeOf, type Range } from './time-scale.ts'

/** How often views that look at all of the range are laid out while a trace grows. */
const PACE_MS = 250

export interface ShownRange {
  /** Grows with the timeline, some times a second. */
  readonly version: number
  readonly whole: Range
  readonly range: Range
}

/** The same range is the same object. */
export function useShownRange(): ShownRange {
  const { timeline, size, place } = useConsole()
  const version = usePaced(size, PACE_MS, true)
  const whole = useMemo(() => wholeOf(version > 0 ? timeline.end : 0), [timeline, version])
  return { version, whole, range: place.range ?? whole }
}
