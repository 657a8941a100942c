// Precomputed chart layouts are what the algorithm makes of the charts.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { layoutsFile, layoutsOf } from '../../scripts/chart-layouts.ts'
import { machines } from '../../scripts/machine-docs/machines.ts'
import type { KnownLayouts } from '../../src/ui/console/chart/use-chart-layout.ts'

test('are up to date (run npm run docs to regenerate)', async () => {
  // Layouts are keyed by the chart's content; a few examples suffice to show that the algorithm is unchanged.
  const made = await layoutsOf([machines.tab, machines.connection, machines.refresh])
  const known = JSON.parse(await readFile(layoutsFile, 'utf8')) as KnownLayouts
  expect(Object.keys(made).length).toBe(6)
  expect(Object.fromEntries(Object.keys(made).map(key => [key, known[key]]))).toEqual(made)
})
