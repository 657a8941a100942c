// Precomputed chart layouts are found by the console, by the keys that it asks with.
import { expect, test } from 'vitest'
import type { Spec } from '../../../../src/machines/index.ts'
import { recordedSpecs } from '../../../../src/machines/specs.ts'
import { machineChart } from '../../../../src/services/runtime/index.ts'
import layouts from '../../../../src/ui/console/chart/layouts.json' with { type: 'json' }
import { layoutKey } from '../../../../src/ui/console/chart/use-chart-layout.ts'

test('each machine with states has one in each direction', () => {
  const charts = Object.values<Spec>(recordedSpecs)
    .map(({ machine }) => machineChart(machine))
    .filter(({ root }) => root.states.length > 0)
  const keys = charts.flatMap(chart =>
    (['RIGHT', 'DOWN'] as const).map(direction => layoutKey(chart, direction)),
  )
  expect(Object.keys(layouts).toSorted()).toEqual(keys.toSorted())
})
