// Turns the drawn parts of a machine into the graph that the layout engine places.
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { ChartState } from '../../../trace/format.ts'
import { nodeId, type ChartEdge, type ChartParts } from './chart-parts.ts'
import { stateRows, type Detail } from './chart-words.ts'

/** Sizes of the chart's texts in pixels before zooming, as chart.module.css draws them. */
export const FONT_SIZES = { state: 12, detail: 11, edge: 11 } as const

/** Width of a text in pixels in the font of the given kind. */
export type Measure = (text: string, kind: 'state' | 'detail' | 'edge') => number

/** Where charts run to. */
export type Direction = 'RIGHT' | 'DOWN'

/** How a chart is laid out. */
export interface GraphOptions {
  readonly measure: Measure
  readonly direction: Direction
  readonly detail: Detail
}

/** Height of a line of text, and of a history state, in pixels. */
export const LINE = 15
export const HISTORY = 26
/** From the top of a state to the middle of its name, and to its first row. */
export const NAME_MIDDLE = 16
export const FIRST_ROW = 32
const INITIAL = 8
/** Room on an arrow for what is left of its delay. */
const COUNTDOWN = ' · 00.0 s'
const LABEL_SIDES = 12

const LAYOUT = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.compaction.postCompaction.strategy': 'EDGE_LENGTH',
  'elk.spacing.nodeNode': '20',
  'elk.layered.spacing.nodeNodeBetweenLayers': '18',
  'elk.spacing.edgeNode': '12',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.spacing.edgeEdge': '10',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.spacing.edgeLabel': '2',
  'elk.spacing.labelNode': '6',
  'elk.padding': '[top=14,left=14,bottom=14,right=14]',
} as const

/** The graph of a machine; the root is drawn as a box only where its own transitions or regions need one. */
export function chartGraph(parts: ChartParts, options: GraphOptions): ElkNode {
  const { chart, edges, states, backwards } = parts
  const arrows = [...edges.values()].map(edge => elkEdge(edge, options, backwards.has(edge.id)))
  const starts = [...states.values()].flatMap(state => initialEdge(state, parts))
  const children = isBoxed(parts)
    ? [elkNode(chart.root, parts, options, chart.id)]
    : [...initialNode(chart.root), ...chart.root.states.map(state => elkNode(state, parts, options))]
  return {
    id: '(canvas)',
    layoutOptions: { ...LAYOUT, 'elk.direction': options.direction },
    children,
    edges: [...arrows, ...starts],
  }
}

const isBoxed = ({ chart, edges, folded }: ChartParts) =>
  chart.root.type === 'parallel' ||
  folded.has('') ||
  [...edges.values()].some(edge => edge.source === '' || edge.target === '')

function elkEdge(edge: ChartEdge, { measure }: GraphOptions, backwards: boolean): ElkExtendedEdge {
  const widest = Math.max(...edge.lines.map(({ text }) => measure(text, 'edge')))
  const left = edge.timed ? measure(COUNTDOWN, 'edge') : 0
  return {
    id: edge.id,
    sources: [nodeId(backwards ? edge.target : edge.source)],
    targets: [nodeId(backwards ? edge.source : edge.target)],
    labels: [
      {
        id: `${edge.id}#label`,
        text: edge.id,
        width: Math.ceil(widest + left) + LABEL_SIDES,
        height: edge.lines.length * LINE + 4,
      },
    ],
  }
}

function elkNode(state: ChartState, parts: ChartParts, options: GraphOptions, name = state.key): ElkNode {
  const id = nodeId(state.path)
  if (state.type === 'history') return { id, width: HISTORY, height: HISTORY }
  const { measure, detail } = options
  const rows = stateRows(state, detail)
  const isFolded = parts.folded.has(state.path)
  const texts = [
    measure(name, 'state') + (isFolded || state.states.length > 0 ? 24 : 0),
    ...rows.map(({ label, text }) => measure(`${label} ${text}`, 'detail')),
    ...(isFolded ? [measure(foldedText(state), 'detail')] : []),
  ]
  const width = Math.ceil(Math.max(...texts)) + 28
  const lines = rows.length + (isFolded ? 1 : 0)
  const height = FIRST_ROW + lines * LINE + (lines > 0 ? 8 : 0)
  if (state.states.length === 0 || isFolded) return { id, width, height }
  return {
    id,
    children: [...initialNode(state), ...state.states.map(child => elkNode(child, parts, options))],
    layoutOptions: {
      'elk.padding': `[top=${height + 6},left=14,bottom=14,right=14]`,
      'elk.contentAlignment': 'V_TOP H_LEFT',
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${height + 24})`,
    },
  }
}

/** What stands in a folded state. */
export function foldedText(state: ChartState): string {
  const inside = (of: ChartState): number => of.states.reduce((sum, child) => sum + 1 + inside(child), 0)
  const count = inside(state)
  return `${count} ${count === 1 ? 'state' : 'states'} folded`
}

const startId = (state: ChartState): string => `${nodeId(state.path)}#initial`
const hasInitial = (state: ChartState): boolean =>
  state.type === 'compound' && state.states.some(child => child.key === state.initial)

const initialNode = (state: ChartState): readonly ElkNode[] =>
  hasInitial(state) ? [{ id: startId(state), width: INITIAL, height: INITIAL }] : []

function initialEdge(state: ChartState, { folded }: ChartParts): readonly ElkExtendedEdge[] {
  const target = state.states.find(child => child.key === state.initial)
  if (!hasInitial(state) || !target || folded.has(state.path)) return []
  return [{ id: `${startId(state)}→`, sources: [startId(state)], targets: [nodeId(target.path)] }]
}
