// The layout of a chart as React state: around its active states, or whole in the direction that suits the
// pane.
import { useMemo, useState } from 'react'
import { type ChartState, type MachineChart, isEqual } from '../../../trace/index.ts'
import { messageOf } from '../text.ts'
import type { ChartActivity } from './chart-activity.ts'
import { type Direction, canvasMeasure, CHART_FONT } from './chart-graph.ts'
import type { Mode } from './use-chart-choices.ts'
import type { Detail } from './chart-text.ts'
import { focusChart, type Focus } from './focus-layout.ts'
import { type PlacedChart, placeChart } from './placed-chart.ts'
import { useToolsHeight } from './use-view-port.ts'
import { fit } from '../../widgets/drawing/view-port.ts'
import { clearOf, READABLE_SCALE } from './view-port.ts'
import type { Geometry, Size } from './chart-geometry.ts'
import { chartParts } from './chart-parts.ts'
import { useConsole } from '../use-console.ts'
import { useLoaded } from '../../widgets/use-promise.ts'

/** The part of a chart to lay out, and its direction. */
interface LayoutRequest {
  readonly chart: MachineChart
  readonly direction: Direction
  readonly detail: Detail
  /** Paths of states drawn without their children. */
  readonly folded: ReadonlySet<string>
}

/** Provides layouts; created and disposed once per console. */
export interface LayoutService {
  layout(request: LayoutRequest): Promise<PlacedChart>
  /** Returns a layout that was computed before. */
  made(request: LayoutRequest): PlacedChart | undefined
  dispose(): void
}

/** Precomputed layouts, by `layoutKey`. */
export type KnownLayouts = Readonly<Record<string, Geometry>>

/** Key of a precomputed layout. */
export const layoutKey = ({ id, hash }: Pick<MachineChart, 'id' | 'hash'>, direction: Direction): string =>
  `${id}:${hash}:${direction}`

/** Creates a service that loads the engine on first use and computes each layout once. */
export function createLayoutService(family: string): LayoutService {
  const start = () => import('./elk-engine.ts').then(module => module.createChartEngine(family))
  const loadKnown = () =>
    import('./layouts.json').then(
      (module): KnownLayouts => module.default,
      (): KnownLayouts => ({}),
    )
  let engine: ReturnType<typeof start> | undefined
  let known: ReturnType<typeof loadKnown> | undefined
  const asked = new Map<string, Promise<PlacedChart>>()
  const made = new Map<string, PlacedChart>()
  const make = async ({ chart, direction, detail, folded }: LayoutRequest) => {
    const parts = chartParts(chart, { folded, detail })
    if (detail === 'brief' && folded.size === 0) {
      known ??= loadKnown()
      const geometry = (await known)[layoutKey(chart, direction)]
      if (geometry) return placeChart(parts, geometry)
    }
    const running = (engine ??= start())
    // After a failed load, the next request tries again.
    running.catch(() => (engine = engine === running ? undefined : engine))
    return (await running).layout(parts, direction)
  }
  return {
    layout(request) {
      const key = requestKey(request)
      const layout = asked.get(key) ?? make(request)
      asked.set(key, layout)
      return layout.then(
        placed => {
          made.set(key, placed)
          return placed
        },
        (error: unknown) => {
          asked.delete(key)
          throw error
        },
      )
    },
    made: request => made.get(requestKey(request)),
    dispose: () => {
      engine?.then(
        running => running.dispose(),
        () => undefined,
      )
      engine = undefined
      asked.clear()
      made.clear()
    },
  }
}

const requestKey = ({ chart, direction, detail, folded }: LayoutRequest): string =>
  [layoutKey(chart, direction), detail, ...[...folded].sort()].join('\n')

export type ChartLayoutState =
  | { readonly state: 'pending' }
  | {
      readonly state: 'placed'
      readonly placed: PlacedChart
      /** Whether only the surroundings of the active states are drawn. */
      readonly isFocus: boolean
      /** Whether the whole chart was requested and is being laid out. */
      readonly isComing?: boolean
      /** The folded states of this layout. */
      readonly folded: ReadonlySet<string>
    }
  | { readonly state: 'failed'; readonly message: string }

export type PlacedLayout = Extract<ChartLayoutState, { readonly state: 'placed' }>

const PENDING: ChartLayoutState = { state: 'pending' }

interface Wanted {
  readonly chart: MachineChart
  readonly pane: Size
  readonly detail: Detail
  readonly folded: ReadonlySet<string>
  readonly mode: Mode
  readonly activity: ChartActivity
  readonly origins: ReadonlyMap<string, string>
}

/**
 * Returns the whole chart if it was requested or is readable, else the active states' surroundings; the
 * latter also until the whole is ready.
 */
export function useChartLayout(wanted: Wanted): ChartLayoutState {
  const { chart, pane, mode, activity } = wanted
  const isEnough = mode === 'focus' || (mode === 'auto' && isTooLarge(chart.root, pane))
  const whole = useWhole(wanted, !isEnough || activity.active.size === 0)
  const isThere = whole.state === 'placed'
  const focus = useFocus(wanted, mode !== 'whole' || !isThere)
  if (!focus || whole.state === 'failed') return whole
  if (isEnough) return focus
  if (!isThere) return mode === 'whole' ? { ...focus, isComing: true } : whole
  return mode === 'auto' && fit(whole.placed, pane).scale < READABLE_SCALE ? focus : whole
}

