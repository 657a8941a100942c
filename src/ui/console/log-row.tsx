// One record of the log as a row of cells.
import { memo } from 'react'
import type { TraceSource, ViewRecord } from '../../trace/format.ts'
import { cx } from '../widgets/cx.ts'
import { familyHue, shortPath } from './actor-names.ts'
import { causeLabel } from './cause-chain.ts'
import styles from './log.module.css'
import { stateChange } from './state-value.ts'
import { clockTime, count } from './text.ts'
import { eventTone } from './tone.ts'

export interface LogRowProps {
  readonly id: string
  readonly source: TraceSource
  readonly view: ViewRecord
  /** The record before it of the same actor. */
  readonly before: ViewRecord | undefined
  readonly row: number
  readonly top: number
  readonly selected: boolean
  /** After the moment that is looked at. */
  readonly future: boolean
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { id, source, view, before, row, top, selected, future } = props
  const entry = source.actors[view.actor]
  return (
    <div
      id={id}
      role="row"
      data-seq={view.seq}
      aria-rowindex={row + 2}
      aria-selected={selected}
      className={cx(
        styles.row,
        selected && styles.selected,
        future && styles.future,
        !view.changed && styles.noop,
      )}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="gridcell" className={styles.seq}>
        {count(view.seq)}
      </span>
      <span role="gridcell" className={styles.time}>
        {clockTime(view.t)}
      </span>
      <span
        role="gridcell"
        className={styles.actor}
        style={entry && { color: familyHue(entry, source.actors) }}
      >
        {entry ? shortPath(entry) : `actor ${view.actor}`}
      </span>
      <span
        role="gridcell"
        className={cx(styles.event, eventTone(view.event.type) === 'fail' && styles.failed)}
      >
        {view.event.type}
      </span>
      <span role="gridcell" className={styles.change}>
        <Change view={view} before={before} />
      </span>
      <span role="gridcell" className={styles.cause}>
        {causeLabel(source, view)}
      </span>
    </div>
  )
})

function Change({ view, before }: Pick<LogRowProps, 'view' | 'before'>) {
  const ended = view.status === 'active' ? '' : view.status
  if (view.value === undefined) return <span className={styles.same}>{ended}</span>
  const { from, to } = stateChange(before?.value, view.value)
  return (
    <>
      {from === '' ? null : <span className={styles.from}>{from} → </span>}
      <span className={cx(from === '' && before !== undefined && styles.same)}>{to}</span>
      {ended === '' ? null : <span className={styles.same}> · {ended}</span>}
    </>
  )
}
