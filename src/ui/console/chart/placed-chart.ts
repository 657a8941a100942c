// A chart with coordinates, ready to draw.
import type { ChartState } from '../../../trace/index.ts'
import { boxFrom, pairs, separatorsOf, type Box, type Geometry, type Point } from './chart-geometry.ts'
import { nodeId, ROOT_ID, type ChartEdge, type ChartParts } from './chart-parts.ts'
import type { EdgeLine, StateRow } from './chart-text.ts'

export interface StateBox extends Box {
  readonly state: ChartState
  /** The machine itself, drawn around its states. */
  readonly isRoot: boolean
  /** A region of a parallel state. */
  readonly isRegion: boolean
  /** Whether lines separate the region from the others, so that it needs no frame. */
  readonly isParted: boolean
  /** Whether its child states are drawn in it. */
  readonly isNested: boolean
  /** Rows below its name. */
  readonly rows: readonly StateRow[]
  /** Transitions that stay within it. */
  readonly own: readonly EdgeLine[]
  /** Lines between the regions of a parallel state. */
  readonly separators: readonly (readonly [Point, Point])[]
}

export interface PlacedEdge {
  readonly edge: ChartEdge
  readonly points: readonly Point[]
  readonly label: Box
}

export interface PlacedChart {
  readonly id: string
  readonly width: number
  readonly height: number
  /** Paths of states drawn without their children. */
  readonly folded: ReadonlySet<string>
  /** Outer boxes before inner ones. */
  readonly boxes: readonly StateBox[]
  readonly edges: readonly PlacedEdge[]
  /** Lines from previously active states that led to the present ones through other states. */
  readonly passages: readonly (readonly Point[])[]
  readonly initials: readonly { readonly dot: Point; readonly points: readonly Point[] }[]
}

/** Places a machine's parts at the given coordinates. */
export function placeChart(parts: ChartParts, geometry: Geometry): PlacedChart {
  const { chart, edges, backwards, folded } = parts
  const { size, nodes, arrows } = geometry
  const boxes = boxesOf(parts, nodes)
  const placed = Object.entries(arrows).flatMap(([id, { p, l }]) => {
    const edge = edges.get(id)
    const label = boxFrom(l)
    const points = backwards.has(id) ? pairs(p).toReversed() : pairs(p)
    return edge && label ? [{ edge, points, label }] : []
  })
  const initials = Object.entries(arrows).flatMap(([id, { p }]) => {
    const dot = boxFrom(nodes[id.slice(0, -1)])
    if (edges.has(id) || isPassage(id) || !dot) return []
    return [{ dot: { x: dot.x + dot.width / 2, y: dot.y + dot.height / 2 }, points: pairs(p) }]
  })
  const passages = Object.entries(arrows).flatMap(([id, { p }]) => (isPassage(id) ? [pairs(p)] : []))
  const [width = 0, height = 0] = size
  return { id: chart.id, width, height, folded, boxes, edges: placed, passages, initials }
}

const isPassage = (id: string): boolean => id.endsWith('⇢')

const NO_LINES: readonly EdgeLine[] = []

function boxesOf({ states, folded, own, rowsOf }: ChartParts, nodes: Geometry['nodes']): readonly StateBox[] {
  const regions = new Set([...states.values()].flatMap(one => (one.type === 'parallel' ? one.states : [])))
  const drawn = [...states.values()].flatMap(state => {
    const box = boxFrom(nodes[nodeId(state.path)])
    if (!box) return []
    const isNested = state.states.length > 0 && !folded.has(state.path)
    const inner = isNested ? state.states.flatMap(child => boxFrom(nodes[nodeId(child.path)]) ?? []) : []
    return [
      {
        ...box,
        state,
        isRoot: nodeId(state.path) === ROOT_ID,
        isRegion: regions.has(state) && isNested,
        isNested,
        rows: rowsOf(state),
        own: own.get(state.path) ?? NO_LINES,
        separators: state.type === 'parallel' ? separatorsOf(box, inner) : [],
      },
    ]
  })
  const parted = new Set(drawn.flatMap(box => (box.separators.length > 0 ? box.state.states : [])))
  return drawn.map(box => ({ ...box, isParted: parted.has(box.state) }))
}
