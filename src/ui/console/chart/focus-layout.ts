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
import { fit, READABLE_SCALE } from './view-box.ts'

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
  /** Whether regions in which nothing happened are drawn with what may follow. */
  readonly isWhole: boolean
}

/** From what shows most to what needs least. */
const ROOMS: readonly Room[] = [
  { targets: 8, isWhole: true },
  { targets: 3, isWhole: true },
  { targets: 0, isWhole: true },
  { targets: 4, isWhole: false },
  { targets: 2, isWhole: false },
  { targets: 0, isWhole: false },
].flatMap(room => [1, 2, 3, 5].map(columns => ({ ...room, columns })))

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
    if (best.scale >= READABLE_SCALE) break
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

function placedIn(room: Room, all: ChartParts, focus: Focus, { measure }: FocusOptions): PlacedChart {
  const parts = { ...all, own: withOverflow(all, focus, room.targets) }
  const { root } = parts.chart
  const job: Job = { parts, focus, room, measure }
  const geometry = isBoxed(parts) ? stateLayout(root, job, true) : insideLayout(root, job, true)
  const { width, height } = sizeOf(geometry)
  const size = { width: width + 2 * PADDING, height: height + 2 * PADDING }
  return placeChart(parts, joined(size, [{ geometry, at: { x: PADDING, y: PADDING } }]))
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
}

function stateLayout(state: ChartState, job: Job, isLively: boolean): Geometry {
  const { parts, measure, focus } = job
  if (
    state.states.length === 0 ||
    parts.folded.has(state.path) ||
    (!focus.active.has(state.path) && state.path !== '')
  ) {
    const { width, height } = leafSize(state, parts, measure)
    return withNode({ size: [width, height], nodes: {}, arrows: {} }, state.path)
  }
  return framed(state.path, insideLayout(state, job, isLively), headSize(state, parts, measure))
}

function insideLayout(state: ChartState, job: Job, isLively: boolean): Geometry {
  if (state.type === 'parallel') return regionsLayout(state, job)
  const { parts, focus, room } = job
  const child = state.states.find(({ path }) => focus.active.has(path))
  const origin = isLively ? focus.origins.get(state.path) : undefined
  return rowLayout(state, {
    parts,
    measure: job.measure,
    active: child,
    origin: state.states.find(({ path }) => path === origin),
    most: isLively ? room.targets : 0,
    layoutOf: one => stateLayout(one, job, isLively),
  })
}

function regionsLayout({ states, path }: ChartState, job: Job): Geometry {
  const { focus, room } = job
  const lively = (region: ChartState) =>
    room.isWhole || [...focus.entered].some(one => one.startsWith(`${region.path}.`))
  const isAnyLively = states.some(lively) && containerOf(path) !== path
  const regions = states.map(region => {
    const isLively = lively(region) || !isAnyLively
    return { path: region.path, geometry: regionLayout(region, job, isLively), isLively }
  })
  return grid(regions, Math.min(room.columns, states.length))
}

/** Heads of regions are low; one in which nothing happened is a single line where that will do. */
function regionLayout(region: ChartState, job: Job, isLively: boolean): Geometry {
  const { parts, measure, focus } = job
  const head = headSize(region, parts, measure)
  const child = region.states.find(({ path }) => focus.active.has(path))
  if (isLively || !child || child.states.length > 0)
    return framed(region.path, insideLayout(region, job, isLively), { ...head, height: head.height - 10 })
  const title = Math.ceil(measure(region.key, 'state')) + 36
  const inner = stateLayout(child, job, false)
  const { width, height } = sizeOf(inner)
  return withNode(
    joined({ width: title + width + 8, height }, [{ geometry: inner, at: { x: title, y: 0 } }]),
    region.path,
  )
}
