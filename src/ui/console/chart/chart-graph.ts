// Turns a machine's structure into the graph that the layout engine places.
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { ChartState, MachineChart } from '../../../trace/format.ts'
import { backwardArrows } from './edge-direction.ts'

/** Sizes of the chart's texts in pixels before zooming, as chart.module.css draws them. */
export const FONT_SIZES = { state: 12, detail: 11.5, edge: 11.5 } as const

/** Width of a text in pixels in the font of the given kind. */
export type Measure = (text: string, kind: 'state' | 'detail' | 'edge') => number

/** An arrow from a state to another with every transition that takes it. */
export interface ChartEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  /** Transitions as `event [guard]`, in order of declaration. */
  readonly texts: readonly string[]
  /** Event descriptors of the transitions, to recognise the one taken. */
  readonly events: readonly string[]
}

export interface ChartGraph {
  readonly elk: ElkNode
  readonly edges: ReadonlyMap<string, ChartEdge>
  readonly states: ReadonlyMap<string, ChartState>
  /** Arrows that are laid out against their direction. */
  readonly backwards: ReadonlySet<string>
}

/** Where charts run to. */
export type Direction = 'RIGHT' | 'DOWN'

/** Id of the node that stands for the machine itself. */
export const ROOT_ID = '(machine)'
export const EDGE_LINE = 14
const LABEL_LINES = 4
const INITIAL = 8

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
  'elk.spacing.nodeNode': '16',
  'elk.layered.spacing.nodeNodeBetweenLayers': '16',
  'elk.spacing.edgeNode': '10',
  'elk.layered.spacing.edgeNodeBetweenLayers': '10',
  'elk.spacing.edgeEdge': '9',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '9',
  'elk.spacing.edgeLabel': '3',
  'elk.spacing.labelNode': '6',
  'elk.padding': '[top=12,left=12,bottom=12,right=12]',
} as const

/** Id of a state in the graph. */
export const nodeId = (path: string): string => (path === '' ? ROOT_ID : path)

/** The graph of a machine; the root is drawn as a box only where its own transitions or regions need one. */
export function chartGraph(chart: MachineChart, measure: Measure, direction: Direction): ChartGraph {
  const states = new Map<string, ChartState>()
  visit(chart.root, state => states.set(state.path, state))
  const edges = collectEdges(states)
  const backwards = backwardArrows(chart.root, [...edges.values()])
  const arrows = [...edges.values()].map(edge => elkEdge(edge, measure, backwards.has(edge.id)))
  const starts = [...states.values()].flatMap(initialEdge)
  const boxed = chart.root.type === 'parallel' || [...edges.values()].some(edge => edge.source === '')
  const children = boxed
    ? [elkNode(chart.root, measure, chart.id)]
    : [...initialNode(chart.root), ...chart.root.states.map(state => elkNode(state, measure))]
  const elk = {
    id: '(canvas)',
    layoutOptions: { ...LAYOUT, 'elk.direction': direction },
    children,
    edges: [...arrows, ...starts],
  }
  return { elk, edges, states, backwards }
}

function visit(state: ChartState, take: (state: ChartState) => void): void {
  take(state)
  for (const child of state.states) visit(child, take)
}

function collectEdges(states: ReadonlyMap<string, ChartState>): ReadonlyMap<string, ChartEdge> {
  const edges = new Map<string, ChartEdge>()
  for (const state of states.values()) {
    for (const { event, guard, targets } of state.transitions) {
      for (const target of targets) {
        if (!states.has(target)) continue
        const id = `${nodeId(state.path)}→${nodeId(target)}`
        const known = edges.get(id) ?? { id, source: state.path, target, texts: [], events: [] }
        const text = guard === undefined ? event : `${event} [${guard}]`
        edges.set(id, { ...known, texts: [...known.texts, text], events: [...known.events, event] })
      }
    }
  }
  return edges
}

/** The lines of an arrow's label; a long list is cut and counted. */
export function edgeLines(edge: ChartEdge): readonly string[] {
  const texts = [...new Set(edge.texts)]
  const shown = texts.length <= LABEL_LINES ? texts : texts.slice(0, LABEL_LINES - 1)
  const left = texts.length - shown.length
  return [...shown.flatMap(broken), ...(left > 0 ? [`+${left} more`] : [])]
}

/** A long text on two lines, its guard on the second: width is what charts lack. */
function broken(text: string): readonly string[] {
  const guard = text.indexOf(' [')
  return guard === -1 || text.length <= 16 ? [text] : [text.slice(0, guard), text.slice(guard + 1)]
}

function elkEdge(edge: ChartEdge, measure: Measure, backwards: boolean): ElkExtendedEdge {
  const lines = edgeLines(edge)
  const width = Math.ceil(Math.max(...lines.map(line => measure(line, 'edge')))) + 8
  return {
    id: edge.id,
    sources: [nodeId(backwards ? edge.target : edge.source)],
    targets: [nodeId(backwards ? edge.source : edge.target)],
    labels: [{ id: `${edge.id}#label`, text: lines.join('\n'), width, height: lines.length * EDGE_LINE }],
  }
}

/** The lines below a state's name: what it invokes. */
export const stateDetails = (state: ChartState): readonly string[] =>
  state.invoke.map(invoke => `runs ${invoke.src}`)

function elkNode(state: ChartState, measure: Measure, name = state.key): ElkNode {
  const details = stateDetails(state)
  const texts = Math.max(measure(name, 'state'), ...details.map(line => measure(line, 'detail')))
  const width = Math.ceil(texts) + 24
  if (state.states.length === 0) {
    return { id: nodeId(state.path), width, height: 32 + details.length * EDGE_LINE }
  }
  const top = 34 + details.length * EDGE_LINE
  return {
    id: nodeId(state.path),
    children: [...initialNode(state), ...state.states.map(child => elkNode(child, measure))],
    layoutOptions: {
      'elk.padding': `[top=${top},left=12,bottom=12,right=12]`,
      'elk.contentAlignment': 'V_TOP H_LEFT',
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${top + 20})`,
    },
  }
}

const startId = (state: ChartState): string => `${nodeId(state.path)}#initial`
const hasInitial = (state: ChartState): boolean =>
  state.type === 'compound' && state.states.some(child => child.key === state.initial)

const initialNode = (state: ChartState): readonly ElkNode[] =>
  hasInitial(state) ? [{ id: startId(state), width: INITIAL, height: INITIAL }] : []

function initialEdge(state: ChartState): readonly ElkExtendedEdge[] {
  const target = state.states.find(child => child.key === state.initial)
  if (!hasInitial(state) || !target) return []
  return [{ id: `${startId(state)}→`, sources: [startId(state)], targets: [nodeId(target.path)] }]
}
