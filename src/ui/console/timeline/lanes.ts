// Which lanes the timeline shows: the actors that lived in the range, as a tree that folds.
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { NEVER } from '../../../trace/timeline/actor-tracks.ts'
import type { Range } from '../canvas/time-scale.ts'

export interface Lane {
  readonly actor: number
  readonly depth: number
  /** Lanes below it, folded or not. */
  readonly below: number
  readonly isOpen: boolean
}

export interface LaneList {
  readonly lanes: readonly Lane[]
  /** The lane that stands for each actor: its own, or that of the nearest above it that is shown. */
  readonly rowOf: ReadonlyMap<number, number>
  /** Actors that did not live in the range. */
  readonly outside: number
  /** Actors inside what is folded. */
  readonly folded: number
}

/** With more children than these, or with ports alone, an actor is folded until somebody opens it. */
export const MANY = 12

/** The lanes of a range. `chosen` says which actors somebody opened (true) or folded (false). */
export function laneList(timeline: Timeline, range: Range, chosen: ReadonlyMap<number, boolean>): LaneList {
  const lanes: Lane[] = []
  const rowOf = new Map<number, number>()
  const { isSeen, below, outside } = seenIn(timeline, range)
  let folded = 0
  // Ports have neither states nor others below them, and are drawn on whom they work for.
  const isTelling = (actor: number) => {
    const first = timeline.viewsOf(actor)[0]
    return (
      timeline.childrenOf(actor).length > 0 || (first !== undefined && timeline.state(first).label !== '')
    )
  }
  const visit = (actor: number, depth: number, row: number): void => {
    if (!isSeen[actor]) return
    const inside = timeline
      .childrenOf(actor)
      .filter(child => isSeen[child])
      .toSorted((a, b) => timeline.familyId(a) - timeline.familyId(b) || a - b)
    const byItself = inside.length <= MANY && (inside.length === 0 || inside.some(isTelling))
    const isOpen = chosen.get(actor) ?? byItself
    const isHidden = row >= 0
    const own = isHidden ? row : lanes.length
    if (isHidden) folded += 1
    else lanes.push({ actor, depth, below: below[actor] ?? 0, isOpen })
    rowOf.set(actor, own)
    for (const child of inside) visit(child, depth + 1, isHidden || !isOpen ? own : -1)
  }
  timeline.actors.forEach(({ parent }, actor) => {
    if (parent === undefined) visit(actor, 0, -1)
  })
  return { lanes, rowOf, outside, folded }
}

/** The actors that lived in a range, and those with one of them below; and how many lie below each. */
function seenIn(timeline: Timeline, [t0, t1]: Range) {
  const isSeen: boolean[] = []
  const below: number[] = []
  let outside = 0
  // Parents stand before their children.
  for (let actor = timeline.actors.length - 1; actor >= 0; actor--) {
    const life = timeline.lifeOf(actor)
    const lived = timeline.born(actor) !== NEVER && life.from <= t1 && life.to >= t0
    const children = below[actor] ?? 0
    isSeen[actor] = lived || children > 0
    if (!isSeen[actor]) {
      outside += 1
      continue
    }
    const parent = timeline.actors[actor]?.parent
    if (parent !== undefined) below[parent] = (below[parent] ?? 0) + children + 1
  }
  return { isSeen, below, outside }
}
