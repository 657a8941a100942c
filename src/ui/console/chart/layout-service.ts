// Layouts of charts: those of our own machines come with the console, others from the engine in its worker.
import type { MachineChart } from '../../../trace/format.ts'
import type { Geometry } from './chart-geometry.ts'
import type { Direction } from './chart-graph.ts'
import { placeChart, type PlacedChart } from './placed-chart.ts'
import { chartParts } from './chart-parts.ts'
import type { Detail } from './chart-words.ts'

/** What of a chart is laid out, and which way. */
export interface LayoutRequest {
  readonly chart: MachineChart
  readonly direction: Direction
  readonly detail: Detail
  /** Paths of states that are drawn without those in them. */
  readonly folded: ReadonlySet<string>
}

/** Gives layouts; made once per console and ended with it. */
export interface LayoutService {
  layout(request: LayoutRequest): Promise<PlacedChart>
  /** One that was made before. */
  made(request: LayoutRequest): PlacedChart | undefined
  dispose(): void
}

/** Layouts that were made ahead, by `layoutKey`. */
export type KnownLayouts = Readonly<Record<string, Geometry>>

/** Under which a layout that was made ahead is found. */
export const layoutKey = ({ id, hash }: Pick<MachineChart, 'id' | 'hash'>, direction: Direction): string =>
  `${id}:${hash}:${direction}`

/** A service that loads the engine when it is first needed; each layout is made once. */
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
    // Whoever asks again after it could not be loaded has it tried again.
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
