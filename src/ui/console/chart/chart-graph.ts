// Sizes of a chart's parts with the width of their text, and the graph of one state's children for the layout
// engine.
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { ChartState } from '../../../trace/index.ts'
import type { Size } from './chart-geometry.ts'
import { guardTaken } from './chart-text.ts'
import { nodeId, type ChartEdge, type ChartParts } from './chart-parts.ts'

/** Font sizes of the chart's text in pixels before zooming, as in chart.module.css. */
export const FONT_SIZES = { state: 12, detail: 11, edge: 11 } as const

/** Returns the width of a text in pixels in the font of the given kind. */
export type Measure = (text: string, kind: 'state' | 'detail' | 'edge') => number

/** Whether a chart is laid out for a wide pane or for a tall one. */
export type Direction = 'RIGHT' | 'DOWN'

/** Options of a chart layout. */
export interface GraphOptions {
  readonly measure: Measure
  readonly direction: Direction
}

/** Height of a line of text, and of a history state, in pixels. */
export const LINE = 15
export const HISTORY = 26
/** Distance from the top of a state to the middle of its name, and to its first row. */
export const NAME_MIDDLE = 16
export const FIRST_ROW = 32
/** Distance between a state's frame and its children. */
export const PADDING = 14
const INITIAL = 8
/** Space on an arrow for the time left of its delay. */
const COUNTDOWN = ' · 00.0 s'
const LABEL_SIDES = 12

/** Whether the machine itself is drawn as a box: when its own transitions or regions need one. */
export const isBoxed = ({ chart, own, folded }: ChartParts): boolean =>
  chart.root.type === 'parallel' || folded.has('') || own.has('')

/** Returns the size of a state's head. */
export function headSize(state: ChartState, parts: ChartParts, measure: Measure): Size {
  const rows = parts.rowsOf(state)
  const own = parts.own.get(state.path) ?? []
  const isFolded = parts.folded.has(state.path)
  const name = state.path === '' ? parts.chart.id : state.key
  const texts = [
    measure(name, 'state') + (state.states.length > 0 ? 24 : 0),
    ...rows.map(({ label, text }) => measure(`${label} ${text}`, 'detail')),
    ...own.map(({ text, timed }) => measure(timed ? text + COUNTDOWN : text, 'edge')),
    ...(isFolded ? [measure(foldedText(state), 'detail')] : []),
  ]
  const lines = rows.length + own.length + (isFolded ? 1 : 0)
  return {
    width: Math.ceil(Math.max(...texts)) + 28,
    height: FIRST_ROW + lines * LINE + (lines > 0 ? 8 : 0),
  }
}

/** Returns the size of a state without drawn children. */
export function leafSize(state: ChartState, parts: ChartParts, measure: Measure): Size {
  return state.type === 'history' ? { width: HISTORY, height: HISTORY } : headSize(state, parts, measure)
}

/**
 * Returns the size of an arrow's label, including the guard of a transition that may just have been taken.
 */
export function labelSize(edge: ChartEdge, measure: Measure, isTaken = false): Size {
  const texts = edge.lines.flatMap(line => [
    line.text,
    ...(isTaken ? line.names.map(name => line.text + guardTaken(edge, line, name)) : []),
  ])
  const widest = Math.max(...texts.map(text => measure(text, 'edge')))
  const left = edge.timed ? measure(COUNTDOWN, 'edge') : 0
  return { width: Math.ceil(widest + left) + LABEL_SIDES, height: edge.lines.length * LINE + 4 }
}

/** Returns the text shown in a folded state. */
export function foldedText(state: ChartState): string {
  const inside = (of: ChartState): number => of.states.reduce((sum, child) => sum + 1 + inside(child), 0)
  const count = inside(state)
  return `${count} ${count === 1 ? 'state' : 'states'} folded`
}

const LAYOUT = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.spacing.nodeNode': '14',
  'elk.layered.spacing.nodeNodeBetweenLayers': '14',
  'elk.spacing.edgeNode': '10',
  'elk.layered.spacing.edgeNodeBetweenLayers': '10',
  'elk.spacing.edgeEdge': '8',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
  'elk.spacing.edgeLabel': '1',
  'elk.spacing.labelNode': '4',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
} as const

