// The realtime ports when code throws: the machine is notified, and nothing is lost in between.
import { expect, test, vi } from 'vitest'
import { createRealtimePorts, type RealtimeBackend } from '../../src/services/realtime/supabase-realtime.ts'
import { openSocket } from '../../src/services/realtime/supabase-socket.ts'
import { createVirtualClock } from '../../src/services/virtual-clock.ts'
import { fakeSockets } from '../harness/fake-socket.ts'
import { runPort } from '../harness/port-run.ts'

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
  expect(runPort(ports({ key: '' }).socket, input).said).toEqual([broken])
})

test('a join that throws is reported as broken', async () => {
  const { socket, topic } = ports()
  const { said } = runPort(socket, input)
  await vi.waitFor(() => expect(said).toEqual([{ type: 'socket.opened' }]))
  const join = runPort(topic, { ...bridge, options: { postgresChanges: 7 } })
  await vi.waitFor(() => expect(join.said).toEqual([broken]))
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
] as const)('a resync that %s is reported with our own text', async (_, resync, told) => {
  const { said } = runPort(ports({ resync }).resync, { topic: 'bridge' })
  await vi.waitFor(() => expect(said).toEqual([told]))
})
