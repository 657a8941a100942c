// Official channels over ours and the embedded backend, as used by an app written for supabase-js.
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RecordedClient } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient } from '../harness/client.ts'

const backend = await startTestBackend()
afterEach(() => void vi.restoreAllMocks())

type Name = 'skipper' | 'mate'
const accountOf = (name: Name) =>
  backend.accounts.find(({ email }) => email.startsWith(name)) ?? { email: '', password: '' }

const clients = new WeakMap<SupabaseClient, RecordedClient>()
const clientOf = (supabase: SupabaseClient): RecordedClient => {
  const client = clients.get(supabase)
  if (!client) throw new Error('a client of signedIn is expected')
  return client
}

async function signedIn(name: Name): Promise<SupabaseClient> {
  const storage = memoryStorage()
  const client = watchedClient({ url: backend.url, key: backend.publishableKey, storage })
  const { error } = await client.supabase.auth.signInWithPassword(accountOf(name))
  expect(error).toBeNull()
  // Without generated types, like an app that never generated any.
  const supabase = client.supabase as unknown as SupabaseClient
  clients.set(supabase, client)
  return supabase
}

async function officialClient(name: Name): Promise<SupabaseClient> {
  const supabase = createClient(backend.url, backend.publishableKey, {
    auth: { storage: memoryStorage(), autoRefreshToken: false },
  })
  const { error } = await supabase.auth.signInWithPassword(accountOf(name))
  expect(error).toBeNull()
  return supabase
}

/** Subscribes and collects the arguments of the callback, errors by their text. */
function subscribe(channel: RealtimeChannel) {
  const reported: string[] = []
  channel.subscribe((status, error) => reported.push(error ? `${status}: ${error.message}` : status))
  return reported
}
const subscribed = (reported: readonly string[]) => vi.waitFor(() => expect(reported).toEqual(['SUBSCRIBED']))

test('row changes: only for listeners of their kind, in the official format', async () => {
  const supabase = await signedIn('skipper')
  const received: unknown[] = []
  const table = { schema: 'public', table: 'log_entries' }
  const channel = supabase
    .channel('log')
    .on('postgres_changes', { event: '*', ...table }, change => received.push(change))
    .on('postgres_changes', { event: 'INSERT', ...table, filter: 'note=eq.Fog' }, () => received.push('fog'))
    .on('postgres_changes', { event: 'DELETE', ...table }, ({ eventType }) => received.push(eventType))
  await subscribed(subscribe(channel))
  const { data } = await supabase
    .from('log_entries')
    .insert({ note: 'Gulls' })
    .select()
    .single<{ id: number }>()
  await supabase.from('log_entries').insert({ note: 'Fog' })
  await vi.waitFor(() => expect(received).toHaveLength(3))
  expect(received).toEqual([
    {
      ...table,
      commit_timestamp: expect.any(String),
      errors: null,
      eventType: 'INSERT',
      new: data,
      old: {},
    },
    expect.objectContaining({ eventType: 'INSERT', new: expect.objectContaining({ note: 'Fog' }) }),
    'fog',
  ])
  await supabase.from('log_entries').delete().eq('id', data?.id)
  await vi.waitFor(() => expect(received).toHaveLength(5))
  expect(received.slice(3)).toEqual([expect.objectContaining({ eventType: 'DELETE', new: {} }), 'DELETE'])
})

