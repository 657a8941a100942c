// Previously active states: for each ancestor of the active states, the child that was active before.
import { countUpToNumber, type Timeline } from '../../../trace/index.ts'
import { containerOf } from './edge-direction.ts'

/** Steps of an actor to look back through. */
const LOOK = 200

/**
 * Keyed by the parent's path: the child active before the present one; missing if it started in the present
 * one.
 */
export function originsAt(timeline: Timeline, seq: number): ReadonlyMap<string, string> {
  const { paths } = timeline.state(seq)
  const siblings = Map.groupBy(paths, containerOf)
  // Regions are all active at once, so none follows another.
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
