// The head of a group in the log: an input and the events it caused.
import { ChevronRight } from 'lucide-react'
import { countUpToNumber, type Timeline } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { familyColor, shortPath } from '../actor-names.ts'
import { clockTime, count, plural } from '../text.ts'
import { describeOrigin } from './describe-cause.ts'
import { ActorPath } from './log-row.tsx'
import styles from './log.module.css'

export interface GroupRowProps {
  readonly id: string
  readonly timeline: Timeline
  readonly group: number
  /** Numbers of its first and last view. */
  readonly first: number
  readonly last: number
  /** Number of its events that are shown when expanded. */
  readonly size: number
  readonly isOpen: boolean
  /** Whether it is collapsed and contains the selected event. */
  readonly selected: boolean
  readonly row: number
  readonly top: number
}

export function GroupRow(props: GroupRowProps) {
  const { id, timeline, group, first, last, size, isOpen, selected, row, top } = props
  const actor = timeline.actor(first)
  const entry = timeline.actors[actor]
  const failed = countUpToNumber(timeline.failures, last) - countUpToNumber(timeline.failures, first - 1)
  const took = timeline.t(last) - timeline.t(first)
  return (
    <div
      id={id}
      role="row"
      data-group={group}
      aria-rowindex={row + 2}
      aria-level={1}
      aria-expanded={isOpen}
      aria-selected={selected}
      className={cx(styles.row, styles.group, selected && styles.selected)}
      style={{ top }}
    >
      <span role="gridcell" className={styles.seq}>
        <ChevronRight size={12} aria-hidden className={cx(styles.chevron, isOpen && styles.open)} />
        {count(first)}
      </span>
      <span role="gridcell" className={styles.time}>
        {clockTime(timeline.t(first))}
      </span>
      <span role="gridcell" className={styles.actor} style={{ color: familyColor(timeline.family(actor)) }}>
        {entry ? <ActorPath path={shortPath(entry)} /> : `actor ${actor}`}
      </span>
      <span role="gridcell" className={styles.event}>
        {timeline.type(first)}
      </span>
      <span role="gridcell" className={styles.change}>
        <span className={styles.same}>
          {plural(size, 'event')}
          {took >= 1 ? ` in ${count(Math.round(took))} ms` : ''}
        </span>
        {failed > 0 ? <span className={styles.failed}> · {count(failed)} failed</span> : null}
      </span>
      <span role="gridcell" className={styles.cause}>
        {describeOrigin(timeline, first)}
      </span>
    </div>
  )
}