test('messages and presence: between two users, by event, with acknowledgment', async () => {
  const [skipper, mate] = await Promise.all([signedIn('skipper'), signedIn('mate')])
  const received: unknown[] = []
  const theirs = mate
    .channel('bridge', { config: { presence: { key: 'mate' } } })
    .on('broadcast', { event: 'hail' }, message => received.push(message))
    .on('presence', { event: 'join' }, ({ key, newPresences }) =>
      received.push(['join', key, newPresences[0]?.['on']]),
    )
    .on('presence', { event: 'leave' }, ({ key }) => received.push(['leave', key]))
  await subscribed(subscribe(theirs))
  const ours = skipper.channel('bridge', {
    config: { broadcast: { ack: true }, presence: { key: 'skipper' } },
  })
  await subscribed(subscribe(ours))
  expect(await ours.track({ on: 'deck' })).toBe('ok')
  await vi.waitFor(() => expect(received).toEqual([['join', 'skipper', 'deck']]))
  expect(theirs.presenceState()).toEqual({ skipper: [{ on: 'deck', presence_ref: expect.any(String) }] })
  expect(await ours.send({ type: 'broadcast', event: 'hail', payload: { to: 'all' } })).toBe('ok')
  expect(await ours.send({ type: 'broadcast', event: 'whisper', payload: {} })).toBe('ok')
  expect(await ours.untrack()).toBe('ok')
  await vi.waitFor(() => expect(received).toHaveLength(3))
  expect(received.slice(1)).toEqual([
    { type: 'broadcast', event: 'hail', payload: { to: 'all' } },
    ['leave', 'skipper'],
  ])
})

test('a message without a socket goes over HTTP, as the user', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const [skipper, mate] = await Promise.all([signedIn('skipper'), signedIn('mate')])
  const received: unknown[] = []
  const theirs = mate
    .channel('bridge')
    .on('broadcast', { event: '*' }, ({ payload }) => received.push(payload))
  await subscribed(subscribe(theirs))
  const ours = skipper.channel('bridge')
  expect(await ours.send({ type: 'broadcast', event: 'hail', payload: { n: 1 } })).toBe('ok')
  expect(await ours.httpSend('hail', { n: 2 })).toEqual({ success: true })
  await vi.waitFor(() => expect(received).toEqual([{ n: 1 }, { n: 2 }]))
})

