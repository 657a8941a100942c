// A stopped backend that is still referenced frees its database's memory.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { startBackend } from '../../backend/index.ts'
import { CHEAP } from '../harness/backend.ts'
import { testOnPglite as test } from '../harness/engine.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('frees the more than a hundred megabytes of each backend', async () => {
  const start = () => startBackend({ data: 'memory', auth: CHEAP })
  const megabytes = () => {
    collect()
    return process.memoryUsage().external / 2 ** 20
  }
  // Memory that a process allocates once and keeps.
  const first = await start()
  await first.stop()
  await expect.poll(megabytes).toBeLessThan(100)
  const second = await start()
  expect(megabytes()).toBeGreaterThan(150)
  await second.stop()
  await expect.poll(megabytes).toBeLessThan(100)
  expect([first, second].map(({ port }) => port > 0)).toEqual([true, true])
})
