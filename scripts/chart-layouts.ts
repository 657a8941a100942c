// Precomputed layouts of the client's own charts, so that the console needs no layout engine for them.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ELK from 'elkjs/lib/elk.bundled.js'
import type { AnyStateMachine } from 'xstate'
import { machineChart } from '../src/services/runtime/machine-chart.ts'
import { layoutGeometry } from '../src/ui/console/chart/chart-layout.ts'
import { tableMeasure } from '../src/ui/console/chart/chart-graph.ts'
import { chartParts } from '../src/ui/console/chart/chart-parts.ts'
import { layoutKey, type KnownLayouts } from '../src/ui/console/chart/use-chart-layout.ts'
import { machines } from './machine-docs/machines.ts'
import { root } from './tool.ts'

/** The file that stores them. */
export const layoutsFile = join(root, 'src/ui/console/chart/layouts.json')

/** The file's text: one layout per line, so that a diff shows which machine changed. */
async function layoutsText(): Promise<string> {
  const entries = Object.entries(await layoutsOf(Object.values(machines))).sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const lines = entries.map(([key, geometry]) => `${JSON.stringify(key)}:${JSON.stringify(geometry)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Layouts of the given machines, by machine key. */
export async function layoutsOf(chosen: readonly AnyStateMachine[]): Promise<KnownLayouts> {
  const charts = chosen.map(machine => machineChart(machine))
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

/** Regenerates the file. */
export async function writeLayouts(): Promise<void> {
  await writeFile(layoutsFile, await layoutsText())
}
