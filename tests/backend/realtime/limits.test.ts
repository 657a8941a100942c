// Realtime limits: what is refused, closed or disconnected, and with which message.
import { expect, test, vi } from 'vitest'
import type { RealtimeSettings } from '../../../backend/realtime/index.ts'
import { startTestBackend } from '../../harness/backend.ts'
import {
  closing,
  joinTopic,
  openSocket,
  QUIET,
  refusedWith,
  replyTo,
  socketUrl,
  systemSays,
} from '../../harness/wire-socket.ts'

async function start(realtime: Partial<RealtimeSettings>) {
  const clock = { at: Date.now(), now: () => clock.at }
  return { clock, backend: await startTestBackend({ realtime, clock }) }
}

const joined = (topic: string) => replyTo('1', topic, 'ok', { postgres_changes: [] })
const refused = (topic: string, reason: string) => replyTo('1', topic, 'error', { reason })
const HAIL = { type: 'broadcast', event: 'hail', payload: {} }

test('public topics, users and channels', async () => {
  const { backend } = await start({ maxConcurrentUsers: 1, maxChannelsPerClient: 2, privateOnly: false })
  const [one, two] = [await openSocket(backend), await openSocket(backend)]
  expect(await joinTopic(one, 'a')).toEqual(joined('a'))
  expect(await joinTopic(one, 'b')).toEqual(joined('b'))
  expect(await joinTopic(one, 'c')).toEqual(refused('c', 'ChannelRateLimitReached: Too many channels'))
  // Rejoining a topic does not count again.
  one.send(['2', '2', 'realtime:b', 'phx_join', { config: QUIET }])
  expect(await one.received(2)).toEqual([
    closing('b'),
    replyTo('2', 'b', 'ok', { postgres_changes: [] }, '2'),
  ])
  expect(await joinTopic(two, 'a')).toEqual(
    refused('a', 'ConnectionRateLimitReached: Too many connected users'),
  )
  expect(await refusedWith(socketUrl(backend))).toBe(429)
  one.socket.close()
  await vi.waitFor(async () => expect(await joinTopic(two, 'a')).toEqual(joined('a')))
})

test('only private topics', async () => {
  const { backend } = await start({ privateOnly: true })
  const wire = await openSocket(backend)
  const reason = 'PrivateOnly: This project only allows private channels'
  expect(await joinTopic(wire, 'a')).toEqual(refused('a', reason))
})

test('joins per second', async () => {
  const { backend, clock } = await start({ maxJoinsPerSecond: 1 })
  const wire = await openSocket(backend)
  for (let at = 0; at < 10; at += 1) await joinTopic(wire, `${at}`)
  clock.at += 5_000
  const reason = 'ClientJoinRateLimitReached: Too many joins per second'
  expect(await joinTopic(wire, 'more')).toEqual(refused('more', reason))
  expect(await wire.closed).toBe(1001)
  expect(await refusedWith(socketUrl(backend))).toBe(429)
  clock.at += 60_000
  expect(await joinTopic(await openSocket(backend), 'more')).toEqual(joined('more'))
})

test('messages per second', async () => {
  const { backend, clock } = await start({ maxEventsPerSecond: 1 })
  const [listener, speaker] = [await openSocket(backend), await openSocket(backend)]
  for (const wire of [listener, speaker]) await joinTopic(wire, 'a', { ...QUIET, broadcast: { ack: true } })
  const send = (ref: number) => speaker.send(['1', `${ref}`, 'realtime:a', 'broadcast', HAIL])
  for (let ref = 0; ref < 6; ref += 1) send(ref)
  await speaker.received(6)
  clock.at += 5_000
  send(6)
  expect((await listener.received(9)).slice(6)).toEqual([
    [null, null, 'realtime:a', 'broadcast', HAIL],
    systemSays('a', 'error', 'Too many messages per second'),
    closing('a'),
  ])
  expect((await speaker.received(7))[6]).toEqual(replyTo('6', 'a', 'ok', {}))
})

test('sockets', async () => {
  const { backend } = await start({ maxConnections: 1 })
  const wire = await openSocket(backend)
  expect(await refusedWith(socketUrl(backend))).toBe(429)
  wire.socket.close()
  await vi.waitFor(() => openSocket(backend))
})

test('idle sockets and sockets without a channel', async () => {
  const { backend } = await start({ idleTimeoutMs: 300, noChannelTimeoutMs: 100_000 })
  const wire = await openSocket(backend)
  const began = performance.now()
  expect(await wire.closed).toBe(1000)
  expect(performance.now() - began).toBeGreaterThan(250)

  const { backend: other } = await start({ noChannelTimeoutMs: 1_000 })
  const busy = await openSocket(other)
  await joinTopic(busy, 'a')
  const empty = await openSocket(other)
  expect(await empty.closed).toBe(1006)
  busy.send(['1', '2', 'realtime:a', 'phx_leave', {}])
  expect(await busy.received(2)).toEqual([replyTo('2', 'a', 'ok', {}), closing('a')])
  expect(await busy.closed).toBe(1006)
})

test('only the slow reader is disconnected', async () => {
  const { backend } = await start({ maxBacklogBytes: 100_000, maxEventsPerSecond: 100_000 })
  const [slow, quick, speaker] = [
    await openSocket(backend),
    await openSocket(backend),
    await openSocket(backend),
  ]
  for (const wire of [slow, quick]) await joinTopic(wire, 'a')
  await joinTopic(speaker, 'a', { ...QUIET, broadcast: { ack: true } })
  slow.socket.pause()
  const payload = { ...HAIL, payload: { x: 'x'.repeat(500_000) } }
  for (let ref = 0; ref < 30; ref += 1) {
    speaker.send(['1', `${ref}`, 'realtime:a', 'broadcast', payload])
    await speaker.received(ref + 1)
    await quick.received(ref + 1)
  }
  slow.socket.resume()
  expect(await slow.closed).toBe(1006)
  expect(quick.socket.readyState).toBe(quick.socket.OPEN)
})
