// Plays a recording event by event with the recorded pauses, at any speed.
import type { Timeline } from '../../../trace/index.ts'

/** Speed factors. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 100] as const

/** Longer pauses are shortened to this, in milliseconds. */
const QUIET_MS = 1000

/** Maximum events skipped at once, so that a frame stays short. */
const MOST = 20_000

/** Position of a playback. */
export interface Position {
  readonly seq: number
  /** Milliseconds already waited for the next event. */
  readonly waited: number
}

/** Returns the milliseconds to wait for the event after this one. */
function gapAfter(timeline: Timeline, seq: number, speed: number): number {
  return Math.min(QUIET_MS, (timeline.t(seq + 1) - timeline.t(seq)) / speed)
}

/** Returns the position after the given milliseconds; it stops at the view `last`. */
export function advanced(
  timeline: Timeline,
  { seq, waited }: Position,
  passed: number,
  speed: number,
  last: number,
): Position {
  let at = seq
  let left = waited + passed
  for (let steps = 0; at < last && steps < MOST; steps++) {
    const gap = gapAfter(timeline, at, speed)
    if (left < gap) return { seq: at, waited: left }
    left -= gap
    at += 1
  }
  return { seq: at, waited: 0 }
}

/** Returns the first and last view to play: in the shown range, or all. */
export function playedViews(
  timeline: Timeline,
  size: number,
  range: readonly [from: number, to: number] | undefined,
): readonly [first: number, last: number] {
  if (!range) return [0, size - 1]
  const [first, end] = timeline.within(...range)
  return [first, Math.min(end, size) - 1]
}
