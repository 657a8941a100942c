// A thousand sockets, and a thousand joins on one socket: afterwards nothing of them is left.
import { expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { createRealtimePorts } from '../../../src/services/client/realtime/realtime-over.ts'
import { openSocket } from '../../../src/services/client/realtime/supabase-socket.ts'
import { joinTopic, leaveTopic } from '../../../src/services/client/realtime/supabase-topic.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { fakeSockets } from '../../harness/fake-socket.ts'

const settled = () => new Promise(resolve => setImmediate(resolve))
const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
const input = { heartbeatEvery: 25_000, probeTimeout: 4_000, freshUntil: undefined }
const bridge = { topic: 'bridge', options: {}, timeout: 10_000 }

function backend() {
  const clock = createVirtualClock()
  const { WebSocket, sockets, open } = fakeSockets()
  const parts = {
    url: 'http://harbour.test',
    key: 'key',
    accessToken: () => 'token',
    WebSocket,
    clock,
    fetch: () => Promise.reject(new Error('nothing goes over HTTP')),
    resync: () => Promise.resolve(),
  }
  return { clock, sockets, open, parts }
}

test.each([
  ['lost by the network', true],
  ['closed by the client', false],
] as const)('1,000 sockets %s, each with a topic', async (_, isLost) => {
  const { clock, sockets, open, parts } = backend()
  const ports = createRealtimePorts(parts, openSocket)
  const before = timers()
  for (let n = 0; n < 1_000; n++) {
    const socket = createActor(ports.socket, { input }).start()
    await settled()
    const topic = createActor(ports.topic, { input: bridge }).start()
    await settled()
    if (isLost) sockets.at(-1)?.drop()
    if (n % 2 === 0) socket.stop()
    topic.stop()
    socket.stop()
  }
  await settled()
  expect([sockets.length, open.size, clock.pending()]).toEqual([1_000, 0, 0])
  // Every socket keeps its initial listeners and sent one join.
  expect(new Set(sockets.map(({ listeners }) => listeners))).toEqual(new Set([3]))
  expect(sockets.map(({ sent }) => sent.filter(([, , , event]) => event === 'phx_join').length)).toEqual(
    Array.from({ length: 1_000 }, () => 1),
  )
  await vi.waitFor(() => expect(timers()).toBeLessThanOrEqual(before + 5))
})

test('1,000 joins of one topic on one socket', async () => {
  const { sockets, parts } = backend()
  const life = openSocket(parts, input, () => undefined)
  if (!life) throw new Error('there is a WebSocket')
  await settled()
  const callbacks = () => Object.values(life.client.stateChangeCallbacks).map(list => list.length)
  const before = callbacks()
  const received: string[] = []
  for (let n = 0; n < 1_000; n++) {
    await life.leaving.get('bridge')
    const channel = joinTopic(life.client, bridge, parts.accessToken, event => received.push(event.type))
    await settled()
    leaveTopic(life, 'bridge', channel)
    await settled()
  }
  expect([life.client.channels.length, life.leaving.size, callbacks()]).toEqual([0, 0, before])
  expect(received.filter(type => type === 'topic.joined')).toHaveLength(1_000)
  const sentEvents = sockets[0]?.sent.map(([, , , event]) => event) ?? []
  expect(sentEvents).toEqual(Array.from({ length: 1_000 }, () => ['phx_join', 'phx_leave']).flat())
  life.close()
})
