// Chart layouts: precomputed for Chartroom's own machines, computed in a worker for others.
import type { MachineChart } from '../../../trace/index.ts'
import type { Geometry } from './chart-geometry.ts'
import type { Direction } from './chart-graph.ts'
import { placeChart, type PlacedChart } from './placed-chart.ts'
import { chartParts } from './chart-parts.ts'
import type { Detail } from './chart-text.ts'

/** The part of a chart to lay out, and its direction. */
export interface LayoutRequest {
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
