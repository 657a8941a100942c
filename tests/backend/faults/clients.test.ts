// Our own client and the official one under faults: the effect of each kind of fault on an app.
import { describe, expect, test, vi } from 'vitest'
import type { ChartroomOptions } from '../../../src/public/index.ts'
import { memoryStorage } from '../../../src/services/client/index.ts'
import { signedIn, startOwnBackend } from '../../harness/backend.ts'
import { watchedClient } from '../../harness/client.ts'
import { faultScene } from '../../harness/faults.ts'

const backend = await startOwnBackend()
const { given, keep, story } = faultScene(backend)

/** Our own client, signed in, with shorter timings where it would wait for seconds. */
async function chartroom(timings: ChartroomOptions['timings'] = {}) {
  const client = watchedClient({
    url: backend.url,
    key: backend.publishableKey,
    storage: memoryStorage(),
    timings: { backoffMin: 5, backoffMax: 20, ...timings },
  })
  expect(
    await client.auth.signInWithPassword(backend.accounts[0] ?? { email: '', password: '' }),
  ).toMatchObject({ ok: true })
  return client
}

const vessels = { family: 'rest', path: '/rest/v1/vessels' } as const

describe('our own client', () => {
  test('retries when it is safe, and respects Retry-After', async () => {
    const { supabase } = await chartroom()
    given({ id: 'busy', when: vessels, do: { status: 503 }, times: 2 })
    expect((await supabase.from('vessels').select()).status).toBe(200)
    expect(story()).toEqual(['busy#1 GET /rest/v1/vessels', 'busy#2 GET /rest/v1/vessels'])
  })

  test('never writes twice: a lost response is an error for the app to handle', async () => {
    const { supabase } = await chartroom()
    given({ id: 'lost', when: { ...vessels, method: 'POST' }, do: { lost: 'response' }, times: 1 })
    const { error, status } = await supabase.from('vessels').insert({ name: 'Twice' } as never)
    expect([status, error?.message]).toEqual([0, expect.stringContaining('cannot be reached')])
    expect((await supabase.from('vessels').select().eq('name', 'Twice')).data).toHaveLength(1)
    expect(story()).toEqual(['lost#1 POST /rest/v1/vessels'])
  })

  test('recovers from an expired token: one refresh, then the request again', async () => {
    const client = await chartroom()
    given({ story: 'tide' })
    expect((await client.supabase.from('vessels').select()).status).toBe(200)
    expect(client.status().session).toMatchObject({ phase: 'authenticated' })
    expect(story()).toEqual(['tide.requests#1 GET /rest/v1/vessels'])
  })

  test('keeps its session after a refused refresh, and loses it with a reason when the token was reused', async () => {
    const client = await chartroom()
    given({
      id: 'limit',
      when: { path: '/auth/v1/token' },
      do: { code: 'over_request_rate_limit', retryAfter: 1 },
      times: 1,
    })
    expect(await client.auth.refresh()).toMatchObject({
      ok: false,
      failure: { kind: 'rateLimit', retryAfter: 1 },
    })
    expect(client.status().session).toMatchObject({ phase: 'authenticated' })
    backend.faults.clear()
    given({ do: { session: 'reused' } })
    await client.auth.refresh()
    await vi.waitFor(
      () => expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'reuseDetected' }),
      5_000,
    )
  })

  test('rejoins after a squall, and reports the interruption', async () => {
    const client = await chartroom()
    const bridge = client.channel('bridge')
    const phases: string[] = []
    bridge.on('status', ({ phase }) => phases.push(phase))
    await vi.waitFor(() => expect(bridge.status().phase).toBe('joined'))
    given(
      { id: 'cut', when: { event: 'open' }, do: { close: 'abrupt' }, times: 1 },
      { id: 'shut', when: { event: 'upgrade', to: 2 }, do: { status: 503 } },
    )
    await vi.waitFor(
      () => expect(story()).toEqual(['cut#1 open', 'shut#1 upgrade', 'shut#2 upgrade']),
      10_000,
    )
    await vi.waitFor(() => expect(bridge.status().phase).toBe('joined'))
    expect(await bridge.send('hail', {})).toEqual({ ok: true, value: undefined })
  })

  test('detects an unresponsive server by its heartbeats', async () => {
    const client = await chartroom({ heartbeatEvery: 60, probeTimeout: 60 })
    const bridge = client.channel('bridge')
    await vi.waitFor(() => expect(bridge.status().phase).toBe('joined'))
    const reported: (string | undefined)[][] = []
    bridge.on('status', ({ phase, reason }) => reported.push([phase, reason]))
    given({ id: 'deaf', when: { event: 'heartbeat' }, do: { drop: true } })
    await vi.waitFor(() => expect(reported[0]).toEqual(['waiting', 'the socket is not responding']))
    backend.faults.clear('deaf')
    await vi.waitFor(() => expect(reported.at(-1)?.[0]).toBe('joined'))
    // After a missed heartbeat, the socket is probed before it is closed.
    expect(story().slice(0, 2)).toEqual([1, 2].map(n => `deaf#${n} heartbeat phoenix heartbeat`))
  })

  test('signs out locally even if the server is unreachable', async () => {
    const client = await chartroom()
    given({ story: 'offline' })
    await client.auth.signOut()
    expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'userLocal' })
  })

  test('an aborted request ends at once, even if it is held', async () => {
    const { supabase } = await chartroom()
    const request = keep('kept', vessels)
    const controller = new AbortController()
    const call = supabase
      .from('vessels')
      .select()
      .abortSignal(controller.signal)
      .then(answer => answer)
    await request.arrived()
    controller.abort()
    expect((await call).error?.message).toMatch(/abort/i)
    await vi.waitFor(() => expect(backend.faults.heldRequests()).toEqual([]))
  })
})

describe('stories', () => {
  test('offline: nothing is reachable and sockets are cut; after removal everything works again', async () => {
    const skipper = await signedIn(backend, 'skipper')
    const channel = skipper.channel('bridge')
    const states: string[] = []
    channel.subscribe(state => states.push(state))
    await vi.waitFor(() => expect(states).toContain('SUBSCRIBED'))
    given({ story: 'offline' })
    expect((await skipper.from('vessels').select()).status).toBe(0)
    expect((await skipper.storage.listBuckets()).error?.message).toBe('fetch failed')
    await vi.waitFor(() => expect(states).toContain('CHANNEL_ERROR'))
    backend.faults.clear('offline')
    expect((await skipper.from('vessels').select()).status).toBe(200)
    await vi.waitFor(() => expect(states.at(-1)).toBe('SUBSCRIBED'))
    await skipper.removeAllChannels()
  })

  test('maintenance: every service reports it with Retry-After', async () => {
    given({ story: 'maintenance' })
    for (const path of [
      'auth/v1/settings',
      'rest/v1/vessels',
      'storage/v1/bucket',
      'functions/v1/tide',
      'realtime/v1/api/broadcast',
    ]) {
      const response = await fetch(`${backend.url}/${path}`, { headers: { apikey: backend.publishableKey } })
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect(JSON.stringify(await response.json())).toContain('under maintenance')
    }
  })

  test('squall: the client recovers', async () => {
    const client = await chartroom()
    const bridge = client.channel('bridge')
    await vi.waitFor(() => expect(bridge.status().phase).toBe('joined'))
    given({ story: 'squall' })
    await vi.waitFor(
      () => expect(story().filter(line => line.startsWith('squall.upgrades'))).toHaveLength(3),
      15_000,
    )
    await vi.waitFor(() => expect(bridge.status().phase).toBe('joined'))
  })
})
