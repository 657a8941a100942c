// The layout engine in a worker, for as long as the page is open.
import ELK from 'elkjs/lib/elk-api.js'
import type { Size } from '../../widgets/drawing/geometry.ts'
import { FONTS, layoutDiagram, WEIGHTS, type Measure, type PlacedDiagram } from './diagram-layout.ts'
import type { Diagram } from './diagram.ts'

const startWorker = (): Worker =>
  new Worker(new URL('elkjs/lib/elk-worker.min.js', import.meta.url), { type: 'module' })

/** Measures with the font of the page. */
const pageMeasure = (): Measure => {
  const context = document.createElement('canvas').getContext('2d')
  const family = getComputedStyle(document.body).fontFamily
  return (text, kind) => {
    if (context === null) return text.length * FONTS[kind] * 0.6
    context.font = `${WEIGHTS[kind]} ${FONTS[kind]}px ${family}`
    return context.measureText(text).width
  }
}

export interface DiagramEngine {
  /** @throws Error if the engine fails */
  readonly layout: (diagram: Diagram, pane: Size) => Promise<PlacedDiagram>
  /** Ends the worker, also in the middle of a layout. */
  readonly dispose: () => void
}

/** Starts the worker. */
export function createDiagramEngine(): DiagramEngine {
  const elk = new ELK({ workerFactory: startWorker })
  const measure = pageMeasure()
  return {
    layout: (diagram, pane) => layoutDiagram(diagram, { measure, pane, place: graph => elk.layout(graph) }),
    dispose: () => elk.terminateWorker(),
  }
}