describe('channel lifecycle', () => {
  test.each(['official', 'ours'] as const)(
    'a channel is found by its name until it is removed: %s',
    async name => {
      const supabase = await (name === 'ours' ? signedIn('skipper') : officialClient('skipper'))
      const warn = vi.spyOn(console, 'warn')
      const received: string[] = []
      const channel = supabase
        .channel('deck', { config: { broadcast: { self: true } } })
        .on('broadcast', { event: '*' }, ({ event }) => received.push(event))
      const reported = subscribe(channel)
      await subscribed(reported)
      expect(supabase.channel('deck', { config: { private: true } })).toBe(channel)
      expect([channel.topic, channel.params.config.private]).toEqual(['realtime:deck', false])
      supabase.channel('deck').on('broadcast', { event: 'hail' }, () => received.push('later listener'))
      const message = { type: 'broadcast', event: 'hail', payload: {} } as const
      expect(await supabase.channel('deck').send(message)).toBe('ok')
      expect(warn).not.toHaveBeenCalled()
      await vi.waitFor(() => expect(received).toEqual(['hail', 'later listener']))
      expect(await supabase.removeChannel(supabase.channel('deck'))).toBe('ok')
      expect([reported, channel.state, supabase.getChannels()]).toEqual([
        ['SUBSCRIBED', 'CLOSED'],
        'closed',
        [],
      ])

      const next = supabase.channel('deck', { config: { broadcast: { self: true } } })
      expect(next).not.toBe(channel)
      await subscribed(subscribe(next))
      await next.send(message)
      const second = supabase.channel('stern')
      await subscribed(subscribe(second))
      expect(received).toEqual(['hail', 'later listener'])
      await next.unsubscribe()
      expect(supabase.getChannels()).toEqual([second])
      expect(supabase.channel('deck')).not.toBe(next)
      expect(await supabase.removeAllChannels()).toEqual(['ok', 'ok'])
      await supabase.auth.stopAutoRefresh()
    },
  )

  test.each(['official', 'ours'] as const)(
    'signing out and in is no error for joined channels, whose changes are those of the present user: %s',
    async name => {
      const supabase = await (name === 'ours' ? signedIn('skipper') : officialClient('skipper'))
      const other = await officialClient('skipper')
      const received: unknown[] = []
      const rows = { event: 'INSERT', schema: 'public', table: 'log_entries' } as const
      const log = supabase
        .channel('log')
        .on('postgres_changes', rows, ({ new: { note } }) => received.push(note))
      const bridge = supabase
        .channel('bridge')
        .on('broadcast', { event: '*' }, ({ event }) => received.push(event))
      const reported = [subscribe(log), subscribe(bridge)]
      const write = async (author: SupabaseClient, note: string) => {
        expect((await author.from('log_entries').insert({ note })).error).toBeNull()
      }
      await Promise.all(reported.map(subscribed))
      await write(other, 'of the skipper')
      await vi.waitFor(() => expect(received).toEqual(['of the skipper']))

      await supabase.auth.signOut({ scope: 'local' })
      expect((await supabase.auth.signInWithPassword(accountOf('mate'))).error).toBeNull()
      // The token or the join of the new user is on its way; its first row shows that it has arrived.
      await vi.waitFor(async () => {
        await write(supabase, 'of the mate')
        expect(received.slice(1)).toContain('of the mate')
      })
      await write(other, 'of the skipper, later')
      await bridge.send({ type: 'broadcast', event: 'not to myself', payload: {} })
      await write(supabase, 'the last')
      await vi.waitFor(() => expect(received.at(-1)).toBe('the last'))
      expect(new Set(received.slice(1))).toEqual(new Set(['of the mate', 'the last']))
      expect(reported).toEqual([['SUBSCRIBED'], ['SUBSCRIBED']])
      expect([log.state, bridge.state]).toEqual(['joined', 'joined'])

      await Promise.all([supabase.removeAllChannels(), other.realtime.disconnect()])
    },
  )

  test('errors are reported after signing in', async () => {
    const client = watchedClient({ url: backend.url, key: backend.publishableKey, storage: memoryStorage() })
    const reported = subscribe(client.supabase.channel('bridge'))
    await subscribed(reported)
    const statuses: unknown[] = []
    const handle = client.channel('bridge')
    handle.on('status', ({ phase, reason }) => statuses.push([phase, reason]))
    await client.supabase.auth.signInWithPassword(accountOf('skipper'))
    await vi.waitFor(() => expect(statuses).toContainEqual(['waiting', 'another user']))
    await vi.waitFor(() => expect(handle.status().phase).toBe('joined'))
    await client.supabase.realtime.disconnect()
    await vi.waitFor(() => expect(reported).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR: disconnected by the app']))
  })

  test('a handle of the same topic is not affected by removing the channel', async () => {
    const supabase = await signedIn('skipper')
    const received: string[] = []
    const [channel, handle] = [
      supabase.channel('deck', { config: { broadcast: { self: true } } }),
      clientOf(supabase).channel('deck', { broadcast: { self: true } }),
    ]
    channel.on('broadcast', { event: '*' }, () => received.push('channel'))
    handle.on('broadcast', () => received.push('handle'))
    await subscribed(subscribe(channel))
    await handle.send('hail', {})
    await vi.waitFor(() => expect(received.toSorted()).toEqual(['channel', 'handle']))
    expect(await supabase.removeChannel(channel)).toBe('ok')
    await handle.send('hail', {})
    await vi.waitFor(() => expect(received.slice(2)).toEqual(['handle']))
  })

  test('after the last channel was left, the next joins at once; it may be subscribed again', async () => {
    const supabase = await signedIn('skipper')
    const first = supabase.channel('one')
    await subscribed(subscribe(first))
    expect(supabase.realtime.isConnected()).toBe(true)
    await first.unsubscribe()
    await subscribed(subscribe(supabase.channel('two')))
    const again = subscribe(first)
    await subscribed(again)
    await subscribed(subscribe(first))
  })

  test('a further subscription to a joined channel is called back after `subscribe`', async () => {
    const supabase = await signedIn('skipper')
    const one = supabase.channel('deck', { config: { presence: { key: 'skipper', enabled: true } } })
    await subscribed(subscribe(one))
    await one.track({ on: 'deck' })
    await vi.waitFor(() => expect(Object.keys(one.presenceState())).toEqual(['skipper']))
    const reported: unknown[] = []
    // Apps use the channel variable in its own callback, so the callback must not run before the assignment.
    const two: RealtimeChannel = supabase
      .channel('deck')
      .subscribe(status => reported.push([status, two.state]))
    expect(reported).toEqual([])
    await vi.waitFor(() => expect(reported).toEqual([['SUBSCRIBED', 'joined']]))
    expect(two).toBe(one)
  })

  test('a channel of a topic that a handle has joined is called back after `subscribe`, with presence', async () => {
    const supabase = await signedIn('skipper')
    const handle = clientOf(supabase).channel('deck', { presence: { key: 'skipper' } })
    await vi.waitFor(() => expect(handle.status().phase).toBe('joined'))
    await handle.track({ on: 'deck' })
    await vi.waitFor(() => expect(Object.keys(handle.presence())).toEqual(['skipper']))
    const reported: unknown[] = []
    const channel: RealtimeChannel = supabase
      .channel('deck', { config: { presence: { key: 'skipper', enabled: true } } })
      .subscribe(status => reported.push([status, channel.state]))
    await vi.waitFor(() => expect(reported).toEqual([['SUBSCRIBED', 'joined']]))
    await vi.waitFor(() => expect(Object.keys(channel.presenceState())).toEqual(['skipper']))
  })

  test('the socket stays open for the next channel, and closes at once when all are removed', async () => {
    const supabase = await signedIn('skipper')
    const isConnected = () => supabase.realtime.isConnected()
    const one = supabase.channel('one')
    await subscribed(subscribe(one))
    await supabase.removeChannel(one)
    expect(isConnected()).toBe(true)
    await subscribed(subscribe(supabase.channel('two')))
    expect(await supabase.removeAllChannels()).toEqual(['ok'])
    expect([isConnected(), supabase.realtime.connectionState()]).toEqual([false, 'closed'])
  })

  test('disconnecting reports an error; connecting again subscribes again', async () => {
    const supabase = await signedIn('skipper')
    await supabase.realtime.disconnect()
    supabase.realtime.connect()
    const reported = subscribe(supabase.channel('bridge'))
    await subscribed(reported)
    expect(await supabase.realtime.disconnect()).toBe('ok')
    expect(supabase.realtime.isConnected()).toBe(false)
    await vi.waitFor(() => expect(reported.slice(1)).toEqual(['CHANNEL_ERROR: disconnected by the app']))
    supabase.realtime.connect()
    await vi.waitFor(() => expect(reported.slice(2)).toEqual(['SUBSCRIBED']))
  })

  test('a forbidden topic is an error with its reason', async () => {
    const storage = memoryStorage()
    const client = watchedClient({ url: backend.url, key: backend.publishableKey, storage })
    const reported = subscribe(client.supabase.channel('bridge', { config: { private: true } }))
    await vi.waitFor(() => expect(reported[0]).toMatch(/^CHANNEL_ERROR: Unauthorized/))
  })

  test('a lost connection is reported as an error, and its return as a subscription', async () => {
    const supabase = await signedIn('skipper')
    const channel = supabase.channel('bridge')
    const reported = subscribe(channel)
    await subscribed(reported)
    backend.faults.add({
      id: 'cut',
      when: { event: 'frame.in', phoenix: 'broadcast', nth: 1 },
      do: { close: 1012 },
    })
    void channel.send({ type: 'broadcast', event: 'hail', payload: {} })
    await vi.waitFor(
      () =>
        expect(reported).toEqual(['SUBSCRIBED', expect.stringMatching(/^CHANNEL_ERROR: ./), 'SUBSCRIBED']),
      10_000,
    )
    expect(channel.state).toBe('joined')
  })
})
