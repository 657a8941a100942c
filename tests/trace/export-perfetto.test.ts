// Chrome's trace events; evidence/tests opens them with the engine behind the Performance panel of Chrome's DevTools.
import { expect, test } from 'vitest'
import { exportTrace } from '../../src/trace/index.ts'
import { stormyTrace } from '../harness/exported-runs.ts'

test('requests and sockets have their own tracks', () => {
  const { traceEvents } = JSON.parse(exportTrace(stormyTrace(), 'perfetto')) as {
    traceEvents: readonly { ph: string; cat?: string; name: string; id?: string }[]
  }
  const network = traceEvents.filter(({ cat }) => cat === 'network')
  const begun = network.filter(({ ph }) => ph === 'b').map(({ id }) => id)
  expect(network.filter(({ ph }) => ph === 'e').map(({ id }) => id)).toEqual(begun)
  expect(new Set(network.map(({ name }) => name))).toContain('socket')
})
