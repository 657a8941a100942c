// Which token a topic joins with when the token changes at the same moment.
import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { createRealtimePorts } from '../../../src/services/client/realtime/realtime-over.ts'
import { openSocket } from '../../../src/services/client/realtime/supabase-socket.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { fakeSockets } from '../../harness/fake-socket.ts'

const settled = () => new Promise(resolve => setImmediate(resolve))

test('a join right after a rotation uses the new token, as does every joined topic', async () => {
  const { WebSocket, sockets } = fakeSockets()
  let token = 'first'
  const ports = createRealtimePorts(
    {
      url: 'http://harbour.test',
      key: 'key',
      accessToken: () => token,
      WebSocket,
      clock: createVirtualClock(),
      fetch: () => Promise.reject(new Error('nothing goes over HTTP')),
      resync: () => Promise.resolve(),
    },
    openSocket,
  )
  const input = { heartbeatEvery: 25_000, probeTimeout: 4_000, freshUntil: undefined }
  const join = (topic: string) =>
    createActor(ports.topic, { input: { topic, options: {}, timeout: 10_000 } }).start()
  const socket = createActor(ports.socket, { input }).start()
  await settled()
  const topics = [join('bridge')]
  await settled()
  token = 'second'
  socket.send({ type: 'token.push' })
  topics.push(join('galley'))
  await settled()
  const told = sockets[0]?.sent.map(([, , topic, event, payload]) => {
    const { access_token } = payload as { access_token?: string }
    return [event, topic, access_token].join(' ')
  })
  expect(told).toEqual([
    'phx_join realtime:bridge first',
    'access_token realtime:bridge second',
    'phx_join realtime:galley second',
  ])
  for (const topic of topics) topic.stop()
  socket.stop()
})
