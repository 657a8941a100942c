// Precomputed layouts of the client's own charts, so that the console needs no layout engine for them.
import ELK from 'elkjs/lib/elk.bundled.js'
import { machineChart } from '../src/services/runtime/machine-chart.ts'
import { layoutGeometry } from '../src/ui/console/chart/chart-layout.ts'
import { tableMeasure } from '../src/ui/console/chart/chart-graph.ts'
import { chartParts } from '../src/ui/console/chart/chart-parts.ts'
import { layoutKey, type KnownLayouts } from '../src/ui/console/chart/use-chart-layout.ts'
import type { Spec } from '../src/machines/index.ts'
import { recordedSpecs } from '../src/machines/specs.ts'

/** The file's text: one layout per line, so that a diff shows which machine changed. */
export async function layoutsText(): Promise<string> {
  const entries = Object.entries(await layouts()).sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = entries.map(([key, geometry]) => `${JSON.stringify(key)}:${JSON.stringify(geometry)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Layouts of all machines, by machine key. */
async function layouts(): Promise<KnownLayouts> {
  const charts = Object.values<Spec>(recordedSpecs).map(({ machine }) => machineChart(machine))
  const elk = new ELK()
  const made: [string, KnownLayouts[string]][] = []
  for (const chart of charts) {
    if (chart.root.states.length === 0) continue
    for (const direction of ['RIGHT', 'DOWN'] as const) {
      const options = { measure: tableMeasure, direction }
      made.push([
        layoutKey(chart, direction),
        await layoutGeometry(chartParts(chart), options, graph => elk.layout(graph)),
      ])
    }
  }
  return Object.fromEntries(made)
}
