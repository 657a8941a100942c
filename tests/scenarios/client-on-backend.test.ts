// The real client on the real embedded backend: what only the combination shows.
import { describe, expect, test, vi } from 'vitest'
import type { ChannelHandle } from '../../src/public/index.ts'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient, type TestOptions } from '../harness/client.ts'

const backend = await startTestBackend({ accessTokenSeconds: 8 })

async function signedIn(name: 'skipper' | 'mate', options: TestOptions = {}, at = backend) {
  const requests: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    requests.push(`${init?.method ?? 'GET'} ${new Request(input).url.slice(at.url.length)}`)
    return globalThis.fetch(input, init)
  }
  const client = watchedClient({
    url: at.url,
    key: at.publishableKey,
    storage: memoryStorage(),
    fetch,
    ...options,
  })
  const { email = '', password = '' } = at.accounts.find(account => account.email.startsWith(name)) ?? {}
  expect(await client.auth.signInWithPassword({ email, password })).toMatchObject({ ok: true })
  return { client, requests }
}

const isLive = (channel: ChannelHandle) =>
  vi.waitFor(
    () => expect(channel.status()).toEqual({ phase: 'joined', postgres: 'live', data: 'live' }),
    10_000,
  )

const rows = { postgresChanges: [{ event: '*', schema: 'public', table: 'log_entries' }] } as const
const noted = (asked: readonly string[], part: string) => asked.filter(call => call.includes(part)).length

describe('no hidden requests', () => {
  test('joining, heartbeats and messages never refresh; only the schedule does', async () => {
    let beats = 0
    class CountingSocket extends WebSocket {
      override send(data: Parameters<WebSocket['send']>[0]) {
        if (typeof data === 'string' && data.includes('"heartbeat"')) beats++
        super.send(data)
      }
    }
    const timings = { heartbeatEvery: 50, refreshBefore: 0, checkEvery: 60_000 }
    // Its tokens last: a slow machine does not cause a refresh.
    const steady = await startTestBackend()
    const { client, requests } = await signedIn('skipper', { timings, WebSocket: CountingSocket }, steady)
    const bridge = client.channel('bridge', rows)
    await isLive(bridge)
    expect(await bridge.send('hail', {})).toEqual({ ok: true, value: undefined })
    await vi.waitFor(() => expect(beats).toBeGreaterThan(4))
    expect(requests).toEqual(['POST /auth/v1/token?grant_type=password'])
  })

  test('each supabase-js request is its own request actor, and none remains', async () => {
    const { client, requests: requested } = await signedIn('skipper')
    const { supabase } = client
    await supabase.from('vessels').select()
    await supabase.from('vessels').select('*', { count: 'exact', head: true })
    await supabase.storage.from('charts').list()
    await supabase.functions.invoke('tide', { body: {} })
    const { actors, steps } = client.recording.trace
    const requests = actors.filter(({ src }) => src === 'request')
    expect(requests.map(({ path }) => path)).toEqual([1, 2, 3, 4].map(n => `client/requests/request.${n}`))
    expect(requested.filter(call => !call.includes('/auth/'))).toHaveLength(4)
    const ended = steps.filter(
      ({ actor, status }) => actors[actor]?.src === 'request' && status === 'stopped',
    )
    expect(ended).toHaveLength(4)
    expect(client.status().requests).toEqual({ queued: 0, waiting: 0, sending: 0, receiving: 0 })
  })
})

test('a channel outlives its first token without rejoining', async () => {
  const { client, requests } = await signedIn('skipper')
  const channel = client.channel('rows', rows)
  const notes: unknown[] = []
  channel.on('change', ({ record }) => notes.push(record['note']))
  const phases: string[] = []
  await isLive(channel)
  channel.on('status', ({ phase }) => phases.push(phase))
  await vi.waitFor(() => expect(noted(requests, 'refresh_token')).toBeGreaterThanOrEqual(3), {
    timeout: 40_000,
  })
  await client.supabase.from('log_entries').insert({ note: 'After three tides' } as never)
  await vi.waitFor(() => expect(notes).toContain('After three tides'))
  expect(phases).toEqual([])
})

test('each user sees only their own rows and row changes', async () => {
  const [skipper, mate] = [await signedIn('skipper'), await signedIn('mate')]
  const seen = { skipper: [] as unknown[], mate: [] as unknown[] }
  for (const [name, { client }] of [
    ['skipper', skipper],
    ['mate', mate],
  ] as const) {
    const channel = client.channel('own', rows)
    channel.on('change', ({ record }) => seen[name].push(record['note']))
    await isLive(channel)
  }
  await skipper.client.supabase.from('log_entries').insert({ note: 'Mine' } as never)
  await mate.client.supabase.from('log_entries').insert({ note: 'Yours' } as never)
  await vi.waitFor(() => expect(seen).toEqual({ skipper: ['Mine'], mate: ['Yours'] }))
})

test('a run on the real backend replays exactly', async () => {
  const { client } = await signedIn('mate')
  const bridge = client.channel('bridge', { ...rows, presence: { key: 'mate' } })
  void bridge.track({ name: 'mate' })
  await isLive(bridge)
  await vi.waitFor(() => expect(Object.keys(bridge.presence())).toEqual(['mate']))
  await bridge.send('hail', { text: 'ahoy' })
  await client.supabase.from('vessels').select()
  await client.auth.refresh()
  await client.auth.signOut()
  const read = await readTrace(new Uint8Array(await (await client.recording.download()).arrayBuffer()))
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(verify(read.trace, systems)).toMatchObject({ outcome: 'exact', compared: read.trace.steps.length })
})

test('leaving a channel settles messages that are still being sent', async () => {
  const { client } = await signedIn('skipper')
  const channel = client.channel('leaving')
  const sent = channel.send('hail', {})
  channel.leave()
  expect(await sent).toMatchObject({ ok: false })
  expect(channel.status()).toEqual({ phase: 'left', postgres: 'none', data: 'none' })
})
