// A row of the network view: request, outcome, attempts, duration, and bar.
import { memo } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { duration, type Range } from '../canvas/time-scale.ts'
import { NetworkBar, phasesInWords } from './network-bar.tsx'
import { methodOf, type NetworkRow } from './network-rows.ts'
import styles from './network.module.css'
import { formatSize } from '../../../machines/index.ts'

export interface RowProps {
  readonly id: string
  readonly timeline: Timeline
  readonly row: NetworkRow
  readonly range: Range
  readonly index: number
  /** Distance from the top, in pixels. */
  readonly start: number
  readonly isChosen: boolean
  /** Whether it began after the moment. */
  readonly isFuture: boolean
}

export const Row = memo(function Row(props: RowProps) {
  const { id, timeline, row, range, index, start, isChosen, isFuture } = props
  const { wire, status, outcome, attempts, bytes, failed, injected, isOpen } = row
  const [path = '', question] = wire.path.split('?', 2)
  return (
    <div
      id={id}
      role="row"
      data-seq={row.seq}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={cx(styles.row, isChosen && styles.chosen, isFuture && styles.future)}
      style={{ top: start }}
    >
      <span role="gridcell" className={styles.method}>
        {methodOf(wire)}
      </span>
      <span role="gridcell" className={styles.name} title={wire.path}>
        {path}
        {question === undefined ? null : <span className={styles.question}>?{question}</span>}
      </span>
      <span role="gridcell" className={cx(styles.status, failed && styles.failed)} title={outcome}>
        {status ?? ''} {outcome}
        {injected ? <span className={styles.injected}> ◆ injected</span> : null}
      </span>
      <span role="gridcell" className={cx(styles.number, attempts > 1 && styles.retried)}>
        {attempts}
      </span>
      <span role="gridcell" className={styles.number}>
        {bytes === undefined ? '' : formatSize(bytes)}
      </span>
      <span role="gridcell" className={styles.number}>
        {duration(row.to - row.from)}
        {isOpen ? '…' : ''}
      </span>
      <span role="gridcell" className={styles.waterfall} aria-label={phasesInWords(timeline, row)}>
        <NetworkBar timeline={timeline} row={row} range={range} />
      </span>
    </div>
  )
})
