// The layout engine in its own worker, started with the first chart; layouts are kept by chart hash.
import ELK from 'elkjs/lib/elk-api.js'
import type { MachineChart } from '../../../trace/format.ts'
import { FONT_SIZES, type Direction, type Measure } from './chart-graph.ts'
import { layoutChart, type PlacedChart } from './chart-layout.ts'

const WEIGHTS = { state: 600, detail: 400, edge: 600 } as const

/** Measures with the fonts that the chart is drawn in. */
function canvasMeasure(family: string): Measure {
  const context = document.createElement('canvas').getContext('2d')
  return (text, kind) => {
    if (!context) return text.length * 7
    context.font = `${WEIGHTS[kind]} ${FONT_SIZES[kind]}px ${family}`
    return context.measureText(text).width
  }
}

/** Lays out charts. */
export interface ChartEngine {
  /** The layout of a chart; computed once for each structure and direction. */
  layout(chart: MachineChart, direction: Direction): Promise<PlacedChart>
  /** Ends the worker. */
  dispose(): void
}

/** Starts the worker. `family` is the CSS font family of the chart's texts. */
export function createChartEngine(family: string): ChartEngine {
  const elk = new ELK({
    workerFactory: () => new Worker(new URL('elkjs/lib/elk-worker.min.js', import.meta.url)),
  })
  const measure = canvasMeasure(family)
  const known = new Map<string, Promise<PlacedChart>>()
  return {
    layout(chart, direction) {
      const key = `${direction}:${chart.id}:${chart.hash}`
      const layout = known.get(key) ?? layoutChart(chart, measure, graph => elk.layout(graph), direction)
      known.set(key, layout)
      layout.catch(() => known.delete(key))
      return layout
    },
    dispose: () => elk.terminateWorker(),
  }
}
