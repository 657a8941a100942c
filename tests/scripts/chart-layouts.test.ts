// Precomputed chart layouts are those of the current charts, and are found by the console.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { layoutsFile } from '../../scripts/chart-layouts.ts'
import { machines } from '../../scripts/machine-docs/machines.ts'
import { machineChart } from '../../src/services/runtime/index.ts'
import { layoutKey, type KnownLayouts } from '../../src/ui/console/chart/use-chart-layout.ts'

test('each machine with states has one in each direction', async () => {
  const known = JSON.parse(await readFile(layoutsFile, 'utf8')) as KnownLayouts
  const charts = Object.values(machines)
    .map(machine => machineChart(machine as unknown as AnyStateMachine))
    .filter(({ root }) => root.states.length > 0)
  const wanted = charts.flatMap(chart =>
    (['RIGHT', 'DOWN'] as const).map(direction => layoutKey(chart, direction)),
  )
  expect(wanted.filter(key => !(key in known))).toEqual([])
  expect(wanted.length).toBe(Object.keys(known).length)
})
