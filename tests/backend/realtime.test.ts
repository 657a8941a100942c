// The realtime service: broadcast and presence between official clients, refusals and the HTTP API.
import { WebSocket } from 'ws'
import { afterEach, expect, test, vi } from 'vitest'
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')
afterEach(async () => {
  for (const client of [skipper, mate]) await client.removeAllChannels()
})

function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve(channel)
      else if (status !== REALTIME_SUBSCRIBE_STATES.CLOSED) reject(error ?? new Error(status))
    })
  })
}

/** Joins and collects broadcasts of the event `hail`. */
async function listen(client: SupabaseClient, topic: string, broadcast = {}) {
  const received: unknown[] = []
  const channel = client.channel(topic, { config: { broadcast } })
  channel.on('broadcast', { event: 'hail' }, message => received.push(message.payload))
  return { channel: await joined(channel), received }
}

test('a broadcast reaches the others, and its sender only on request', async () => {
  const sender = await listen(skipper, 'bridge', { ack: true })
  const other = await listen(mate, 'bridge', { self: true, ack: true })
  expect(await sender.channel.send({ type: 'broadcast', event: 'hail', payload: { words: 'ahoy ⚓' } })).toBe(
    'ok',
  )
  await vi.waitFor(() => expect(other.received).toEqual([{ words: 'ahoy ⚓' }]))
  expect(await other.channel.send({ type: 'broadcast', event: 'hail', payload: { words: 'aye' } })).toBe('ok')
  await vi.waitFor(() => expect(sender.received).toEqual([{ words: 'aye' }]))
  expect(other.received).toEqual([{ words: 'ahoy ⚓' }, { words: 'aye' }])
})

test('a binary broadcast arrives as the same bytes', async () => {
  const sender = await listen(skipper, 'sonar', { ack: true })
  const other = await listen(mate, 'sonar')
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256)
  await sender.channel.send({ type: 'broadcast', event: 'hail', payload: bytes.buffer })
  await vi.waitFor(() => expect(other.received).toHaveLength(1))
  const [received] = other.received
  expect(received).toBeInstanceOf(ArrayBuffer)
  expect(received instanceof ArrayBuffer && [...new Uint8Array(received)]).toEqual([...bytes])
})

test('topics are isolated from each other', async () => {
  const near = await listen(mate, 'near')
  const far = await listen(mate, 'far')
  const sender = await listen(skipper, 'near', { ack: true })
  await sender.channel.send({ type: 'broadcast', event: 'hail', payload: 1 })
  await vi.waitFor(() => expect(near.received).toEqual([1]))
  expect(far.received).toEqual([])
})

test('presence reports joins, changes and leaves', async () => {
  const states: Record<string, unknown>[] = []
  const watcher = mate.channel('watch', { config: { presence: { key: 'mate' } } })
  watcher.on('presence', { event: 'sync' }, () => states.push(names(watcher)))
  await joined(watcher)
  await watcher.track({ duty: 'helm' })
  const other = skipper.channel('watch', { config: { presence: { key: 'skipper' } } })
  other.on('presence', { event: 'sync' }, () => undefined)
  await joined(other)
  await vi.waitFor(() => expect(names(other)).toEqual({ mate: ['helm'] }))
  await other.track({ duty: 'rest' })
  await vi.waitFor(() => expect(names(watcher)).toEqual({ mate: ['helm'], skipper: ['rest'] }))
  await other.track({ duty: 'watch' })
  await vi.waitFor(() => expect(names(watcher)).toEqual({ mate: ['helm'], skipper: ['watch'] }))
  await skipper.removeChannel(other)
  await vi.waitFor(() => expect(names(watcher)).toEqual({ mate: ['helm'] }))
  await watcher.untrack()
  await vi.waitFor(() => expect(states.at(-1)).toEqual({}))
})

function names(channel: RealtimeChannel): Record<string, unknown> {
  const state = channel.presenceState<{ duty: string }>()
  return Object.fromEntries(Object.entries(state).map(([key, metas]) => [key, metas.map(meta => meta.duty)]))
}

test('a message sent over HTTP reaches the channel', async () => {
  const { received } = await listen(mate, 'office')
  expect(await skipper.channel('office').httpSend('hail', { words: 'fog at six' })).toEqual({ success: true })
  const response = await fetch(`${backend.url}/realtime/v1/api/broadcast`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ topic: 'office', event: 'hail', payload: { words: 'clear' } }] }),
  })
  expect(response.status).toBe(202)
  await vi.waitFor(() => expect(received).toEqual([{ words: 'fog at six' }, { words: 'clear' }]))
})

test('a private topic is closed to clients without a session', async () => {
  const stranger = officialClient(backend)
  const options = { config: { private: true } }
  await expect(joined(stranger.channel('cabin', options))).rejects.toThrow(
    'Unauthorized: You do not have permissions to read from this Channel topic: cabin',
  )
  await joined(skipper.channel('cabin', options))
  await stranger.removeAllChannels()
})

test.each([
  ['no key', '', 401],
  ['a wrong key', '?apikey=sb_publishable_wrong&vsn=2.0.0', 401],
])('rejects an upgrade with %s', async (_name, query, status) => {
  const socket = new WebSocket(`${backend.url.replace('http', 'ws')}/realtime/v1/websocket${query}`)
  const refused = await new Promise(resolve => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    socket.on('error', () => undefined)
  })
  expect(refused).toBe(status)
})
