// A small chart around the active states, with their origins and possible targets; placed synchronously.
import type { ChartState, MachineChart } from '../../../trace/index.ts'
import { framed, grid, withNode } from './chart-blocks.ts'
import { joined, sizeOf, type Geometry, type Size } from './chart-geometry.ts'
import { headSize, isBoxed, leafSize, PADDING, type Measure } from './chart-graph.ts'
import { chartParts, type ChartParts, type Ends } from './chart-parts.ts'
import type { Detail } from './chart-text.ts'
import { lifted } from './edge-direction.ts'
import {
  innermost,
  mostBeside,
  quietRegions,
  ROOMS,
  visit,
  withOverflow,
  type Focus,
  type Room,
} from './focus-room.ts'
import { rowLayout } from './focus-row.ts'
import { placeChart, type PlacedChart } from './placed-chart.ts'
import { fit } from './view-box.ts'

export interface FocusOptions {
  readonly measure: Measure
  readonly pane: Size
  readonly detail: Detail
  /** Active states that the user folded. */
  readonly folded?: ReadonlySet<string>
}

/** From this scale on, showing more is better than showing it larger. */
const ENOUGH = 0.9
/** Down to this scale, everything stays visible. */
export const LEAST_FOCUS = 0.7

/** Returns undefined if no state is active. */
export function focusChart(
  chart: MachineChart,
  focus: Focus,
  options: FocusOptions,
): PlacedChart | undefined {
  if (focus.active.size === 0) return undefined
  const parts = partsAround(chart, focus, options)
  let best: { readonly placed: PlacedChart; readonly scale: number } | undefined
  for (const room of ROOMS) {
    if (room.isInner === true && best && best.scale >= LEAST_FOCUS) break
    const placed = placedIn(room, parts, focus, options)
    const { scale } = fit(placed, options.pane)
    if (!best || scale > best.scale * 1.02) best = { placed, scale }
    if (best.scale >= ENOUGH) break
  }
  return best?.placed
}

/** Returns active states, the transitions that led to them, and those that may be next. */
function partsAround(chart: MachineChart, { active, origins }: Focus, options: FocusOptions): ChartParts {
  const { detail, folded: chosen = new Set() } = options
  const folded = new Set<string>()
  visit(chart.root, ({ path, states }) => {
    if (path !== '' && states.length > 0 && (!active.has(path) || chosen.has(path))) folded.add(path)
  })
  const isShown = ({ source, target }: Ends) => {
    if (source === '' || active.has(source)) return true
    const arrow = lifted(source, target)
    return arrow !== undefined && origins.get(arrow.container) === arrow.from && active.has(arrow.to)
  }
  const parts = chartParts(chart, { folded, detail, isShown, isDetailed: path => active.has(path) })
  return { ...parts, backwards: new Set() }
}

function placedIn(room: Room, all: ChartParts, around: Focus, { measure }: FocusOptions): PlacedChart {
  const focus = room.hasOrigins ? around : { ...around, origins: new Map<string, string>() }
  const { root } = all.chart
  const quiet = room.isWhole ? [] : quietRegions(root, focus)
  const isQuiet = (path: string) => quiet.some(region => path === region || path.startsWith(`${region}.`))
  const mostOf = mostBeside(root, focus, room)
  const own = withOverflow(all, focus, mostOf)
  const parts = { ...all, own: new Map([...own].filter(([path]) => !isQuiet(path))) }
  const job: Job = { parts, focus, room, measure, isQuiet, mostOf }
  const inner = room.isInner === true ? innermost(root, focus) : undefined
  const geometry = inner || !isBoxed(parts) ? insideLayout(inner ?? root, job) : stateLayout(root, job)
  const { width, height } = sizeOf(geometry)
  const size = { width: width + 2 * PADDING, height: height + 2 * PADDING }
  return placeChart(parts, joined(size, [{ geometry, at: { x: PADDING, y: PADDING } }]))
}

interface Job {
  readonly parts: ChartParts
  readonly focus: Focus
  readonly room: Room
  readonly measure: Measure
  readonly isQuiet: (path: string) => boolean
  readonly mostOf: (path: string) => number
}

function stateLayout(state: ChartState, job: Job): Geometry {
  const { parts, measure, focus } = job
  const { path } = state
  const isOpen = path === '' || (focus.active.has(path) && !parts.folded.has(path))
  if (state.states.length === 0 || !isOpen) {
    const { width, height } = leafSize(state, parts, measure)
    return withNode({ size: [width, height], nodes: {}, arrows: {} }, path)
  }
  return framed(path, insideLayout(state, job), headSize(state, parts, measure))
}

function insideLayout(state: ChartState, job: Job): Geometry {
  const { parts, focus, room, measure } = job
  if (state.type === 'parallel') {
    const regions = state.states.map(region => ({ path: region.path, geometry: regionLayout(region, job) }))
    return grid(regions, Math.min(room.columns, state.states.length))
  }
  const isQuiet = job.isQuiet(state.path)
  const origin = isQuiet ? undefined : focus.origins.get(state.path)
  return rowLayout(state, {
    parts,
    measure,
    active: state.states.find(({ path }) => focus.active.has(path)),
    origin: state.states.find(({ path }) => path === origin),
    most: isQuiet ? 0 : job.mostOf(state.path),
    isAlone: isQuiet,
    layoutOf: one => stateLayout(one, job),
  })
}

/** Region heads are low; an inactive region is a single line if possible. */
function regionLayout(region: ChartState, job: Job): Geometry {
  const { parts, measure, focus } = job
  const child = region.states.find(({ path }) => focus.active.has(path))
  if (!job.isQuiet(region.path) || !child || child.states.length > 0) {
    const head = headSize(region, parts, measure)
    return framed(region.path, insideLayout(region, job), { ...head, height: head.height - 10 })
  }
  const title = Math.ceil(measure(region.key, 'state')) + 36
  const inner = stateLayout(child, job)
  const { width, height } = sizeOf(inner)
  const size = { width: title + width + 8, height }
  return withNode(joined(size, [{ geometry: inner, at: { x: title, y: 0 } }]), region.path)
}
