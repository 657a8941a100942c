// The names of the lanes next to the canvas; for screen readers, the grid that the canvas shows.
import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { Family, Timeline, Wire } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { familyColor } from '../actor-names.ts'
import parts from '../canvas/parts.module.css'
import type { Range } from '../canvas/time-scale.ts'
import { count } from '../text.ts'
import { ROW, RULER } from './scene.ts'
import { laneLabel, laneSentence } from './lane-labels.ts'
import type { Lane, LaneList } from './lanes.ts'
import styles from './timeline.module.css'

interface LaneRowsProps {
  /** Grid id, the prefix of the rows' ids. */
  readonly id: string
  readonly timeline: Timeline
  readonly list: LaneList
  readonly wires: ReadonlyMap<number, Wire>
  readonly seq: number
  readonly actor: number
  readonly range: Range
  readonly top: number
  readonly height: number
  readonly onActor: (actor: number) => void
  readonly onToggle: (actor: number, isOpen: boolean) => void
}

/** Lanes rendered beyond the visible ones, so that the selected one is usually rendered. */
const SPARE = 4

/** Returns the first rendered lane and the one after the last. */
const drawnLanes = (top: number, height: number) =>
  [Math.max(0, Math.floor(top / ROW) - SPARE), Math.ceil((top + height) / ROW) + SPARE] as const

/**
 * Returns the id of the row in this grid for an actor, or for the ancestor it is collapsed into; undefined if
 * it is not rendered.
 */
export function laneId(
  id: string,
  list: LaneList,
  actor: number,
  top: number,
  height: number,
): string | undefined {
  const row = list.rowOf.get(actor) ?? -1
  const [first, last] = drawnLanes(top, height)
  const lane = row >= first && row < last ? list.lanes[row] : undefined
  return lane && `${id}-${lane.actor}`
}

export function LaneRows(props: LaneRowsProps) {
  const { id, timeline, list, wires, seq, actor, range, top, height, onActor, onToggle } = props
  const [first, last] = drawnLanes(top, height)
  return list.lanes.slice(first, last).map((lane, at) => {
    const wire = wires.get(lane.actor)
    return (
      <LaneRow
        key={lane.actor}
        id={`${id}-${lane.actor}`}
        lane={lane}
        row={first + at}
        name={laneLabel(timeline, lane.actor, wire)}
        title={wire ? `${wire.method} ${wire.path}` : timeline.actors[lane.actor]?.path}
        family={timeline.family(lane.actor)}
        sentence={laneSentence(timeline, lane.actor, seq, range)}
        isChosen={lane.actor === actor}
        onActor={onActor}
        onToggle={onToggle}
      />
    )
  })
}

interface LaneRowProps extends Pick<LaneRowsProps, 'id' | 'onActor' | 'onToggle'> {
  readonly lane: Lane
  readonly row: number
  readonly name: string
  readonly title: string | undefined
  readonly family: Family
  /** The actor's state at the moment, and its activity in the range. */
  readonly sentence: string
  readonly isChosen: boolean
}

const LaneRow = memo(function LaneRow(props: LaneRowProps) {
  const { id, lane, row, name, title, family, sentence, isChosen, onActor, onToggle } = props
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={row + 1}
      aria-selected={isChosen}
      className={cx(styles.lane, isChosen && styles.chosen)}
      style={{ top: RULER + row * ROW, paddingLeft: 8 + Math.min(lane.depth, 6) * 10 }}
      onPointerDown={() => onActor(lane.actor)}
    >
      <span role="gridcell" className={styles.name} title={title}>
        {lane.below > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.fold}
            aria-expanded={lane.isOpen}
            aria-label={lane.isOpen ? `Collapse ${name}` : `Expand ${name}`}
            onPointerDown={event => event.stopPropagation()}
            onClick={() => onToggle(lane.actor, !lane.isOpen)}
          >
            <ChevronRight size={12} aria-hidden />
          </button>
        ) : (
          <span className={styles.noFold} />
        )}
        <span aria-hidden className={styles.hue} style={{ background: familyColor(family) }} />
        <span className={styles.label}>{name}</span>
        {lane.below > 0 && !lane.isOpen ? <span className={styles.below}>{count(lane.below)}</span> : null}
      </span>
      <span role="gridcell" className={parts.unseen}>
        {sentence}
      </span>
    </div>
  )
})
