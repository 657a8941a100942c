// A transition listed in its state's box: just taken, waiting for a timer, or rejected by a guard.
import { cx } from '../../widgets/cx.ts'
import type { ChartActivity } from './chart-activity.ts'
import type { Box } from './chart-geometry.ts'
import { LINE } from './chart-graph.ts'
import type { EdgeLine } from './chart-text.ts'
import styles from './chart.module.css'
import { Countdown, type RunningTimer } from './countdown.tsx'
import type { StateBox } from './placed-chart.ts'

/** Transitions that were just taken, were rejected, or wait for a timer. */
export interface OwnMarks extends Pick<ChartActivity, 'taken' | 'rejected'> {
  readonly timers: readonly RunningTimer[]
}

interface OwnLineProps {
  readonly box: Box & Pick<StateBox, 'state'>
  readonly line: EdgeLine
  /** Position of the text's lower edge. */
  readonly y: number
  /** Whether its state is active. */
  readonly isOpen: boolean
  readonly marks: OwnMarks
}

/** A transition that stays within the state, or leaves it but has no space for an arrow. */
export function OwnLine({ box, line, y, isOpen, marks }: OwnLineProps) {
  const isHot = line.names.some(name => marks.taken.has(name))
  const rejection = line.names.flatMap(name => marks.rejected.get(name) ?? [])[0]
  const timer = marks.timers.find(({ name }) => line.names.includes(name))
  return (
    <g
      className={styles.line}
      data-edge={`${box.state.path}↻`}
      data-names={line.names.join('\n')}
      data-rejected={rejection ? '' : undefined}
      data-kind={line.kind}
    >
      <rect
        className={styles.lineGround}
        x={box.x + 8}
        y={y - 11}
        width={box.width - 16}
        height={LINE}
        rx={4}
      />
      <text
        className={cx(styles.ownLabel, isOpen && styles.openLabel, isHot && styles.hotLabel)}
        x={box.x + 14}
        y={y}
      >
        {rejection ? `✕ ${rejection.guard}: ` : ''}
        {line.text}
        {timer ? <Countdown timer={timer} /> : null}
      </text>
    </g>
  )
}
