// Layouts that are made ahead: of the charts as they are, and found by the console.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { layoutsFile, layoutsText } from '../../scripts/chart-layouts.ts'
import { composeMachines, declaredPorts } from '../../src/services/compose-client.ts'
import { machineChart } from '../../src/services/machine-chart.ts'
import { workbenchMachines } from '../../src/services/workbench-machines.ts'
import { layoutKey, type KnownLayouts } from '../../src/ui/console/chart/layout-service.ts'

test('they are fresh (npm run docs makes them so)', async () => {
  expect(await readFile(layoutsFile, 'utf8')).toBe(await layoutsText())
})

test('there is one for each machine of the client and the workbench that has states, each way', async () => {
  const known = JSON.parse(await readFile(layoutsFile, 'utf8')) as KnownLayouts
  const charts = Object.values({ ...composeMachines(declaredPorts), ...workbenchMachines })
    .map(machine => machineChart(machine as unknown as AnyStateMachine))
    .filter(({ root }) => root.states.length > 0)
  const wanted = charts.flatMap(chart =>
    (['RIGHT', 'DOWN'] as const).map(direction => layoutKey(chart, direction)),
  )
  expect(wanted.filter(key => !(key in known))).toEqual([])
  expect(wanted.length).toBe(Object.keys(known).length)
})
