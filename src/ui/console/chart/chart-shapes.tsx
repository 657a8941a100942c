// Draws the visible part of a placed chart in paint order: boxes, lines, text.
import { useMemo, memo } from 'react'
import type { MachineChart, MachinePart } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { stateTone } from '../tone.ts'
import type { ChartActivity, Rejection } from './chart-activity.ts'
import { type Box, rounded } from '../../widgets/drawing/geometry.ts'
import type { Counts } from './chart-counts.ts'
import styles from './chart.module.css'
import { useRefs } from './defs.tsx'
import { type RunningTimer, Countdown } from './countdown.tsx'
import type { PlacedChart, PlacedEdge, StateBox } from './placed-chart.ts'
import { type OwnMarks, StateShape, type StateShapeProps } from './state-shape.tsx'
import { meets } from '../../widgets/drawing/view-port.ts'
import { LINE } from './chart-graph.ts'
import { guardTaken, type EdgeLine } from './chart-text.ts'

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
  /** Finds file and line of a part of the machine. */
  readonly placeOf: PlaceOf
}

export type PlaceOf = (part: MachinePart) => string | undefined

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
  const { chart, activity, counts, folded, isHeat, found, focused, timers, placeOf } = props
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
    place: placeOf({ kind: 'state', name: path }),
    marks:
      box.own.length === 0
        ? NO_MARKS
        : {
            taken: activity.taken,
            rejected: activity.rejected,
            timers,
            placeOf: name => placeOf({ kind: 'transition', name }),
          },
  }
}

const NO_MARKS: OwnMarks = {
  taken: new Set(),
  rejected: new Map(),
  timers: [],
  placeOf: () => undefined,
}
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
    placeOf: props.placeOf,
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

interface EdgeShapeProps {
  readonly placeOf: PlaceOf
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
const EdgeLineShape = memo(function EdgeLineShape(props: EdgeShapeProps) {
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
const EdgeLabelShape = memo(function EdgeLabelShape(props: EdgeShapeProps) {
  const { edge, heat, visits } = props
  const { x, y, width, height } = edge.label
  return (
    <g {...marks(props)} data-label="">
      <title>{titleOf(props)}</title>
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

/** The transitions, each with its line of code and that of its guard. */
function titleOf({ edge: { edge }, placeOf }: EdgeShapeProps): string {
  const lines = edge.texts.map((text, n) => {
    const name = edge.names[n] ?? ''
    const place = placeOf({ kind: 'transition', name })
    const guard = text.endsWith(']') ? text.slice(text.indexOf('[') + 1, -1) : undefined
    const guarded = guard === undefined ? undefined : placeOf({ kind: 'guard', name: guard })
    return [text, place, guarded === undefined ? undefined : `${guard}: ${guarded}`]
      .filter(Boolean)
      .join('\n  ')
  })
  return lines.join('\n')
}

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
