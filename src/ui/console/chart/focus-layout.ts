// A small chart around the active states, with their origins and as many possible targets as fit; placed
// synchronously.
import type { ChartState, MachineChart } from '../../../trace/index.ts'
import { framed, grid, withNode } from './chart-blocks.ts'
import { joined, sizeOf, type Geometry, type Size } from './chart-geometry.ts'
import { headSize, isBoxed, leafSize, PADDING, type Measure } from './chart-graph.ts'
import { chartParts, type ChartParts, type Ends, lifted, containerOf, visit } from './chart-parts.ts'
import type { Detail, EdgeLine } from './chart-text.ts'
import { rowLayout } from './focus-row.ts'
import { placeChart, type PlacedChart } from './placed-chart.ts'
import { fit } from '../../widgets/drawing/view-port.ts'

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

/** The states that a focused chart is drawn around. */
export interface Focus {
  /** Active states. */
  readonly active: ReadonlySet<string>
  /** The previously active child, by path of its parent state. */
  readonly origins: ReadonlyMap<string, string>
  /** Innermost states entered by the last change. */
  readonly entered: ReadonlySet<string>
}

/** How much is drawn; the rest is listed as text or left out. */
interface Room {
  readonly columns: number
  /** Maximum states drawn to the right of the one just entered; others are lines in it. */
  readonly targets: number
  /** The same for its ancestors. */
  readonly outer: number
  /** The same within regions, which can be numerous. */
  readonly inner: number
  /** Whether the previous states are drawn. */
  readonly hasOrigins: boolean
  /** Whether regions without changes are drawn with their next states. */
  readonly isWhole: boolean
  /** Whether ancestors of the just-entered state are left out. */
  readonly isInner?: boolean
}

/** From most detailed to most compact. */
const ROOMS: readonly Room[] = [
  { targets: 8, outer: 8, inner: 8, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 4, inner: 3, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 0, inner: 3, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 4, inner: 0, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 0, inner: 0, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 0, inner: 0, isWhole: false, hasOrigins: true },
  { targets: 2, outer: 0, inner: 0, isWhole: false, hasOrigins: true },
  { targets: 0, outer: 0, inner: 0, isWhole: false, hasOrigins: true },
  { targets: 0, outer: 0, inner: 0, isWhole: false, hasOrigins: false },
  { targets: 5, outer: 0, inner: 0, isWhole: false, hasOrigins: true, isInner: true },
  { targets: 2, outer: 0, inner: 0, isWhole: false, hasOrigins: true, isInner: true },
].flatMap(room => [1, 2, 3, 5].map(columns => ({ ...room, columns })))

/** Returns the parent of the just-entered state if it is the only one entered and has siblings. */
function innermost(root: ChartState, { entered }: Focus): ChartState | undefined {
  const [path, more] = [...entered]
  if (path === undefined || more !== undefined) return undefined
  const found: ChartState[] = []
  visit(root, state => {
    if (state.path === containerOf(path) && state.type !== 'parallel') found.push(state)
  })
  return found[0]
}

/** Returns how many states are drawn next to an active one in the state at a path. */
function mostBeside(root: ChartState, focus: Focus, room: Room): (container: string) => number {
  const parallel: string[] = []
  visit(root, ({ type, path }) => {
    if (type === 'parallel') parallel.push(path)
  })
  const isWithin = (container: string) =>
    parallel.some(path => container !== path && (path === '' || container.startsWith(`${path}.`)))
  // If several regions were entered at once, none is emphasized.
  const entered = focus.entered.size === 1 ? containerOf([...focus.entered][0] ?? '') : undefined
  return container => (container === entered ? room.targets : isWithin(container) ? room.inner : room.outer)
}

/**
 * Returns regions that the last change did not enter, or all regions if they were entered with their parent.
 */
function quietRegions(state: ChartState, focus: Focus): readonly string[] {
  const inner = state.states.filter(({ path }) => focus.active.has(path))
  if (state.type !== 'parallel') return inner.flatMap(child => quietRegions(child, focus))
  const isStirred = ({ path }: ChartState) =>
    [...focus.entered].some(one => one === path || one.startsWith(`${path}.`))
  const stirred = inner.filter(isStirred)
  const lively = stirred.length === inner.length ? [] : stirred
  return inner.flatMap(region => (lively.includes(region) ? quietRegions(region, focus) : [region.path]))
}

/** Arrows without space become lines in their source state. */
function withOverflow(
  { edges, own, states }: ChartParts,
  { active, origins }: Focus,
  mostOf: (container: string) => number,
): ChartParts['own'] {
  const lines = new Map(own)
  const out = Map.groupBy(
    [...edges.values()].filter(({ source }) => active.has(source)),
    ({ source }) => source,
  )
  for (const [source, leaving] of out) {
    const most = mostOf(containerOf(source))
    const origin = most > 0 ? origins.get(containerOf(source)) : undefined
    const rest = leaving.filter(({ target }) => target !== origin).slice(most)
    const edges = rest.map(({ names, lines: [first], target, timed }): EdgeLine => ({
      text: `${first?.text ?? ''}${names.length > 1 ? `, +${names.length - 1}` : ''} → ${states.get(target)?.key ?? target}`,
      kind: 'own',
      names,
      ...(timed && { timed }),
    }))
    if (edges.length > 0) lines.set(source, [...(own.get(source) ?? []), ...edges])
  }
  return lines
}
