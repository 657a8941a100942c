// A stopped backend that somebody still holds keeps nothing of its database in memory.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startBackend } from '../../backend/index.ts'
import { CHEAP } from '../harness/backend.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('each takes far more than a hundred megabytes, which come back', async () => {
  const start = () => startBackend({ data: 'memory', auth: CHEAP })
  const megabytes = () => {
    collect()
    return process.memoryUsage().external / 2 ** 20
  }
  // What a process loads once it keeps.
  const first = await start()
  await first.stop()
  await expect.poll(megabytes).toBeLessThan(100)
  const second = await start()
  expect(megabytes()).toBeGreaterThan(150)
  await second.stop()
  await expect.poll(megabytes).toBeLessThan(100)
  expect([first, second].map(({ port }) => port > 0)).toEqual([true, true])
})
