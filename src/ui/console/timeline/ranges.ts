// Time ranges worth viewing, with a margin on either side.
import type { Timeline } from '../../../trace/index.ts'
import { clamped, type Range } from '../canvas/time-scale.ts'
import type { Marks } from '../model/place.ts'

const ROOM = 0.1

function about(from: number, to: number, full: Range): Range {
  const room = Math.max(0.05, (to - from) * ROOM)
  return clamped([from - room, to + room], full)
}

/** Returns the time for which the state after a view lasted; for a final state, the actor's lifetime. */
export function rangeOfState(timeline: Timeline, seq: number, full: Range): Range | undefined {
  if (seq < 0 || seq >= timeline.size) return undefined
  const since = timeline.since(timeline.actor(seq), seq)
  const from = since < 0 ? seq : since
  // A final state has no duration.
  if (timeline.stayOf(from) === 0) return rangeOfLife(timeline, timeline.actor(seq), full)
  return about(timeline.t(from), timeline.t(from) + timeline.stayOf(from), full)
}

export function rangeOfLife(timeline: Timeline, actor: number, full: Range): Range | undefined {
  if (timeline.stepsOf(actor).length === 0) return undefined
  const { from, to } = timeline.lifeOf(actor)
  return about(from, to, full)
}

export function rangeOfMarks(timeline: Timeline, { a, b }: Marks, full: Range): Range | undefined {
  if (a === undefined || b === undefined || Math.max(a, b) >= timeline.size) return undefined
  return about(timeline.t(Math.min(a, b)), timeline.t(Math.max(a, b)), full)
}
