// Places a machine's chart: boxes, arrows and labels with coordinates, ready to be drawn.
import type { ElkNode } from 'elkjs/lib/elk-api.js'
import type { ChartState } from '../../../trace/format.ts'
import {
  boxFrom,
  boxOf,
  collect,
  geometryOf,
  pairs,
  separatorsOf,
  type Box,
  type Geometry,
  type Point,
} from './chart-geometry.ts'
import { chartGraph, type Direction, type GraphOptions } from './chart-graph.ts'
import { nodeId, ROOT_ID, type ChartEdge, type ChartParts } from './chart-parts.ts'

export interface StateBox extends Box {
  readonly state: ChartState
  /** The machine itself, drawn around its states. */
  readonly isRoot: boolean
  /** A region of a parallel state. */
  readonly isRegion: boolean
  /** A region that lines part from the others, so that it needs no frame. */
  readonly isParted: boolean
  /** Whether states that it holds are drawn in it. */
  readonly isNested: boolean
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
  /** Outer boxes before inner ones. */
  readonly boxes: readonly StateBox[]
  readonly edges: readonly PlacedEdge[]
  readonly initials: readonly { readonly dot: Point; readonly points: readonly Point[] }[]
}

/** Runs the layout engine on a graph. */
export type RunLayout = (graph: ElkNode) => Promise<ElkNode>

/** Lays out the parts of a machine. */
export async function layoutChart(
  parts: ChartParts,
  options: GraphOptions,
  run: RunLayout,
): Promise<PlacedChart> {
  return placeChart(parts, await layoutGeometry(parts, options, run))
}

/** The numbers of a layout. */
export async function layoutGeometry(
  parts: ChartParts,
  options: GraphOptions,
  run: RunLayout,
): Promise<Geometry> {
  const graph = chartGraph(parts, options)
  const first = await run(graph)
  return geometryOf(evenRegions(graph, first, parts, options.direction) ? await run(graph) : first)
}

/** Puts the parts of a machine where the numbers say. */
export function placeChart(parts: ChartParts, { size, nodes, arrows }: Geometry): PlacedChart {
  const { chart, edges, states, backwards, folded } = parts
  const regions = new Set([...states.values()].flatMap(one => (one.type === 'parallel' ? one.states : [])))
  const drawn = [...states.values()].flatMap(state => {
    const box = boxFrom(nodes[nodeId(state.path)])
    return box ? [stateBox(state, box, nodes, regions, folded.has(state.path))] : []
  })
  const parted = new Set(drawn.flatMap(box => (box.separators.length > 0 ? box.state.states : [])))
  const boxes = drawn.map(box => ({ ...box, isParted: parted.has(box.state) }))
  const placed = Object.entries(arrows).flatMap(([id, { p, l }]) => {
    const edge = edges.get(id)
    const label = boxFrom(l)
    const points = backwards.has(id) ? pairs(p).toReversed() : pairs(p)
    return edge && label ? [{ edge, points, label }] : []
  })
  const initials = Object.entries(arrows).flatMap(([id, { p }]) => {
    const dot = boxFrom(nodes[id.slice(0, -1)])
    if (edges.has(id) || !dot) return []
    return [{ dot: { x: dot.x + dot.width / 2, y: dot.y + dot.height / 2 }, points: pairs(p) }]
  })
  const [width = 0, height = 0] = size
  return { id: chart.id, width, height, boxes, edges: placed, initials }
}

/** Gives the regions of each parallel state one breadth, so that they line up; false when there are none. */
function evenRegions(graph: ElkNode, placed: ElkNode, parts: ChartParts, direction: Direction): boolean {
  const [drawn, sized] = [new Map<string, ElkNode>(), new Map<string, ElkNode>()]
  collect(graph, drawn)
  collect(placed, sized)
  const parallel = [...parts.states.values()].filter(
    ({ type, path }) => type === 'parallel' && !parts.folded.has(path),
  )
  for (const { states: regions } of parallel) {
    const boxes = regions.map(region => boxOf(sized.get(nodeId(region.path)) ?? {}))
    const width = direction === 'RIGHT' ? Math.max(...boxes.map(box => box.width)) : 0
    const height = direction === 'DOWN' ? Math.max(...boxes.map(box => box.height)) : 0
    for (const region of regions) {
      const node = drawn.get(nodeId(region.path))
      if (node?.layoutOptions) node.layoutOptions['elk.nodeSize.minimum'] = `(${width},${height})`
    }
  }
  return parallel.length > 0
}

function stateBox(
  state: ChartState,
  box: Box,
  nodes: Geometry['nodes'],
  regions: ReadonlySet<ChartState>,
  isFolded: boolean,
): Omit<StateBox, 'isParted'> {
  const isNested = state.states.length > 0 && !isFolded
  const inner = isNested ? state.states.flatMap(child => boxFrom(nodes[nodeId(child.path)]) ?? []) : []
  return {
    ...box,
    state,
    isRoot: nodeId(state.path) === ROOT_ID,
    isRegion: regions.has(state) && isNested,
    isNested,
    separators: state.type === 'parallel' ? separatorsOf(box, inner) : [],
  }
}
