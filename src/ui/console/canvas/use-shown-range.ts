// The time range that a view shows: the chosen one, or everything recorded so far.
import { useMemo } from 'react'
import { useConsole } from '../use-console.ts'
import { useThrottled } from '../use-paced.ts'
import { wholeOf, type Range } from './time-scale.ts'

/** How often views of the full range are laid out while the trace grows. */
const PACE_MS = 250

/**
 * Returns the same object for the same range. `version` increases several times a second as the timeline
 * grows.
 */
export function useShownRange() {
  const { timeline, size, place } = useConsole()
  const version = useThrottled(size, PACE_MS)
  const full = useMemo(() => wholeOf(version > 0 ? timeline.end : 0), [timeline, version])
  const range: Range = place.range ?? full
  return { version, full, range }
}
