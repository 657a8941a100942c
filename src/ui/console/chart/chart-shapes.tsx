// Draws the visible part of a placed chart in paint order: boxes, lines, text.
import { useMemo } from 'react'
import type { MachineChart } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { stateTone } from '../tone.ts'
import type { ChartActivity } from './chart-activity.ts'
import type { Box } from './chart-geometry.ts'
import type { Counts } from './chart-counts.ts'
import { rounded } from './chart-path.ts'
import styles from './chart.module.css'
import { useRefs } from './defs.tsx'
import type { RunningTimer } from './countdown.tsx'
import { EdgeLabelShape, EdgeLineShape, type EdgeShapeProps } from './edge-shape.tsx'
import type { PlacedChart, PlacedEdge, StateBox } from './placed-chart.ts'
import type { OwnMarks } from './own-line.tsx'
import { StateShape, type StateShapeProps } from './state-shape.tsx'
import { meets } from './view-port.ts'

/** The hovered element: a state, or transitions of an arrow. */
export type ChartTarget =
  | { readonly kind: 'state'; readonly path: string }
  | { readonly kind: 'transitions'; readonly edge: string; readonly names: readonly string[] }

/** Search results: paths of states and ids of arrows. */
export interface Found {
  readonly states: ReadonlySet<string>
  readonly edges: ReadonlySet<string>
}

export interface ChartShapesProps {
  readonly chart: MachineChart
  readonly placed: PlacedChart
  readonly region: Box
  readonly activity: ChartActivity
  readonly counts: Counts
  readonly timers: readonly RunningTimer[]
  readonly folded: ReadonlySet<string>
  /** Whether visit counts are compared. */
  readonly isHeat: boolean
  /** Undefined while there is no search. */
  readonly found: Found | undefined
  readonly focused: ChartTarget | undefined
}

/** Draws the content of the chart's SVG. */
export function ChartShapes(props: ChartShapesProps) {
  const { placed, region } = props
  const { arrow } = useRefs()
  const boxes = useMemo(() => placed.boxes.filter(box => meets(box, region)), [placed, region])
  const edges = useMemo(() => placed.edges.filter(edge => meets(extentOf(edge), region)), [placed, region])
  const most = {
    state: Math.max(1, ...props.counts.states.values()),
    edge: Math.max(1, ...props.counts.transitions.values()),
  }
  const arrows = edges
    .map(edge => edgeProps(edge, props, most.edge))
    .sort((a, b) => Number(a.taken !== '') - Number(b.taken !== ''))
  return (
    <>
      {boxes.map(box => (
        <StateShape key={box.state.path} {...stateProps(box, props, most.state)} />
      ))}
      {placed.initials.map(({ dot, points }) => (
        <g key={`${dot.x},${dot.y}`}>
          <circle className={styles.initial} cx={dot.x} cy={dot.y} r={4} />
          <path className={styles.edge} d={rounded(points)} markerEnd={arrow} />
        </g>
      ))}
      {placed.passages.map(points => (
        <path
          key={rounded(points)}
          className={cx(styles.edge, styles.passage)}
          d={rounded(points)}
          markerEnd={arrow}
        />
      ))}
      {arrows.map(one => (
        <EdgeLineShape key={one.edge.edge.id} {...one} />
      ))}
      {arrows.map(one => (
        <EdgeLabelShape key={one.edge.edge.id} {...one} />
      ))}
    </>
  )
}

/** Logarithmic, so that few and many visits are both visible. */
const heatOf = (visits: number, most: number): number =>
  visits === 0 ? 0 : 0.15 + (0.85 * Math.log1p(visits)) / Math.log1p(most)

function stateProps(box: StateBox, props: ChartShapesProps, most: number): StateShapeProps {
  const { chart, activity, counts, folded, isHeat, found, focused, timers } = props
  const { path, key } = box.state
  const visits = counts.states.get(path) ?? 0
  const isActive = box.isRoot || activity.active.has(path)
  return {
    box,
    lit: isActive ? 'active' : visits > 0 ? 'visited' : 'unvisited',
    isEntered: activity.entered.has(path),
    tone:
      activity.failed && activity.active.has(path)
        ? 'fail'
        : box.isNested
          ? 'neutral'
          : stateTone(path, chart),
    isFolded: folded.has(path),
    visits,
    heat: isHeat && !box.isRoot ? heatOf(visits, most) : undefined,
    isDim: found !== undefined && !found.states.has(path) && !box.isNested,
    isFound: found?.states.has(path) ?? false,
    isFocused: focused?.kind === 'state' && focused.path === path,
    name: box.isRoot ? chart.id : key,
    marks: box.own.length === 0 ? NO_MARKS : { taken: activity.taken, rejected: activity.rejected, timers },
  }
}

const NO_MARKS: OwnMarks = { taken: new Set(), rejected: new Map(), timers: [] }
const NO_REJECTIONS: EdgeShapeProps['rejections'] = []
const NO_TIMERS: EdgeShapeProps['timers'] = []

function edgeProps(edge: PlacedEdge, props: ChartShapesProps, most: number): EdgeShapeProps {
  const { activity, counts, timers, isHeat, found, focused } = props
  const { id, names } = edge.edge
  const rejections = names.flatMap(name => activity.rejected.get(name) ?? [])
  const running = timers.filter(({ name }) => names.includes(name))
  const taken = names.filter(name => activity.taken.has(name)).join('\n')
  const visits = names.reduce((sum, name) => sum + (counts.transitions.get(name) ?? 0), 0)
  return {
    edge,
    taken,
    rejections: rejections.length === 0 ? NO_REJECTIONS : rejections,
    timers: running.length === 0 ? NO_TIMERS : running,
    isOpen: edge.edge.ends.some(end => end.source === '' || activity.active.has(end.source)),
    heat: isHeat ? heatOf(visits, most) : undefined,
    visits: isHeat ? visits : 0,
    isDim: found !== undefined && !found.edges.has(id),
    isFound: found?.edges.has(id) ?? false,
    isFocused: focused?.kind === 'transitions' && focused.edge === id,
    step: taken === '' ? -1 : activity.step,
  }
}

const extents = new WeakMap<PlacedEdge, Box>()

/** Returns the box around an arrow and its label. */
function extentOf(edge: PlacedEdge): Box {
  const known = extents.get(edge)
  if (known) return known
  const { x, y, width, height } = edge.label
  const xs = [x, x + width, ...edge.points.map(point => point.x)]
  const ys = [y, y + height, ...edge.points.map(point => point.y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const extent = { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
  extents.set(edge, extent)
  return extent
}
