// The lanes of the timeline: actors that were running in the range, as a collapsible tree; and what its
// drawings share.
import { NEVER, type Timeline } from '../../../trace/index.ts'
import type { Range, TimeScale } from '../canvas/time-scale.ts'
import type { Tone } from '../../widgets/pill.tsx'
import type { Palette } from '../canvas/palette.ts'
import type { Finding } from '../checks/findings.ts'
import type { Marks } from '../model/place.ts'

/** The place that the timeline shows. */
export interface TimelinePlace {
  readonly timeline: Timeline
  /** The selected view of the selected actor; -1 for none. */
  readonly seq: number
  readonly actor: number
  readonly full: Range
  readonly range: Range
}

export interface Lane {
  readonly actor: number
  readonly depth: number
  /** Lanes below it, collapsed or not. */
  readonly below: number
  readonly isOpen: boolean
}

export interface LaneList {
  readonly lanes: readonly Lane[]
  /** The lane of each actor: its own, or its nearest visible ancestor's. */
  readonly rowOf: ReadonlyMap<number, number>
  /** Number of actors that were not running in the range. */
  readonly outside: number
  /** Number of actors inside collapsed lanes. */
  readonly folded: number
}

/** An actor with more children than this, or with ports only, is collapsed by default. */
export const MANY = 12

/**
 * Returns the lanes of a range. `chosen` holds the actors that the user expanded (true) or collapsed (false).
 */
export function laneList(timeline: Timeline, range: Range, chosen: ReadonlyMap<number, boolean>): LaneList {
  const lanes: Lane[] = []
  const rowOf = new Map<number, number>()
  const { isSeen, below, outside } = seenIn(timeline, range)
  let folded = 0
  // Ports have neither states nor children, and are drawn on the actor they work for.
  const isTelling = (actor: number) => {
    const first = timeline.stepsOf(actor)[0]
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

/** Returns the actors running in a range, their ancestors, and the number of descendants of each. */
function seenIn(timeline: Timeline, [t0, t1]: Range) {
  const isSeen: boolean[] = []
  const below: number[] = []
  let outside = 0
  // Parents come before their children.
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

export const ROW = 24
export const RULER = 22
/** Height of a bar. */
export const BAR = 15

export interface Scene {
  readonly timeline: Timeline
  readonly list: LaneList
  readonly scale: TimeScale
  readonly palette: Palette
  /** Pixels scrolled out above. */
  readonly top: number
  readonly height: number
  readonly marks: Marks
  /** Returns the tone of the state reached by a view. */
  readonly toneOf: (seq: number) => Tone
}

/** A scene with the selection. */
export interface ChosenScene extends Scene {
  readonly seq: number
  readonly findings: readonly Finding[]
}
