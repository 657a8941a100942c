// Requests leave nothing behind: no actor, no entry, no timer, and no event type that XState keeps forever.
import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { DEFAULT_TIMINGS } from '../../src/machines/index.ts'
import { composeClient } from '../../src/services/client/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { healthy, scriptedPorts } from '../harness/scripted-ports.ts'

/** What remains after this many requests, every third of them aborted. */
function after(count: number) {
  const clock = createVirtualClock()
  const { ports } = scriptedPorts(clock, healthy(clock))
  const types = new Set<string>()
  const client = createActor(composeClient(ports), {
    clock,
    input: { timings: DEFAULT_TIMINGS, seed: 1 },
    inspect: event => event.type === '@xstate.event' && types.add(event.event.type),
  })
  let settled = 0
  client.on('request.settled', () => (settled += 1))
  client.start()
  clock.advance(5)
  for (let n = 1; n <= count; n++) {
    const id = String(n)
    client.send({
      type: 'request.start',
      info: { id, family: 'rest', method: 'GET', path: '/rest/v1/vessels' },
    })
    if (n % 3 === 0) client.send({ type: 'request.abort', id })
    clock.advance(100)
  }
  const requests = client.getSnapshot().children.requests?.getSnapshot()
  const left = { entries: requests?.context.requests, actors: Object.keys(requests?.children ?? {}) }
  const timers = clock.pending()
  client.stop()
  return { settled, left, timers, types: [...types].filter(type => type !== 'clock.tick').toSorted() }
}

test('10,000 requests leave what 10 leave', () => {
  const few = after(10)
  expect(few.left).toEqual({ entries: {}, actors: [] })
  expect(after(10_000)).toEqual({ ...few, settled: 10_000 })
})
