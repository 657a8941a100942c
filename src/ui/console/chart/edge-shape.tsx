// One arrow of a chart with its transitions: just taken, waiting for a timer, or rejected by a guard.
import { memo } from 'react'
import { cx } from '../../widgets/cx.ts'
import type { Rejection } from './chart-activity.ts'
import { LINE } from './chart-graph.ts'
import { guardTaken } from './chart-lines.ts'
import type { PlacedEdge } from './placed-chart.ts'
import { rounded } from './chart-path.ts'
import type { EdgeLine } from './chart-text.ts'
import { Countdown, type RunningTimer } from './countdown.tsx'
import styles from './chart.module.css'
import { useRefs } from './defs.tsx'

export interface EdgeShapeProps {
  readonly edge: PlacedEdge
  /** Names of its just-taken transitions, joined; '' for none. */
  readonly taken: string
  readonly rejections: readonly Rejection[]
  readonly timers: readonly RunningTimer[]
  /** Whether its source state is active. */
  readonly isOpen: boolean
  /** How often it was taken, and its relative share from 0 to 1; only in coverage mode. */
  readonly heat: number | undefined
  readonly visits: number
  readonly isDim: boolean
  readonly isFound: boolean
  readonly isFocused: boolean
  /** Number of the step: a new one restarts the arrow's animation. */
  readonly step: number
}

/** Draws an arrow's line. */
export const EdgeLineShape = memo(function EdgeLineShape(props: EdgeShapeProps) {
  const { edge, taken, heat, isOpen, step } = props
  const path = rounded(edge.points)
  const isHot = taken !== ''
  const { arrow, arrowHot } = useRefs()
  return (
    <g {...marks(props)}>
      <path
        className={cx(styles.edge, isOpen && styles.open, isHot && styles.hot)}
        style={heat === undefined ? undefined : { strokeWidth: 1.2 + heat * 3 }}
        d={path}
        markerEnd={isHot ? arrowHot : arrow}
      />
      {isHot ? <path key={step} className={styles.pulse} d={path} pathLength={100} /> : null}
    </g>
  )
})

/** Draws an arrow's label above all lines, so that none crosses it. */
export const EdgeLabelShape = memo(function EdgeLabelShape(props: EdgeShapeProps) {
  const { edge, heat, visits } = props
  const { x, y, width, height } = edge.label
  return (
    <g {...marks(props)} data-label="">
      <title>{edge.edge.texts.join('\n')}</title>
      <rect className={styles.labelGround} x={x} y={y} width={width} height={height} rx={5} />
      {edge.edge.lines.map((line, at) => (
        <Line key={`${at} ${line.text}`} {...props} line={line} at={at} />
      ))}
      {heat === undefined || visits === 0 ? null : (
        <text className={styles.edgeVisits} x={x + width / 2} y={y - 1.5}>
          {visits}×
        </text>
      )}
    </g>
  )
})

const marks = ({ edge, taken, heat, visits, isDim, isFound, isFocused }: EdgeShapeProps) => ({
  'data-edge': edge.edge.id,
  'data-hot': taken === '' ? undefined : '',
  'data-dim': isDim || (heat !== undefined && visits === 0) || undefined,
  'data-found': isFound || undefined,
  'data-focused': isFocused || undefined,
})

interface LineProps extends EdgeShapeProps {
  readonly line: EdgeLine
  readonly at: number
}

function Line({ edge, line, at, taken, rejections, timers, isOpen }: LineProps) {
  const { x, y, width } = edge.label
  const top = y + 2 + at * LINE
  const nameTaken = line.names.find(name => taken.split('\n').includes(name)) ?? ''
  const isHot = nameTaken !== ''
  const rejection = rejections.find(({ name }) => line.names.includes(name))
  const timer = line.kind === 'event' && timers.find(({ name }) => line.names.includes(name))
  return (
    <g
      className={styles.line}
      data-names={line.names.join('\n')}
      data-rejected={rejection ? '' : undefined}
      data-kind={line.kind}
    >
      <rect className={styles.lineGround} x={x + 1} y={top} width={width - 2} height={LINE} rx={4} />
      <text
        className={cx(styles.label, isOpen && styles.openLabel, isHot && styles.hotLabel)}
        x={x + width / 2}
        y={top + LINE - 4}
      >
        {rejection ? `✕ ${line.text.includes('[') ? '' : `${rejection.guard}: `}` : ''}
        {line.text}
        {isHot ? guardTaken(edge.edge, line, nameTaken) : ''}
        {timer ? <Countdown timer={timer} /> : null}
      </text>
      {rejection ? <title>{`${rejection.guard} returned false`}</title> : null}
    </g>
  )
}
