// Draws a placed chart: boxes by activity, arrows, labels and initial dots.
import { memo } from 'react'
import { cx } from '../../widgets/cx.ts'
import type { ChartActivity } from './chart-activity.ts'
import { EDGE_LINE, stateDetails } from './chart-graph.ts'
import type { PlacedChart, PlacedEdge, StateBox } from './chart-layout.ts'
import { rounded } from './chart-path.ts'
import styles from './chart.module.css'

/** How a state is drawn. */
export type Lit = 'active' | 'visited' | 'unvisited'

export interface ChartShapesProps {
  readonly chart: PlacedChart
  readonly activity: ChartActivity
  readonly visited: (path: string) => boolean
}

/** Everything inside the chart's SVG, in the order of painting. */
export function ChartShapes({ chart, activity, visited }: ChartShapesProps) {
  const lit = (box: StateBox): Lit => {
    if (box.isRoot || activity.active.has(box.state.path)) return 'active'
    return visited(box.state.path) ? 'visited' : 'unvisited'
  }
  const byHeat = chart.edges.toSorted((a, b) => Number(isHot(a)) - Number(isHot(b)))
  function isHot(edge: PlacedEdge): boolean {
    return activity.hot.has(edge.edge.id)
  }
  return (
    <>
      {chart.boxes.map(box => (
        <StateShape key={box.state.path} box={box} lit={lit(box)} name={chart.id} />
      ))}
      {chart.initials.map(({ dot, points }) => (
        <g key={`${dot.x},${dot.y}`}>
          <circle className={styles.initial} cx={dot.x} cy={dot.y} r={4} />
          <path className={styles.edge} d={rounded(points)} markerEnd="url(#chart-arrow)" />
        </g>
      ))}
      {byHeat.map(edge => (
        <EdgeShape key={edge.edge.id} edge={edge} hot={isHot(edge)} />
      ))}
    </>
  )
}

interface StateShapeProps {
  readonly box: StateBox
  readonly lit: Lit
  readonly name: string
}

const StateShape = memo(function StateShape({ box, lit, name }: StateShapeProps) {
  const { state, x, y, width, height } = box
  const nested = state.states.length > 0
  const details = stateDetails(state)
  const shape = cx(
    styles.state,
    nested ? styles.nested : styles.leaf,
    styles[lit],
    box.isRoot && styles.root,
    box.isRegion && styles.region,
  )
  const middle = y + (nested ? 22 : (height - details.length * EDGE_LINE) / 2 + 4)
  const left = nested ? x + 14 : x + width / 2
  return (
    <g data-state={state.path} data-lit={lit}>
      <rect className={shape} x={x} y={y} width={width} height={height} rx={nested ? 12 : 8} />
      {state.type === 'final' ? (
        <rect className={styles.final} x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx={5} />
      ) : null}
      {box.separators.map(([from, to]) => (
        <line
          key={`${from.x},${from.y}`}
          className={styles.separator}
          x1={from.x}
          y1={from.y}
          x2={to.x}
          y2={to.y}
        />
      ))}
      <text className={cx(nested ? styles.title : styles.name, styles[`${lit}Text`])} x={left} y={middle}>
        {box.isRoot ? name : state.key}
      </text>
      {details.map((line, at) => (
        <text
          key={line}
          className={cx(styles.detail, nested && styles.start)}
          x={left}
          y={middle + (at + 1) * EDGE_LINE}
        >
          {line}
        </text>
      ))}
    </g>
  )
})

const EdgeShape = memo(function EdgeShape({
  edge,
  hot,
}: {
  readonly edge: PlacedEdge
  readonly hot: boolean
}) {
  const { label, lines } = edge
  return (
    <g data-edge={edge.edge.id} data-hot={hot || undefined}>
      <title>{edge.edge.texts.join('\n')}</title>
      <path
        className={cx(styles.edge, hot && styles.hot)}
        d={rounded(edge.points)}
        markerEnd={hot ? 'url(#chart-arrow-hot)' : 'url(#chart-arrow)'}
      />
      {lines.map((line, at) => (
        <text
          key={`${at} ${line}`}
          className={cx(styles.label, hot && styles.hotLabel)}
          x={label.x + label.width / 2}
          y={label.y + (at + 1) * EDGE_LINE - 3.5}
        >
          {line}
        </text>
      ))}
    </g>
  )
})