/** Minimum pane area per state with its arrows, in square pixels. */
const ROOM_PER_STATE = 14_000

function isTooLarge(root: ChartState, { width, height }: Size): boolean {
  return statesIn(root) * ROOM_PER_STATE > width * height
}

const statesIn = (state: ChartState): number =>
  state.states.reduce((sum, child) => sum + 1 + statesIn(child), 0)

/** Placed during render, because it is small. */
function useFocus({ chart, pane, detail, folded, activity, origins }: Wanted, isWanted: boolean) {
  const measure = useMemo(() => canvasMeasure(CHART_FONT), [])
  const tools = useToolsHeight()
  const focus = useSame({ active: activity.active, entered: activity.entered, origins }, isSameFocus)
  return useMemo((): PlacedLayout | undefined => {
    if (!isWanted || pane.width === 0) return undefined
    const placed = focusChart(chart, focus, { measure, pane: clearOf(pane, tools), detail, folded })
    return placed && { state: 'placed', placed, isFocus: true, folded: placed.folded }
  }, [isWanted, chart, pane, tools, detail, folded, focus, measure])
}

/** Returns the same object while its meaning is the same. */
function useSame<T>(next: T, isSame: (a: T, b: T) => boolean): T {
  const [kept, setKept] = useState(next)
  if (kept === next || isSame(kept, next)) return kept
  setKept(next)
  return next
}

const isSameFocus = (a: Focus, b: Focus): boolean => isEqual(listsOf(a), listsOf(b))

const listsOf = ({ active, entered, origins }: Focus) => [[...active], [...entered], [...origins]]

interface Whole {
  readonly machine: string
  readonly layout: ChartLayoutState
}

/**
 * Lays out the chart when its structure, folds or detail change; shows the last layout until then. A cached
 * layout is available immediately.
 */
function useWhole(wanted: Wanted, isWanted: boolean): ChartLayoutState {
  const { chart, pane, detail, folded } = wanted
  const { chartLayouts: service } = useConsole()
  const machine = `${chart.id}:${chart.hash}`
  const key = [machine, detail, ...[...folded].sort()].join('\n')
  const tall = pane.height > pane.width
  const isReady = isWanted && pane.width > 0
  const [latest, setLatest] = useState<Whole>()
  const known = useMemo((): Whole | undefined => {
    if (!isReady) return undefined
    const placed = suitable({ chart, pane }, direction => service.made({ chart, detail, folded, direction }))
    return typeof placed === 'string' ? undefined : { machine, layout: wholeOf(placed, folded) }
  }, [service, isReady, machine, chart, pane, detail, folded])
  const isMissing = isReady && !known
  // A new recording may create a new chart object of the same structure: compare by key.
  const request = useSame({ key, tall, isMissing, service, wanted }, isSameRequest)
  const load = useMemo(() => (request.isMissing ? () => placeWhole(request) : undefined), [request])
  const result = useLoaded(load)
  const loaded = useMemo((): Whole | undefined => {
    if (!load || result?.load !== load) return undefined
    return { machine, layout: result.value ?? { state: 'failed', message: messageOf(result.error) } }
  }, [machine, load, result])
  const now = known ?? loaded
  if (now && latest?.layout !== now.layout) setLatest(now)
  return latest?.machine === machine ? latest.layout : PENDING
}

interface WholeRequest {
  readonly service: LayoutService
  readonly wanted: Wanted
  readonly key: string
  readonly tall: boolean
  readonly isMissing: boolean
}

const isSameRequest = (a: WholeRequest, b: WholeRequest): boolean =>
  a.service === b.service && a.key === b.key && a.tall === b.tall && a.isMissing === b.isMissing

/** @throws Error if the layout engine fails */
async function placeWhole({ service, wanted }: WholeRequest): Promise<ChartLayoutState> {
  const { chart, detail, folded } = wanted
  const made = (direction: Direction) => service.made({ chart, detail, folded, direction })
  for (let next = suitable(wanted, made); ; next = suitable(wanted, made)) {
    if (typeof next !== 'string') return wholeOf(next, folded)
    await service.layout({ chart, detail, folded, direction: next })
  }
}

const wholeOf = (placed: PlacedChart, folded: ReadonlySet<string>): PlacedLayout => ({
  state: 'placed',
  placed,
  isFocus: false,
  folded,
})

/** Returns the cached layout that shows more in this pane, or the direction to compute first. */
function suitable(
  { chart, pane }: Pick<Wanted, 'chart' | 'pane'>,
  made: (direction: Direction) => PlacedChart | undefined,
): PlacedChart | Direction {
  const isTall = pane.height > pane.width
  const first = isTall || statesIn(chart.root) > LARGE ? (isTall ? 'DOWN' : 'RIGHT') : undefined
  if (first) return made(first) ?? first
  const across = made('RIGHT')
  if (!across) return 'RIGHT'
  const { scale } = fit(across, pane)
  if (scale >= READABLE_SCALE) return across
  const down = made('DOWN')
  if (!down) return 'DOWN'
  return fit(down, pane).scale > scale ? down : across
}

/** Such a chart is never readable as a whole, and takes a second to lay out. */
const LARGE = 120
