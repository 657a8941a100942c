// One request in the waterfall: its states, one after the other.
import { memo } from 'react'
import { spansOf, type Timeline } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { duration, type Range } from '../canvas/time-scale.ts'
import type { NetworkRow } from './network-rows.ts'
import styles from './network.module.css'
import phases from './phases.module.css'
import { phaseOf } from './request-story.ts'

/** Further states are drawn as one: a bar cannot show more. */
const MOST = 400

interface NetworkBarProps {
  readonly timeline: Timeline
  readonly row: NetworkRow
  readonly range: Range
}

export const NetworkBar = memo(function NetworkBar({ timeline, row, range }: NetworkBarProps) {
  const [t0, t1] = range
  const percent = (t: number) => (100 * (Math.min(Math.max(t, t0), t1) - t0)) / (t1 - t0)
  const spans = spansOf(timeline, row.wire.actor, t0, t1, MOST)
  return (
    <span className={styles.bar} data-open={row.isOpen || undefined}>
      {spans.map(({ from, to, seq }) => {
        const state = timeline.state(seq).label
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
export function phasesInWords(timeline: Timeline, row: NetworkRow): string {
  const spans = spansOf(timeline, row.wire.actor, row.from, row.to, MOST)
  const words = spans
    .filter(({ from, to }) => to > from)
    .map(({ from, to, seq }) => `${timeline.state(seq).label || 'open'} ${duration(to - from)}`)
  return words.length === 0 ? duration(row.to - row.from) : words.join(', ')
}
