// A row of the network view: request, outcome, attempts, duration, and bar.
import { memo } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { duration, type Range } from '../canvas/time-scale.ts'
import { methodOf, type NetworkRow } from './network-rows.ts'
import styles from './network.module.css'
import phases from './phases.module.css'
import { callSpans, phaseOf, stateAt } from './request-story.ts'
import { formatSize } from '../../../services/workbench/text/index.ts'

/** Paths of all services begin alike: `rest/` says as much as `/rest/v1/` in half the room. */
const SERVICE = /^\/([a-z]+)\/v1\/(.+)$/

interface NetworkBarProps {
  readonly timeline: Timeline
  readonly row: NetworkRow
  readonly range: Range
}

const NetworkBar = memo(function NetworkBar({ timeline, row, range }: NetworkBarProps) {
  const [t0, t1] = range
  const percent = (t: number) => (100 * (Math.min(Math.max(t, t0), t1) - t0)) / (t1 - t0)
  const spans = callSpans(timeline, row, range)
  return (
    <span className={styles.bar} data-open={row.isOpen || undefined}>
      {spans.map(({ from, to, seq }) => {
        const state = stateAt(timeline, row, seq)
        return (
          <span
            key={seq}
            className={cx(styles.phase, phases.phase)}
            data-phase={phaseOf(state)}
            title={`${state || 'open'} for ${duration(to - from)}`}
            style={{ left: `${percent(from)}%`, width: `${percent(to) - percent(from)}%` }}
          />
        )
      })}
      {row.wire.attempts.map(({ seq, answered, failure, status = 0 }) =>
        answered === undefined || answered < t0 || answered > t1 ? null : (
          <span
            key={seq}
            className={styles.answer}
            data-failed={failure !== undefined || status >= 400 || undefined}
            style={{ left: `${percent(answered)}%` }}
          />
        ),
      )}
    </span>
  )
})

/** Describes the phases for screen readers, in place of the bar. */
function phasesInWords(timeline: Timeline, row: NetworkRow): string {
  const spans = callSpans(timeline, row, [row.from, row.to])
  const words = spans
    .filter(({ from, to }) => to > from)
    .map(({ from, to, seq }) => `${stateAt(timeline, row, seq) || 'open'} ${duration(to - from)}`)
  return words.length === 0 ? duration(row.to - row.from) : words.join(', ')
}

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
  const [, service, own = path] = SERVICE.exec(path) ?? []
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
        {service === undefined ? null : <span className={styles.question}>{service}/</span>}
        {own}
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
