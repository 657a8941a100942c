// A short soak, so that the script works when it is needed.
import { expect, test } from 'vitest'
import { hasPassed, resultAsTable } from '../../scripts/soak/report.ts'
import { soak } from '../../scripts/soak/run.ts'

test('loses no acknowledged write', async () => {
  const result = await soak({ seconds: 8, seed: 3 })
  expect(hasPassed(result) ? '' : resultAsTable(result)).toBe('')
  expect(result.acknowledged).toBeGreaterThan(0)
  expect(Object.values(result.accidents).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
})
