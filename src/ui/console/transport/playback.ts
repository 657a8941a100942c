// Playing a recording: from event to event, as far apart as they were, at any speed.
import type { Timeline } from '../../../trace/timeline/timeline.ts'

/** How many times faster than it was. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 100] as const

/** Nobody waits longer for the next event: quiet stretches are shortened to this, in milliseconds. */
const QUIET_MS = 1000

/** Events passed over in one go, so that a frame stays short. */
const MOST = 20_000

/** Where a playback is. */
export interface Position {
  readonly seq: number
  /** Milliseconds that were waited for the next event already. */
  readonly waited: number
}

/** Milliseconds of waiting for the event after this one. */
function gapAfter(timeline: Timeline, seq: number, speed: number): number {
  return Math.min(QUIET_MS, (timeline.t(seq + 1) - timeline.t(seq)) / speed)
}

/** The position when so many milliseconds have passed; it stops at the view `last`. */
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

/** The first and the last view of what is played: the range that is looked at, or all. */
export function playedViews(
  timeline: Timeline,
  size: number,
  range: readonly [from: number, to: number] | undefined,
): readonly [first: number, last: number] {
  if (!range) return [0, size - 1]
  const [first, end] = timeline.within(...range)
  return [first, Math.min(end, size) - 1]
}
