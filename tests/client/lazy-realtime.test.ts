// Realtime on first use: what waits for its code, what happens when loading fails, and a client without it.
import { afterEach, expect, test, vi } from 'vitest'
import { type PushSettled, type ClientCommand, DEFAULT_TIMINGS } from '../../src/machines/index.ts'
import { createChartroomClient, type ChartroomClient } from '../../src/public/index.ts'
import { composeCore, type CorePorts } from '../../src/services/client/compose-core.ts'
import { declaredPorts, memoryStorage } from '../../src/services/client/index.ts'
import { createLazyRealtime } from '../../src/services/client/realtime/lazy-realtime.ts'
import { createRealtimeParts } from '../../src/services/client/realtime/realtime-parts.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { fakeBackend, KEY, URL_BASE } from '../harness/fake-backend.ts'
import { fakeSockets } from '../harness/fake-socket.ts'

const clients: ChartroomClient[] = []
afterEach(() => Promise.all(clients.splice(0).map(client => client.dispose())))

const join: ClientCommand = { type: 'channel.join', topic: 'bridge', use: 'u1', options: {} }
const send = (id: string): ClientCommand => ({
  type: 'channel.command',
  topic: 'bridge',
  command: { type: 'broadcast.send', id, event: 'hello', payload: 1 },
})
const refused = (id: string): PushSettled => ({
  type: 'push.settled',
  id,
  reason: 'the realtime code could not be loaded',
  isUnsent: true,
})
const parts = { createRealtimeParts }

/** `loads` gives the result of each attempt: a promise that the test settles. */
function harbour() {
  const clock = createVirtualClock()
  const reported: unknown[] = []
  const loads: PromiseWithResolvers<typeof parts>[] = []
  const later = createLazyRealtime({
    url: URL_BASE,
    key: KEY,
    fetch,
    gatedFetch: fetch,
    clock,
    timings: DEFAULT_TIMINGS,
    WebSocket: undefined,
    accessToken: () => undefined,
    resync: () => Promise.resolve(),
    load() {
      loads.push(Promise.withResolvers<typeof parts>())
      return loads.at(-1)!.promise
    },
    send: command => reported.push(command),
    refuse: (topic, settled) => reported.push([topic, settled]),
    changed: () => reported.push(later.reason()),
  })
  const core = composeCore(declaredPorts as CorePorts).client
  return { clock, reported, loads, later, machine: later.prepare(core) }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('nothing is loaded before the first channel; commands are then sent in order', async () => {
  const { reported, loads, later, machine } = harbour()
  expect(loads).toEqual([])
  later.send(join)
  later.send(send('1'))
  expect({ told: reported, loads: loads.length, parts: later.parts() }).toEqual({
    told: [],
    loads: 1,
    parts: undefined,
  })
  loads[0]!.resolve(parts)
  await settled()
  later.send(send('2'))
  expect(reported).toEqual([join, send('1'), send('2')])
  expect(machine.implementations.actors['realtime']).toBe(later.parts()?.machine)
})

test('code that fails to load is requested again; channels wait for it, messages do not', async () => {
  const { clock, reported, loads, later } = harbour()
  later.send(join)
  later.send(send('1'))
  loads[0]!.reject(new Error('offline'))
  await settled()
  later.send(send('2'))
  expect(reported).toEqual([['bridge', refused('1')], refused('1').reason, ['bridge', refused('2')]])
  clock.advance(DEFAULT_TIMINGS.backoffMin * 2)
  loads[1]!.resolve(parts)
  await settled()
  expect({
    last: reported.at(-1),
    reason: later.reason(),
    loads: loads.length,
    left: clock.pending(),
  }).toEqual({
    last: join,
    reason: undefined,
    loads: 2,
    left: 0,
  })
})

test('code that hangs counts as failed after a while, and is used whenever it arrives', async () => {
  const { clock, reported, loads, later } = harbour()
  later.send(join)
  clock.advance(DEFAULT_TIMINGS.connectTimeout)
  expect(later.reason()).toBe(refused('').reason)
  loads[0]!.resolve(parts)
  await settled()
  expect({ told: reported, reason: later.reason(), left: clock.pending() }).toEqual({
    told: [refused('').reason, join],
    reason: undefined,
    left: 0,
  })
})

test('pauses between attempts grow up to a limit', async () => {
  const { clock, loads, later } = harbour()
  const pauses: number[] = []
  later.send(join)
  while (pauses.length < 8) {
    const { length } = loads
    loads.at(-1)!.reject(new Error('offline'))
    await settled()
    const before = clock.now()
    while (loads.length === length) clock.advance(500)
    pauses.push(clock.now() - before)
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})

test('after dispose nothing is loaded, retried or reported', async () => {
  const { clock, reported, loads, later } = harbour()
  later.send(join)
  later.dispose()
  loads[0]!.resolve(parts)
  await settled()
  expect({ told: reported, parts: later.parts(), left: clock.pending() }).toEqual({
    told: [],
    parts: undefined,
    left: 0,
  })
})

test('a client without a recording joins once the code is loaded', async () => {
  const { WebSocket, sockets } = fakeSockets()
  const { fetch } = fakeBackend({})
  const client = createChartroomClient({
    url: URL_BASE,
    key: KEY,
    global: { fetch },
    auth: { storage: memoryStorage() },
    realtime: { transport: WebSocket },
  })
  clients.push(client)
  await vi.waitFor(() => expect(client.status().session.phase).toBe('signedOut'))
  const phases: string[] = []
  const channel = client.channel('bridge')
  channel.on('status', ({ phase }) => phases.push(phase))
  expect({ status: channel.status().phase, connection: client.status().connection.phase }).toEqual({
    status: 'waiting',
    connection: 'idle',
  })
  expect(await channel.send('hello', 1)).toEqual({ ok: false, failure: expect.anything() as unknown })
  await vi.waitFor(() => expect(channel.status().phase).toBe('joined'))
  expect({ sockets: sockets.length, last: phases.at(-1), told: client.status().channels }).toEqual({
    sockets: 1,
    last: 'joined',
    told: { bridge: { phase: 'joined', postgres: 'none', data: 'none' } },
  })
})
