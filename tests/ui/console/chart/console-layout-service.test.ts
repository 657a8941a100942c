// Chart layouts are computed once; cached ones are available synchronously.
import { expect, test } from 'vitest'
import { clientMachine } from '../../../../src/machines/index.ts'
import { machineCharts } from '../../../../src/services/runtime/index.ts'
import { createLayoutService } from '../../../../src/ui/console/chart/use-chart-layout.ts'

test('a layout is cached for its chart, direction and folds only', async () => {
  const chart = machineCharts(clientMachine)['session']
  if (!chart) throw new Error('There is no session')
  const service = createLayoutService('sans-serif')
  const request = { chart, direction: 'RIGHT', detail: 'brief', folded: new Set<string>() } as const
  expect(service.made(request)).toBeUndefined()

  const placed = await service.layout(request)
  expect(service.made(request)).toBe(placed)
  expect(await service.layout({ ...request, folded: new Set() })).toBe(placed)
  expect(service.made({ ...request, direction: 'DOWN' })).toBeUndefined()
  expect(service.made({ ...request, folded: new Set(['authenticated']) })).toBeUndefined()

  service.dispose()
  expect(service.made(request)).toBeUndefined()
})
