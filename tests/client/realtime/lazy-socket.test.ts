// A socket whose code loads with the first one: it opens as usual, unless it was closed in the meantime or
// loading failed.
import { expect, test, vi } from 'vitest'
import { openLazily } from '../../../src/services/client/record-everything.ts'
import { openSocket, type OpenSocket } from '../../../src/services/client/realtime/supabase-socket.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { fakeSockets } from '../../harness/fake-socket.ts'

const input = { heartbeatEvery: 25_000, probeTimeout: 4_000, freshUntil: undefined }

/** Requested to open a socket; `come` and `fail` settle its code. */
function asked(over: { readonly key?: string; readonly WebSocket?: undefined } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly openSocket: OpenSocket }>()
  const load = vi.fn<() => typeof promise>(() => promise)
  const { WebSocket, sockets } = fakeSockets()
  const messages: unknown[] = []
  const backend = {
    url: 'http://harbour.test',
    key: 'key',
    accessToken: () => 'token',
    WebSocket,
    clock: createVirtualClock(),
    ...over,
  }
  const life = openLazily(load)(backend, input, event => messages.push(event))
  return {
    life,
    load,
    sockets,
    events: messages,
    come: () => resolve({ openSocket }),
    fail: () => reject(new Error('gone')),
  }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('it opens once its code is loaded; topics join only then', async () => {
  const { life, sockets, events: messages, come } = asked()
  life?.pushToken()
  life?.probe()
  await settled()
  expect([sockets.length, messages]).toEqual([0, []])
  expect(() => life?.client).toThrow('the socket has not been opened')
  come()
  await life?.authorised()
  await vi.waitFor(() => expect(messages).toEqual([{ type: 'socket.opened' }]))
  expect([sockets.length, life?.client.accessTokenValue]).toEqual([1, 'token'])
})

test('closed before its code is loaded, it never opens and reports nothing', async () => {
  const { life, sockets, events: messages, come } = asked()
  life?.close()
  come()
  await settled()
  expect([sockets.length, messages]).toEqual([0, []])
})

test('code that fails to load counts as a socket that did not open', async () => {
  const { events: messages, fail } = asked()
  fail()
  await settled()
  expect(messages).toEqual([
    { type: 'socket.closed', code: 0, reason: 'the realtime code could not be loaded' },
  ])
})

test('a socket that cannot be created is reported as broken', async () => {
  const { events: messages, come } = asked({ key: '' })
  come()
  await settled()
  expect(messages).toEqual([
    {
      type: 'port.broken',
      failure: { kind: 'bug', message: expect.stringMatching(/^Unexpected failure inside the client: ./) },
    },
  ])
})

test('without WebSocket support nothing is loaded', () => {
  const { life, load } = asked({ WebSocket: undefined })
  expect([life, load.mock.calls]).toEqual([undefined, []])
})
