// Official channels over ours and the embedded backend, as used by an app written for supabase-js.
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../src/services/client/auth/session-store.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient } from '../harness/client.ts'

const backend = await startTestBackend()
afterEach(() => void vi.restoreAllMocks())

async function signedIn(name: 'skipper' | 'mate'): Promise<SupabaseClient> {
  const storage = memoryStorage()
  const client = watchedClient({ url: backend.url, key: backend.publishableKey, storage })
  const account = backend.accounts.find(({ email }) => email.startsWith(name)) ?? { email: '', password: '' }
  const { error } = await client.supabase.auth.signInWithPassword(account)
  expect(error).toBeNull()
  // Without generated types, like an app that never generated any.
  return client.supabase as unknown as SupabaseClient
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
  test('two channels of one topic both work, and leaving one does not affect the other', async () => {
    const supabase = await signedIn('skipper')
    const received: string[] = []
    const [one, two] = ['one', 'two'].map(name =>
      supabase
        .channel('deck', { config: { broadcast: { self: true } } })
        .on('broadcast', { event: '*' }, () => received.push(name)),
    ) as [RealtimeChannel, RealtimeChannel]
    const [first, second] = [subscribe(one), subscribe(two)]
    await Promise.all([subscribed(first), subscribed(second)])
    expect([one.topic, two.topic, one.state]).toEqual(['realtime:deck', 'realtime:deck', 'joined'])
    expect(supabase.getChannels()).toEqual([one, two])
    await one.send({ type: 'broadcast', event: 'hail', payload: {} })
    await vi.waitFor(() => expect(received).toEqual(['one', 'two']))
    expect(await supabase.removeChannel(one)).toBe('ok')
    expect([first, one.state, supabase.getChannels()]).toEqual([['SUBSCRIBED', 'CLOSED'], 'closed', [two]])
    await two.send({ type: 'broadcast', event: 'hail', payload: {} })
    await vi.waitFor(() => expect(received).toEqual(['one', 'two', 'two']))
    expect(await supabase.removeAllChannels()).toEqual(['ok'])
    expect([second, supabase.getChannels()]).toEqual([['SUBSCRIBED', 'CLOSED'], []])
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

  test('another channel of a joined topic is called back after `subscribe`, with presence', async () => {
    const supabase = await signedIn('skipper')
    const one = supabase.channel('deck', { config: { presence: { key: 'skipper', enabled: true } } })
    await subscribed(subscribe(one))
    await one.track({ on: 'deck' })
    await vi.waitFor(() => expect(Object.keys(one.presenceState())).toEqual(['skipper']))
    const reported: unknown[] = []
    // Apps use the channel variable in its own callback, so the callback must not run before the assignment.
    const two: RealtimeChannel = supabase
      .channel('deck', { config: { presence: { key: 'skipper', enabled: true } } })
      .subscribe(status => reported.push([status, two.state]))
    await vi.waitFor(() => expect(reported).toEqual([['SUBSCRIBED', 'joined']]))
    const more: unknown[] = []
    two.subscribe(status => more.push(status))
    expect(more).toEqual([])
    await vi.waitFor(() => expect(more).toEqual(['SUBSCRIBED']))
    expect(Object.keys(two.presenceState())).toEqual(['skipper'])
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
