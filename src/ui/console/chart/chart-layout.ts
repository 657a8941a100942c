// Lays out a machine's chart: each state's children by the layout engine, innermost first, then the whole.
import type { ElkNode } from 'elkjs/lib/elk-api.js'
import type { ChartState } from '../../../trace/index.ts'
import { best, framed, grid, withNode } from './chart-blocks.ts'
import { geometryOf, joined, pairs, sizeOf, type Geometry } from './chart-geometry.ts'
import {
  childrenGraph,
  headSize,
  isBoxed,
  leafSize,
  PADDING,
  type GraphOptions,
  type Way,
} from './chart-graph.ts'
import type { ChartParts } from './chart-parts.ts'
import { placeChart, type PlacedChart } from './placed-chart.ts'

/** Runs the layout engine on a graph. */
export type RunLayout = (graph: ElkNode) => Promise<ElkNode>

/** Aspect ratios (width / height) of the panes that layouts are made for. */
const ASPECTS = { RIGHT: 1.9, DOWN: 0.7 } as const

/** Lays out the parts of a machine. */
export async function layoutChart(
  parts: ChartParts,
  options: GraphOptions,
  run: RunLayout,
): Promise<PlacedChart> {
  return placeChart(parts, await layoutGeometry(parts, options, run))
}

/** Returns the numbers of a layout. */
export async function layoutGeometry(
  parts: ChartParts,
  options: GraphOptions,
  run: RunLayout,
): Promise<Geometry> {
  const { root } = parts.chart
  const job: Job = { parts, options, run, aspect: ASPECTS[options.direction] }
  if (isBoxed(parts)) return padded(await stateLayout(root, job))
  return padded(await childrenLayout(root, job))
}

/** Adds a margin. */
function padded(geometry: Geometry): Geometry {
  const { width, height } = sizeOf(geometry)
  const size = { width: width + 2 * PADDING, height: height + 2 * PADDING }
  return joined(size, [{ geometry, at: { x: PADDING, y: PADDING } }])
}

interface Job {
  readonly parts: ChartParts
  readonly options: GraphOptions
  readonly run: RunLayout
  /** Aspect ratio (width / height) to aim for. */
  readonly aspect: number
}

async function stateLayout(state: ChartState, job: Job): Promise<Geometry> {
  const { parts, options } = job
  if (state.states.length === 0 || parts.folded.has(state.path)) {
    const { width, height } = leafSize(state, parts, options.measure)
    return withNode({ size: [width, height], nodes: {}, arrows: {} }, state.path)
  }
  const inner = await childrenLayout(state, job)
  return framed(state.path, inner, headSize(state, parts, options.measure))
}

async function childrenLayout(state: ChartState, job: Job): Promise<Geometry> {
  return state.type === 'parallel' ? regionsLayout(state, job) : sequenceLayout(state, job)
}

/** Regions are independent: the number of columns decides which shape suits each. */
async function regionsLayout({ states }: ChartState, job: Job): Promise<Geometry> {
  const candidates: Geometry[] = []
  for (let columns = 1; columns <= Math.min(3, states.length); columns++) {
    const rows = Math.ceil(states.length / columns)
    const aspect = (job.aspect * rows) / columns
    const regions = await Promise.all(
      states.map(async region => ({
        path: region.path,
        geometry: await stateLayout(region, { ...job, aspect }),
      })),
    )
    candidates.push(grid(regions, columns))
  }
  return required(best(candidates, job.aspect))
}

async function sequenceLayout(state: ChartState, job: Job): Promise<Geometry> {
  const { parts, options, run, aspect } = job
  const inner = new Map<ChartState, Geometry>()
  await Promise.all(
    state.states.map(async child => void inner.set(child, await stateLayout(child, { ...job, aspect }))),
  )
  const childSize = (child: ChartState) => sizeOf(required(inner.get(child)))
  const lay = async (way: Way) =>
    geometryOf(await run(childrenGraph(state, parts, { sizeOf: childSize, measure: options.measure, way })))
  const tries = await Promise.allSettled(waysFor(state, job).map(lay))
  // For some graphs the engine wraps rows badly or fails; a single row always works.
  const good = tries.flatMap(one => (one.status === 'fulfilled' && isUpright(one.value) ? [one.value] : []))
  const outer = best(good, aspect) ?? (await lay({ direction: 'RIGHT', isQuick: true }))
  const placed = [...inner].map(([child, geometry]) => {
    const [x = 0, y = 0] = outer.nodes[child.path] ?? []
    return { geometry, at: { x, y } }
  })
  return joined(sizeOf(outer), [{ geometry: outer, at: { x: 0, y: 0 } }, ...placed])
}

/** A chart with more states is laid out once, with the quick method. */
const LARGE = 80
/** With this few children, no second row is needed. */
const FEW = 5

/** Reading order comes first. */
function waysFor({ states }: ChartState, { parts, aspect }: Job): readonly Way[] {
  if (parts.states.size > LARGE) {
    const direction = aspect < 1 ? 'DOWN' : 'RIGHT'
    return [{ direction, isQuick: true, ...(states.length > FEW && { wrapAt: aspect }) }]
  }
  const across: readonly Way[] = [{ direction: 'RIGHT' }, { direction: 'RIGHT', wrapAt: aspect }]
  return [...across, { direction: 'DOWN' }, { direction: 'DOWN', wrapAt: aspect }]
}

/** Whether all arrows are strictly horizontal or vertical. */
function isUpright({ arrows }: Geometry): boolean {
  return Object.values(arrows).every(({ p }) =>
    pairs(p).every((to, at, all) => {
      const from = all[at - 1] ?? to
      return Math.min(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) <= SLANT
    }),
  )
}
/** Tolerance, because coordinates are rounded. */
const SLANT = 1

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The layout engine omitted a state')
  return value
}