const QUICK = {
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.thoroughness': '2',
} as const

/** A layout method for the children of a state; the best result is used. */
export interface Way {
  readonly direction: Direction
  /** Aspect ratio (width / height) at which long rows wrap; undefined for no wrapping. */
  readonly wrapAt?: number
  /** For large charts: lower quality in a fraction of the time. */
  readonly isQuick?: boolean
}

/** Returns the graph of a state's children, given their sizes. */
export function childrenGraph(
  state: ChartState,
  parts: ChartParts,
  {
    sizeOf,
    measure,
    way,
  }: {
    readonly sizeOf: (child: ChartState) => Size
    readonly measure: Measure
    readonly way: Way
  },
): ElkNode {
  const children = state.states.map((child): ElkNode => ({ id: nodeId(child.path), ...sizeOf(child) }))
  const here = new Set(state.states.map(({ path }) => path))
  const arrows = [...parts.edges.values()].filter(({ source }) => here.has(source))
  return {
    id: '(canvas)',
    layoutOptions: {
      ...LAYOUT,
      'elk.direction': way.direction,
      ...(way.isQuick === true && QUICK),
      // The engine cannot compact wrapped layouts.
      ...(way.wrapAt === undefined
        ? way.isQuick !== true && { 'elk.layered.compaction.postCompaction.strategy': 'EDGE_LENGTH' }
        : { 'elk.aspectRatio': String(way.wrapAt), 'elk.layered.wrapping.strategy': 'MULTI_EDGE' }),
    },
    children: [...initialNode(state), ...children],
    edges: [...arrows.map(edge => elkEdge(edge, parts, measure)), ...initialEdge(state)],
  }
}

function elkEdge(edge: ChartEdge, { backwards }: ChartParts, measure: Measure): ElkExtendedEdge {
  const isBackwards = backwards.has(edge.id)
  return {
    id: edge.id,
    sources: [nodeId(isBackwards ? edge.target : edge.source)],
    targets: [nodeId(isBackwards ? edge.source : edge.target)],
    labels: [{ id: `${edge.id}#label`, text: edge.id, ...labelSize(edge, measure) }],
  }
}

/** Id of the line from a previously active state that led to the present one through other states. */
export const passageId = (path: string): string => `${nodeId(path)}⇢`
/** Id of the dot before a state's initial child. */
export const startId = (path: string): string => `${nodeId(path)}#initial`
const initialOf = (state: ChartState): ChartState | undefined =>
  state.type === 'compound' ? state.states.find(child => child.key === state.initial) : undefined

const initialNode = (state: ChartState): readonly ElkNode[] =>
  initialOf(state) ? [{ id: startId(state.path), width: INITIAL, height: INITIAL }] : []

function initialEdge(state: ChartState): readonly ElkExtendedEdge[] {
  const target = initialOf(state)
  if (!target) return []
  const id = startId(state.path)
  return [{ id: `${id}→`, sources: [id], targets: [nodeId(target.path)] }]
}

const WEIGHTS = { state: 600, detail: 400, edge: 500 } as const

/** Fonts of the chart's text. */
export const CHART_FONT = 'Inter, ui-sans-serif, system-ui, sans-serif'

/** Measures with the fonts the chart is drawn in. */
export function canvasMeasure(family: string): Measure {
  const context = document.createElement('canvas').getContext('2d')
  return (text, kind) => {
    if (!context) return tableMeasure(text, kind)
    context.font = `${WEIGHTS[kind]} ${FONT_SIZES[kind]}px ${family}`
    return context.measureText(text).width
  }
}

/**
 * Widths of a wide sans serif in thousandths of the font size: narrow letters, wide ones, the rest by case.
 */
const NARROW = new Set("iIjlfrt.,:;'|!()[]/ -")
const WIDE = new Set('mwMWQO@%…→')
const BOLD = 1.09

/** The same on every machine; used for precomputed layouts. */
export const tableMeasure: Measure = (text, kind) => {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return (width / 1000) * FONT_SIZES[kind] * (kind === 'state' ? BOLD : 1)
}

function letterWidth(letter: string): number {
  if (NARROW.has(letter)) return 415
  if (WIDE.has(letter)) return 980
  return letter >= 'A' && letter <= 'Z' ? 735 : 640
}
