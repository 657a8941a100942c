// A chart around its active states: what led to each, and where each could go; small, and placed at once.
import type { ChartState, MachineChart } from '../../../trace/format.ts'
import { framed, grid, withNode } from './chart-blocks.ts'
import { joined, sizeOf, type Geometry, type Size } from './chart-geometry.ts'
import { headSize, isBoxed, leafSize, PADDING, type Measure } from './chart-graph.ts'
import { chartParts, type ChartParts, type Ends } from './chart-parts.ts'
import type { Detail, EdgeLine } from './chart-words.ts'
import { containerOf, lifted } from './edge-direction.ts'
import { rowLayout } from './focus-row.ts'
import { placeChart, type PlacedChart } from './placed-chart.ts'
import { fit } from './view-box.ts'

/** Around what a chart is drawn. */
export interface Focus {
  /** Active states. */
  readonly active: ReadonlySet<string>
  /** By path of a state that holds others: the one in it that was active before the present one. */
  readonly origins: ReadonlyMap<string, string>
  /** Innermost states that the last change entered. */
  readonly entered: ReadonlySet<string>
}

export interface FocusOptions {
  readonly measure: Measure
  readonly pane: Size
  readonly detail: Detail
  /** Active states that the user wants folded nevertheless. */
  readonly folded?: ReadonlySet<string>
}

/** How much is drawn; what has no room is told in words, or left out. */
interface Room {
  readonly columns: number
  /** States drawn to the right of each active one; further ones are lines in it. */
  readonly targets: number
  /** Whether what came before is drawn. */
  readonly hasOrigins: boolean
  /** Whether regions in which nothing happened are drawn with what may follow. */
  readonly isWhole: boolean
}

/** From what shows most to what needs least. */
const ROOMS: readonly Room[] = [
  { targets: 8, isWhole: true, hasOrigins: true },
  { targets: 3, isWhole: true, hasOrigins: true },
  { targets: 0, isWhole: true, hasOrigins: true },
  { targets: 4, isWhole: false, hasOrigins: true },
  { targets: 2, isWhole: false, hasOrigins: true },
  { targets: 0, isWhole: false, hasOrigins: true },
  { targets: 0, isWhole: false, hasOrigins: false },
].flatMap(room => [1, 2, 3, 5].map(columns => ({ ...room, columns })))

/** From this scale on more is worth more than larger. */
const ENOUGH = 0.9

/** Undefined where nothing is active. */
export function focusChart(
  chart: MachineChart,
  focus: Focus,
  options: FocusOptions,
): PlacedChart | undefined {
  if (focus.active.size === 0) return undefined
  const parts = partsAround(chart, focus, options)
  let best: { readonly placed: PlacedChart; readonly scale: number } | undefined
  for (const room of ROOMS) {
    const placed = placedIn(room, parts, focus, options)
    const { scale } = fit(placed, options.pane)
    if (!best || scale > best.scale * 1.02) best = { placed, scale }
    if (best.scale >= ENOUGH) break
  }
  return best?.placed
}

/** Active states, and the transitions that led to them or may be next. */
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
  const parts = chartParts(chart, { folded, detail, isShown, isTold: path => active.has(path) })
  return { ...parts, backwards: new Set() }
}

function placedIn(room: Room, all: ChartParts, around: Focus, { measure }: FocusOptions): PlacedChart {
  const focus = room.hasOrigins ? around : { ...around, origins: new Map<string, string>() }
  const { root } = all.chart
  const quiet = room.isWhole ? [] : quietRegions(root, focus)
  const isQuiet = (path: string) => quiet.some(region => path === region || path.startsWith(`${region}.`))
  const own = withOverflow(all, focus, room.targets)
  const parts = { ...all, own: new Map([...own].filter(([path]) => !isQuiet(path))) }
  const job: Job = { parts, focus, room, measure, isQuiet }
  const geometry = isBoxed(parts) ? stateLayout(root, job) : insideLayout(root, job)
  const { width, height } = sizeOf(geometry)
  const size = { width: width + 2 * PADDING, height: height + 2 * PADDING }
  return placeChart(parts, joined(size, [{ geometry, at: { x: PADDING, y: PADDING } }]))
}

/** Regions in which the last change entered nothing; all of those that were entered with their state. */
function quietRegions(state: ChartState, focus: Focus): readonly string[] {
  const inner = state.states.filter(({ path }) => focus.active.has(path))
  if (state.type !== 'parallel') return inner.flatMap(child => quietRegions(child, focus))
  const isStirred = ({ path }: ChartState) =>
    [...focus.entered].some(one => one === path || one.startsWith(`${path}.`))
  const stirred = inner.filter(isStirred)
  const lively = stirred.length === inner.length ? [] : stirred
  return inner.flatMap(region => (lively.includes(region) ? quietRegions(region, focus) : [region.path]))
}

/** Arrows for which there is no room are lines in the state that they leave. */
function withOverflow(
  { edges, own, states }: ChartParts,
  { active, origins }: Focus,
  most: number,
): ChartParts['own'] {
  const lines = new Map(own)
  const out = Map.groupBy(
    [...edges.values()].filter(({ source }) => active.has(source)),
    ({ source }) => source,
  )
  for (const [source, leaving] of out) {
    const origin = most > 0 ? origins.get(containerOf(source)) : undefined
    const rest = leaving.filter(({ target }) => target !== origin).slice(most)
    const told = rest.map(({ names, lines: [first], target }): EdgeLine => ({
      text: `${first?.text ?? ''}${names.length > 1 ? `, +${names.length - 1}` : ''} → ${states.get(target)?.key ?? target}`,
      kind: 'own',
      names,
    }))
    if (told.length > 0) lines.set(source, [...(own.get(source) ?? []), ...told])
  }
  return lines
}

function visit(state: ChartState, take: (state: ChartState) => void): void {
  take(state)
  for (const child of state.states) visit(child, take)
}

interface Job {
  readonly parts: ChartParts
  readonly focus: Focus
  readonly room: Room
  readonly measure: Measure
  readonly isQuiet: (path: string) => boolean
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
    most: isQuiet ? 0 : room.targets,
    isAlone: isQuiet,
    layoutOf: one => stateLayout(one, job),
  })
}

/** Heads of regions are low; a quiet one is a single line where that will do. */
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
