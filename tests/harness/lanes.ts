// Lists and counts over a timeline, for comparison with what its queries return.
import { countUpToNumber, FAMILIES, NEVER } from '../../src/trace/timeline/actor-tracks.ts'
import { FLAG } from '../../src/trace/timeline/block.ts'
import { eachPoint } from '../../src/trace/timeline/lanes.ts'
import type { Timeline } from '../../src/trace/timeline/timeline.ts'

interface Point {
  readonly t: number
  readonly seq: number
  readonly merged: number
}

/** The points of `eachPoint` as a list. */
export function pointsIn(timeline: Timeline, actor: number, t0: number, t1: number, most: number): Point[] {
  const points: Point[] = []
  eachPoint(timeline, actor, t0, t1, most, (t, seq, merged) => points.push({ t, seq, merged }))
  return points
}

/** Number of steps in each of several equal time intervals. */
interface Density {
  readonly buckets: number
  /** By family (as in `FAMILIES`) and bucket: `counts[family * buckets + bucket]`. */
  readonly counts: Uint32Array
  readonly failed: Uint32Array
  readonly injected: Uint32Array
  /** The highest number of steps in one bucket. */
  readonly most: number
}

/** Counts steps within these times by family. Takes a few milliseconds for a million steps. */
export function density(timeline: Timeline, t0: number, t1: number, buckets: number): Density {
  const counts = new Uint32Array(FAMILIES.length * buckets)
  const [failed, injected] = [new Uint32Array(buckets), new Uint32Array(buckets)]
  const sums = new Uint32Array(buckets)
  const scale = t1 > t0 ? buckets / (t1 - t0) : 0
  const [from, to] = timeline.within(t0, t1)
  for (let seq = from; seq < to; seq++) {
    const bucket = Math.min(buckets - 1, Math.floor((timeline.t(seq) - t0) * scale))
    const at = timeline.familyId(timeline.actor(seq)) * buckets + bucket
    counts[at] = (counts[at] ?? 0) + 1
    sums[bucket] = (sums[bucket] ?? 0) + 1
    const flags = timeline.flags(seq)
    if ((flags & FLAG.failed) !== 0) failed[bucket] = (failed[bucket] ?? 0) + 1
    if ((flags & FLAG.injected) !== 0) injected[bucket] = (injected[bucket] ?? 0) + 1
  }
  return { buckets, counts, failed, injected, most: sums.reduce((most, sum) => Math.max(most, sum), 0) }
}

/** Numbers of the failed steps within these times, at most this many, evenly sampled if there are more. */
export function errorsIn(timeline: Timeline, t0: number, t1: number, most = Infinity): readonly number[] {
  const [from, to] = timeline.within(t0, t1)
  const all = timeline.failures
  const [first, last] = [countUpToNumber(all, from - 1), countUpToNumber(all, to - 1)]
  const every = Math.max(1, Math.ceil((last - first) / most))
  const found: number[] = []
  for (let at = first; at < last; at += every) found.push(all[at] ?? NEVER)
  return found
}
