// The realtime ports when code throws: the machine is notified, and nothing is lost in between.
import { expect, test, vi } from 'vitest'
import {
  createRealtimePorts,
  type RealtimeBackend,
} from '../../../src/services/client/realtime/realtime-over.ts'
import { openSocket } from '../../../src/services/client/realtime/supabase-socket.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { fakeSockets } from '../../harness/fake-socket.ts'
import { runPort } from '../../harness/port-run.ts'

const input = { heartbeatEvery: 25_000, probeTimeout: 4_000, freshUntil: undefined }
const bridge = { topic: 'bridge', options: {}, timeout: 10_000 }
const broken = {
  type: 'port.broken',
  failure: { kind: 'bug', message: expect.stringMatching(/^Unexpected failure inside the client: ./) },
}

function ports(over: Partial<RealtimeBackend> = {}) {
  return createRealtimePorts(
    {
      url: 'http://harbour.test',
      key: 'key',
      accessToken: () => 'token',
      WebSocket: fakeSockets().WebSocket,
      clock: createVirtualClock(),
      fetch: () => Promise.reject(new Error('nothing goes over HTTP')),
      resync: () => Promise.resolve(),
      ...over,
    },
    openSocket,
  )
}

test('a socket that cannot be created is reported as broken', () => {
  expect(runPort(ports({ key: '' }).socket, input).events).toEqual([broken])
})

test('a join that throws is reported as broken', async () => {
  const { socket, topic } = ports()
  const { events } = runPort(socket, input)
  await vi.waitFor(() => expect(events).toEqual([{ type: 'socket.opened' }]))
  const join = runPort(topic, { ...bridge, options: { postgresChanges: 7 } })
  await vi.waitFor(() => expect(join.events).toEqual([broken]))
})

test.each([
  ['resolves', () => Promise.resolve(), { type: 'resync.done' }],
  ['rejects', () => Promise.reject(new TypeError('secret')), { type: 'resync.failed', reason: 'TypeError' }],
  [
    'throws',
    () => {
      throw new RangeError('secret')
    },
    { type: 'resync.failed', reason: 'RangeError' },
  ],
] as const)('a resync that %s is reported with our own text', async (_, resync, expected) => {
  const { events } = runPort(ports({ resync }).resync, { topic: 'bridge' })
  await vi.waitFor(() => expect(events).toEqual([expected]))
})

test('tokens that the server quotes in a reason are hidden', async () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
  const { WebSocket, sockets } = fakeSockets(([joinRef, ref, topic], socket) => {
    const payload = { status: 'error', response: { reason: `The token ${token} is invalid` } }
    socket.deliver([joinRef, ref, topic, 'phx_reply', payload])
  })
  const { socket, topic } = ports({ WebSocket })
  const { events } = runPort(socket, input)
  await vi.waitFor(() => expect(events).toEqual([{ type: 'socket.opened' }]))
  const join = runPort(topic, bridge)
  await vi.waitFor(() =>
    expect(join.events).toEqual([{ type: 'topic.refused', reason: expect.stringContaining('[token]') }]),
  )
  sockets[0]?.drop(4001, `expired: ${token}`)
  await vi.waitFor(() =>
    expect(events).toContainEqual({ type: 'socket.closed', code: 4001, reason: 'expired: [token]' }),
  )
  expect(JSON.stringify([events, join.events])).not.toContain(token)
})
