// The layout engine in a worker, started with the first chart that has no precomputed layout.
import ELK from 'elkjs/lib/elk-api.js'
import { startLayoutWorker } from '../workers.ts'
import { type Direction, canvasMeasure } from './chart-graph.ts'
import { layoutChart } from './chart-layout.ts'
import type { ChartParts } from './chart-parts.ts'
import type { PlacedChart } from './placed-chart.ts'

/** Lays out charts. */
export interface ChartEngine {
  layout(parts: ChartParts, direction: Direction): Promise<PlacedChart>
  /** Ends the worker. */
  dispose(): void
}

/** Starts the worker. `family` is the CSS font family of the chart's texts. */
export function createChartEngine(family: string): ChartEngine {
  const elk = new ELK({ workerFactory: startLayoutWorker })
  const measure = canvasMeasure(family)
  return {
    layout: (parts, direction) => layoutChart(parts, { measure, direction }, graph => elk.layout(graph)),
    dispose: () => elk.terminateWorker(),
  }
}
