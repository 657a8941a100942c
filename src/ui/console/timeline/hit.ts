// Hit testing in the timeline: the nearest view of a lane, or the state at that time.
import type { Timeline } from '../../../trace/index.ts'
import type { TimeScale } from '../canvas/time-scale.ts'
import { ROW, RULER } from './scene.ts'
import type { LaneList } from './lanes.ts'

export interface Hit {
  readonly row: number
  readonly actor: number
  /** The nearest view if the pointer is on one, else the last one before. */
  readonly seq: number
  readonly isPoint: boolean
}

const NEAR = 5

/** `y` is in the canvas, of which `top` pixels are scrolled out above. */
export function hitAt(
  timeline: Timeline,
  { lanes }: LaneList,
  scale: TimeScale,
  { x, y, top }: { readonly x: number; readonly y: number; readonly top: number },
): Hit | undefined {
  const row = Math.floor((y - RULER + top) / ROW)
  const lane = y < RULER ? undefined : lanes[row]
  if (!lane) return undefined
  const { actor } = lane
  const before = timeline.lastOf(actor, timeline.countAt(scale.t(x)) - 1)
  const after = timeline.nextOf(actor, before)
  const away = (seq: number) => (seq < 0 ? Infinity : Math.abs(scale.x(timeline.t(seq)) - x))
  const nearest = away(after) < away(before) ? after : before
  if (away(nearest) <= NEAR) return { row, actor, seq: nearest, isPoint: true }
  const isLiving = before >= 0 && scale.t(x) <= timeline.lifeOf(actor).to
  return isLiving ? { row, actor, seq: before, isPoint: false } : undefined
}
