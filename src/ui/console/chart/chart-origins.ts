// What was active before: for each state on the way to the active ones, the child that it was in last.
import { countUpToNumber } from '../../../trace/timeline/actor-tracks.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { containerOf } from './edge-direction.ts'

/** Moves of an actor that are looked back through. */
const LOOK = 200

/** By path of the holding state, the child that was active before its present one; none where it began in this one. */
export function originsAt(timeline: Timeline, seq: number): ReadonlyMap<string, string> {
  const { paths } = timeline.state(seq)
  const siblings = Map.groupBy(paths, containerOf)
  // Regions are all active at once: none comes from another.
  const open = new Map(
    [...siblings].flatMap(([container, [path, more]]) =>
      path === undefined || more !== undefined ? [] : [[container, path] as const],
    ),
  )
  const origins = new Map<string, string>()
  const moves = timeline.movesOf(timeline.actor(seq))
  const last = countUpToNumber(moves, seq) - 1
  for (let at = last - 1; at >= Math.max(0, last - LOOK) && open.size > 0; at--) {
    const before = timeline.state(moves[at] ?? -1).paths
    for (const [container, path] of open) {
      const isIn = container === '' || before.includes(container)
      const child = isIn ? before.find(one => containerOf(one) === container) : undefined
      if (child === path) continue
      open.delete(container)
      if (child !== undefined) origins.set(container, child)
    }
  }
  return origins
}
