// Places a machine's chart: boxes, arrows and labels with coordinates, ready to be drawn.
import type { ElkNode } from 'elkjs/lib/elk-api.js'
import type { ChartState, MachineChart } from '../../../trace/format.ts'
import {
  chartGraph,
  edgeLines,
  nodeId,
  ROOT_ID,
  type ChartEdge,
  type Direction,
  type Measure,
} from './chart-graph.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box extends Point {
  readonly width: number
  readonly height: number
}

export interface StateBox extends Box {
  readonly state: ChartState
  /** The machine itself, drawn around its states. */
  readonly isRoot: boolean
  /** A region of a parallel state: told apart by lines, not by a box of its own. */
  readonly isRegion: boolean
  /** Lines between the regions of a parallel state. */
  readonly separators: readonly (readonly [Point, Point])[]
}

export interface PlacedEdge {
  readonly edge: ChartEdge
  readonly points: readonly Point[]
  readonly label: Box
  readonly lines: readonly string[]
}

export interface PlacedChart {
  readonly id: string
  readonly hash: string
  readonly width: number
  readonly height: number
  /** Outer boxes before inner ones. */
  readonly boxes: readonly StateBox[]
  readonly edges: readonly PlacedEdge[]
  readonly initials: readonly { readonly dot: Point; readonly points: readonly Point[] }[]
}

/** Runs the layout engine on a graph. */
export type RunLayout = (graph: ElkNode) => Promise<ElkNode>

/** Lays out a machine's chart. */
export async function layoutChart(
  chart: MachineChart,
  measure: Measure,
  run: RunLayout,
  direction: Direction = 'RIGHT',
): Promise<PlacedChart> {
  const { elk, edges, states, backwards } = chartGraph(chart, measure, direction)
  const first = await run(elk)
  const placed = evenRegions(elk, first, states, direction) ? await run(elk) : first
  const nodes = new Map<string, ElkNode>()
  collect(placed, nodes)
  const arrows = placed.edges ?? []
  const regions = new Set(
    [...states.values()].flatMap(state => (state.type === 'parallel' ? state.states : [])),
  )
  return {
    id: chart.id,
    hash: chart.hash,
    width: placed.width ?? 0,
    height: placed.height ?? 0,
    boxes: [...states.values()].flatMap(state => stateBox(state, nodes, regions)),
    edges: arrows.flatMap(arrow => {
      const edge = edges.get(arrow.id)
      const [label] = arrow.labels ?? []
      const points = backwards.has(arrow.id) ? pointsOf(arrow).toReversed() : pointsOf(arrow)
      return edge && label ? [{ edge, points, label: boxOf(label), lines: edgeLines(edge) }] : []
    }),
    initials: arrows.filter(arrow => !edges.has(arrow.id)).map(arrow => initial(arrow, nodes)),
  }
}

/** Gives the regions of each parallel state one breadth, so that they line up; false when there are none. */
function evenRegions(
  graph: ElkNode,
  placed: ElkNode,
  states: ReadonlyMap<string, ChartState>,
  direction: Direction,
): boolean {
  const [drawn, sized] = [new Map<string, ElkNode>(), new Map<string, ElkNode>()]
  collect(graph, drawn)
  collect(placed, sized)
  const parallel = [...states.values()].filter(state => state.type === 'parallel')
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

function collect(node: ElkNode, into: Map<string, ElkNode>): void {
  into.set(node.id, node)
  for (const child of node.children ?? []) collect(child, into)
}

const boxOf = (shape: { x?: number; y?: number; width?: number; height?: number }): Box => ({
  x: shape.x ?? 0,
  y: shape.y ?? 0,
  width: shape.width ?? 0,
  height: shape.height ?? 0,
})

function pointsOf(arrow: NonNullable<ElkNode['edges']>[number]): readonly Point[] {
  return (arrow.sections ?? []).flatMap(section => [
    section.startPoint,
    ...(section.bendPoints ?? []),
    section.endPoint,
  ])
}

function initial(arrow: NonNullable<ElkNode['edges']>[number], nodes: ReadonlyMap<string, ElkNode>) {
  const dot = boxOf(nodes.get(arrow.sources[0] ?? '') ?? {})
  return { dot: { x: dot.x + dot.width / 2, y: dot.y + dot.height / 2 }, points: pointsOf(arrow) }
}

function stateBox(
  state: ChartState,
  nodes: ReadonlyMap<string, ElkNode>,
  regions: ReadonlySet<ChartState>,
): readonly StateBox[] {
  const node = nodes.get(nodeId(state.path))
  if (!node) return []
  const box = boxOf(node)
  const inner = state.states.flatMap(child => {
    const region = nodes.get(nodeId(child.path))
    return region ? [boxOf(region)] : []
  })
  const separators = state.type === 'parallel' ? separatorsOf(box, inner) : []
  const isRegion = regions.has(state) && state.states.length > 0
  return [{ ...box, state, isRoot: nodeId(state.path) === ROOT_ID, isRegion, separators }]
}

/** Lines across the box between regions that lie below or beside each other. */
export function separatorsOf(box: Box, regions: readonly Box[]): readonly (readonly [Point, Point])[] {
  const down = between(regions, 'y', 'height')
  if (down) {
    return down.map(y => [
      { x: box.x, y },
      { x: box.x + box.width, y },
    ])
  }
  const across = between(regions, 'x', 'width') ?? []
  return across.map(x => [
    { x, y: box.y },
    { x, y: box.y + box.height },
  ])
}

function between(regions: readonly Box[], at: 'x' | 'y', size: 'width' | 'height'): number[] | undefined {
  const sorted = regions.toSorted((a, b) => a[at] - b[at])
  const middles: number[] = []
  for (const [n, next] of sorted.slice(1).entries()) {
    const region = sorted[n]
    if (!region || region[at] + region[size] > next[at]) return undefined
    middles.push((region[at] + region[size] + next[at]) / 2)
  }
  return middles
}
