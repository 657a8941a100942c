// The official client's channel: every public method works on this backend as documented.
import type { RealtimeChannel, RealtimeChannelOptions, SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')
const stranger = officialClient(backend)
afterEach(async () => {
  for (const client of [skipper, mate, stranger]) await client.removeAllChannels()
})
afterAll(() => stranger.realtime.disconnect())

function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status: string, error) => {
      if (status === 'SUBSCRIBED') resolve(channel)
      else if (status !== 'CLOSED') reject(error ?? new Error(status))
    })
  })
}

async function enter(client: SupabaseClient, topic: string, config: RealtimeChannelOptions['config'] = {}) {
  const received: unknown[] = []
  const channel = client.channel(topic, { config })
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => received.push([event, payload]))
  return { channel: await joined(channel), received }
}

const HAIL = { type: 'broadcast', event: 'hail', payload: { words: 'ahoy ⚓' } } as const
const RECEIVED = ['hail', { words: 'ahoy ⚓' }]

test.each([
  ['a public topic', {}],
  ['a private topic', { private: true }],
])('send and on broadcast: %s, with ack and self', async (name, config) => {
  const sender = await enter(skipper, name, { ...config, broadcast: { ack: true } })
  const other = await enter(mate, name, { ...config, broadcast: { self: true, ack: true } })
  expect(await sender.channel.send(HAIL)).toBe('ok')
  expect(await other.channel.send({ ...HAIL, event: 'aye' })).toBe('ok')
  await vi.waitFor(() => expect(sender.received).toEqual([['aye', HAIL.payload]]))
  expect(other.received).toEqual([RECEIVED, ['aye', HAIL.payload]])
})

test('send without a joined channel goes over HTTP', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const other = await enter(mate, 'office')
  expect(await skipper.channel('office').send(HAIL)).toBe('ok')
  await vi.waitFor(() => expect(other.received).toEqual([RECEIVED]))
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})

test('httpSend: JSON, bytes and private topics, or the error', async () => {
  const [open, closed] = [await enter(mate, 'desk'), await enter(mate, 'safe', { private: true })]
  expect(await skipper.channel('desk').httpSend('hail', HAIL.payload)).toEqual({ success: true })
  expect(await skipper.channel('desk').httpSend('raw', Uint8Array.of(1, 255).buffer)).toEqual({
    success: true,
  })
  await vi.waitFor(() => expect(open.received).toHaveLength(2))
  expect(open.received).toEqual([RECEIVED, ['raw', Uint8Array.of(1, 255).buffer]])
  const config = { private: true }
  expect(await skipper.channel('safe', { config }).httpSend('hail', HAIL.payload)).toEqual({ success: true })
  await vi.waitFor(() => expect(closed.received).toEqual([RECEIVED]))
  await expect(stranger.channel('safe', { config }).httpSend('hail', {})).rejects.toThrow('Unauthorized')
})

test('subscribe reports the result of the join, and unsubscribe leaves', async () => {
  const statuses: unknown[] = []
  const channel = skipper.channel('deck')
  channel.subscribe((status, error) => statuses.push([status, error?.message]))
  await vi.waitFor(() => expect(statuses).toEqual([['SUBSCRIBED', undefined]]))
  expect(await channel.unsubscribe()).toBe('ok')
  expect(statuses).toEqual([
    ['SUBSCRIBED', undefined],
    ['CLOSED', undefined],
  ])
  await expect(joined(stranger.channel('deck', { config: { private: true } }))).rejects.toThrow(
    'Unauthorized: You do not have permissions to read from this Channel topic: deck',
  )
})

test('track, untrack, presenceState and on presence', async () => {
  const events: unknown[] = []
  const watcher = mate.channel('watch', { config: { presence: { key: 'mate' } } })
  watcher.on('presence', { event: 'join' }, ({ key, newPresences }) =>
    events.push(['join', key, newPresences.length]),
  )
  watcher.on('presence', { event: 'leave' }, ({ key, leftPresences }) =>
    events.push(['leave', key, leftPresences.length]),
  )
  await joined(watcher)
  const present = await joined(
    skipper.channel('watch', { config: { presence: { key: 'skipper', enabled: true } } }),
  )
  expect(await present.track({ duty: 'helm' })).toBe('ok')
  const shown = { skipper: [{ duty: 'helm', presence_ref: expect.any(String) }] }
  await vi.waitFor(() => expect(watcher.presenceState()).toEqual(shown))
  expect(await present.untrack()).toBe('ok')
  await vi.waitFor(() => expect(watcher.presenceState()).toEqual({}))
  expect(events).toEqual([
    ['join', 'skipper', 1],
    ['leave', 'skipper', 1],
  ])
})

test('on system and on postgres_changes', async () => {
  const [words, changes]: [unknown[], unknown[]] = [[], []]
  const channel = skipper.channel('rows')
  channel.on('system', {}, message => words.push(message))
  channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'log_entries' }, change => {
    changes.push([change.eventType, change.new.note])
  })
  await joined(channel)
  const live = {
    message: 'Subscribed to PostgreSQL',
    status: 'ok',
    extension: 'postgres_changes',
    channel: 'rows',
  }
  await vi.waitFor(() => expect(words).toEqual([live]))
  const { error } = await skipper.from('log_entries').insert({ note: 'All is well.' })
  expect(error).toBeNull()
  await vi.waitFor(() => expect(changes).toEqual([['INSERT', 'All is well.']]))
})

test('updateJoinPayload changes the next join', async () => {
  const channel = stranger.channel('deck', { config: { broadcast: { self: true } } })
  channel.updateJoinPayload({ user_token: 'no token' })
  // subscribe() merges its own config into the existing one.
  await expect(joined(channel)).rejects.toThrow('MalformedJWT: The token provided is not a valid JWT')
})

test('teardown removes a channel, and copyBindings passes its listeners to another', async () => {
  const received: unknown[] = []
  const first = mate.channel('one')
  first.on('broadcast', { event: 'hail' }, ({ payload }) => received.push(payload))
  const second = mate.channel('two')
  second.copyBindings(first)
  first.teardown()
  await joined(second)
  const sender = await enter(skipper, 'two', { broadcast: { ack: true } })
  expect(await sender.channel.send(HAIL)).toBe('ok')
  await vi.waitFor(() => expect(received).toEqual([HAIL.payload]))
})
