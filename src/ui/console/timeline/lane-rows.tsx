// Names of the lanes next to the canvas; for screen readers, the grid that the canvas shows.
import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { type Family, type Timeline, type Wire, countUpToNumber } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { familyColor, ownName } from '../actor-names.ts'
import parts from '../canvas/parts.module.css'
import { type Range, duration } from '../canvas/time-scale.ts'
import { count, clockTime, plural } from '../text.ts'
import { ROW, RULER, type Lane, type LaneList } from './lanes.ts'
import styles from './timeline.module.css'
import type { Finding } from '../checks/findings.ts'
import type { Hit } from './use-lane-controls.ts'

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

/** Returns the actor's own name; for a request, also its path. */
function laneLabel(timeline: Timeline, actor: number, wire: Wire | undefined): string {
  const entry = timeline.actors[actor]
  if (!entry) return `actor ${actor}`
  const own = ownName(entry, timeline.actors)
  return wire?.kind === 'request' ? `${wire.method} ${shortCall(wire.path)}` : own
}

/**
 * Returns the path without the common prefix and the query string: `vessels`, `storage/object/list/charts`.
 */
function shortCall(path: string): string {
  const bare = path.replace(/\?[^]*/, '')
  return bare.replace(/^\/rest\/v1\//, '').replace(/^\/(\w+)\/v1\//, '$1/') || bare
}

/** Describes the lane in a sentence: the actor's state at the moment, and its activity in the range. */
function laneSentence(timeline: Timeline, actor: number, seq: number, range: Range): string {
  const last = timeline.lastOf(actor, seq)
  const state = last < 0 ? 'not started' : timeline.state(last).label || timeline.status(last)
  const from = last < 0 ? undefined : timeline.since(actor, last)
  const since = from === undefined || from < 0 ? '' : `, since ${clockTime(timeline.t(from))}`
  const [first, end] = timeline.within(...range)
  const steps = timeline.stepsOf(actor)
  const events = countUpToNumber(steps, end - 1) - countUpToNumber(steps, first - 1)
  return `${state}${since}; ${plural(events, 'event')} in this range`
}

/** Describes a position of a lane: a view or a state, with its findings and notes. */
export function hoverFacts(
  timeline: Timeline,
  { actor, seq, isPoint }: Pick<Hit, 'actor' | 'seq' | 'isPoint'>,
  wires: ReadonlyMap<number, Wire>,
  findings: readonly Finding[],
) {
  const fault = timeline.faultOf(seq)
  const since = timeline.since(actor, seq)
  const from = since < 0 ? seq : since
  const time = isPoint
    ? `event ${count(seq)} at ${clockTime(timeline.t(seq))}`
    : `for ${duration(timeline.stayOf(from))}, since ${clockTime(timeline.t(from))}`
  const note = timeline.bookmarks.find(({ step }) => step === seq)?.note
  return {
    title: isPoint ? timeline.type(seq) : laneLabel(timeline, actor, wires.get(actor)),
    value: timeline.state(seq).label || timeline.status(seq),
    lines: [
      time,
      ...(timeline.failed(seq) ? ['failed'] : []),
      ...(fault === undefined ? [] : [`injected by ${fault}`]),
      ...findings.filter(finding => finding.seq === seq).map(({ text }) => `failed: ${text}`),
      ...(note === undefined ? [] : [`note: ${note}`]),
    ],
  }
}
