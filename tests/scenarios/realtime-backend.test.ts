// Realtime on the embedded backend during failures: they are distinguished, and recovered from automatically.
import { describe, expect, test, vi } from 'vitest'
import {
  type ChannelEvents,
  type ChannelHandle,
  type ChannelOptions,
  type ChartroomClient,
  memoryStorage,
} from '../../src/services/client/index.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient, type TestOptions } from '../harness/client.ts'
import { faultScene } from '../harness/faults.ts'

const backend = await startTestBackend()
const { given, story } = faultScene(backend)

const rows = { postgresChanges: [{ event: '*', schema: 'public', table: 'vessels' }] } as const
/** Pauses short enough for a test. */
const timings = { backoffMin: 20, backoffMax: 200, probeTimeout: 300, joinTimeout: 1_500 }

async function signedIn(name: 'skipper' | 'mate', options: TestOptions = {}) {
  const requests: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    requests.push(`${init?.method ?? 'GET'} ${new Request(input).url.slice(backend.url.length)}`)
    return globalThis.fetch(input, init)
  }
  const { url, publishableKey: key } = backend
  const client = watchedClient({ url, key, storage: memoryStorage(), fetch, timings, ...options })
  const { email = '', password = '' } = backend.accounts.find(account => account.email.startsWith(name)) ?? {}
  expect(await client.auth.signInWithPassword({ email, password })).toMatchObject({ ok: true })
  return { client, requests }
}

const launch = ({ supabase }: ChartroomClient, name: string) =>
  supabase.from('vessels').insert({ name } as never)
const reaches = (handle: ChannelHandle, status: object) =>
  vi.waitFor(() => expect(handle.status()).toMatchObject(status))
const joined = { phase: 'joined', postgres: 'none', data: 'none' }
const live = { phase: 'joined', postgres: 'live', data: 'live' }

/** The statuses of a handle, as `phase postgres data` and the reason. */
function passage(handle: ChannelHandle) {
  const states: string[] = []
  handle.on('status', ({ phase, postgres, data, reason = '' }) =>
    states.push([phase, postgres, data, reason].join(' ').trim()),
  )
  return states
}

/** A joined channel and every event of some kinds that it receives. */
async function on(
  client: ChartroomClient,
  topic: string,
  options: ChannelOptions,
  ...kinds: readonly (keyof ChannelEvents)[]
) {
  const handle = client.channel(topic, options)
  const received: unknown[] = []
  for (const kind of kinds) handle.on(kind, data => received.push([kind, data]))
  await reaches(handle, options.postgresChanges ? live : joined)
  return { handle, received }
}

describe('row changes', () => {
  test('missed in a gap are read again, once, after the subscription is back', async () => {
    const { client } = await signedIn('skipper')
    const seen: string[][] = []
    const resync = async () => {
      const { data } = await client.supabase.from('vessels').select('name').like('name', 'Gap %')
      seen.push(data?.map(({ name }: { name: string }) => name) ?? [])
    }
    const { handle, received } = await on(client, 'rows', { ...rows, resync }, 'gap', 'change')
    expect(seen).toEqual([[]])
    given(
      { id: 'cut', when: { event: 'frame.in', phoenix: 'broadcast' }, do: { close: 'abrupt' }, times: 1 },
      { id: 'shut', when: { event: 'open' }, do: { close: 'abrupt' } },
    )
    void handle.send('cut', {})
    await vi.waitFor(() => expect(received[0]).toMatchObject(['gap', {}]))
    await launch(client, 'Gap One')
    backend.faults.clear('shut')
    await reaches(handle, live)
    await launch(client, 'Gap Two')
    await vi.waitFor(
      () => expect(received.at(-1)).toMatchObject(['change', { record: { name: 'Gap Two' } }]),
      5_000,
    )
    expect(received[0]).toEqual(['gap', { reason: 'closed with 1006' }])
    expect(seen).toEqual([[], ['Gap One']])
  })

  test("are not shown as live while the server's confirmation is late", async () => {
    const { client } = await signedIn('skipper')
    given({
      id: 'late',
      when: { event: 'frame.out', topic: 'late rows', phoenix: 'system' },
      do: { delay: 700 },
    })
    const handle = client.channel('late rows', rows)
    await reaches(handle, { phase: 'joined', postgres: 'pending', data: 'gap' })
    await reaches(handle, live)
    expect(story()).toContain('late#1 frame.out realtime:late rows system')
  })

  test('whose confirmation is lost are requested by another join', async () => {
    const { client } = await signedIn('skipper')
    given({ id: 'lost', when: { event: 'frame.out', phoenix: 'system' }, do: { drop: true }, times: 1 })
    const handle = client.channel('lost rows', rows)
    const states = passage(handle)
    await reaches(handle, live)
    expect(states).toContain('joined retrying gap no response about row changes')
  })

  test('of a missing table are reported as a mistake', async () => {
    const { client } = await signedIn('skipper')
    const wanted = { event: '*', schema: 'public', table: 'no_such_table' } as const
    const handle = client.channel('nowhere', { postgresChanges: [wanted] })
    await reaches(handle, { phase: 'joined', postgres: 'configError', data: 'gap' })
    expect(handle.status().reason).toContain('no_such_table')
  })

  test('go to the handle that requested them', async () => {
    const { client } = await signedIn('skipper')
    const vessels = await on(client, 'shared', rows, 'change')
    const wanted = { event: 'INSERT', schema: 'public', table: 'log_entries' } as const
    const entries = await on(client, 'shared', { postgresChanges: [wanted] }, 'change')
    await reaches(vessels.handle, live)
    await launch(client, 'Shared')
    await vi.waitFor(() => expect(vessels.received).toHaveLength(1))
    expect(entries.received).toEqual([])
  })
})

describe('a socket', () => {
  test('that is half open is detected by its heartbeat, probed and replaced', async () => {
    const { client } = await signedIn('skipper', { timings: { ...timings, heartbeatEvery: 400 } })
    const { handle } = await on(client, 'half open', {})
    const reasons: (string | undefined)[] = []
    client.onStatus(({ connection: { phase, reason } }) => reasons.push(reason ?? phase))
    given({ id: 'deaf', when: { event: 'heartbeat' }, do: { drop: true }, times: 3 })
    await vi.waitFor(() => expect(reasons).toContain('the socket is not responding'))
    // Other parts of the status change, too, while the connection is open.
    expect(reasons.find(reason => reason !== 'open')).toBe('probing')
    await reaches(handle, joined)
  })

  test('that is rejected reports why, and is retried', async () => {
    const { client } = await signedIn('skipper')
    given(
      { id: 'door', when: { event: 'upgrade' }, do: { status: 503 }, times: 1 },
      { id: 'ping', when: { path: '/realtime/v1/api/ping' }, do: { status: 503 }, times: 1 },
    )
    const reasons: (string | undefined)[] = []
    client.onStatus(({ connection }) => reasons.push(connection.reason))
    const handle = client.channel('door', {})
    await reaches(handle, joined)
    expect(reasons).toContain('refused with 503')
  })
})

describe('a join', () => {
  test('with an expired token: one refresh, and joined', async () => {
    const { client, requests } = await signedIn('skipper')
    given({
      id: 'tide',
      when: { event: 'frame.in', phoenix: 'phx_join' },
      do: { token: 'expired' },
      times: 1,
    })
    await on(client, 'tide', {})
    expect(requests.filter(call => call.includes('grant_type=refresh_token'))).toHaveLength(1)
    expect(story()).toEqual(['tide#1 frame.in realtime:tide phx_join'])
  })

  test('without a response is repeated', async () => {
    const { client } = await signedIn('skipper')
    given({
      id: 'mute',
      when: { event: 'frame.out', topic: 'mute', phoenix: 'phx_reply' },
      do: { drop: true },
      times: 1,
    })
    const handle = client.channel('mute', {})
    const states = passage(handle)
    await reaches(handle, joined)
    expect(states).toContain('retrying none none no response to the join')
  })
})

describe('between two clients', () => {
  test('presence: users are reported once, even across a lost socket', async () => {
    const [skipper, mate] = [await signedIn('skipper'), await signedIn('mate')]
    const one = await on(skipper.client, 'watch', { presence: { key: 'skipper' } }, 'join', 'leave')
    const other = await on(mate.client, 'watch', { presence: { key: 'mate' } })
    expect(await other.handle.track({ name: 'mate' })).toEqual({ ok: true, value: undefined })
    await vi.waitFor(() => expect(one.received).toMatchObject([['join', { key: 'mate' }]]))
    given({
      id: 'cut',
      when: { event: 'frame.in', phoenix: 'broadcast' },
      do: { close: 'abrupt' },
      times: 1,
    })
    const states = passage(one.handle)
    void one.handle.send('cut', {})
    await vi.waitFor(() => expect(states.at(-1)).toBe('joined none none'))
    other.handle.leave()
    await vi.waitFor(() => expect(one.received.at(-1)).toMatchObject(['leave', { key: 'mate' }]))
    expect(one.received).toMatchObject([
      ['join', { key: 'mate' }],
      ['leave', { key: 'mate' }],
    ])
  })

  test('bytes arrive as bytes; what cannot be sent over the socket goes over HTTP', async () => {
    const [skipper, mate] = [await signedIn('skipper'), await signedIn('mate')]
    const ears = await on(mate.client, 'words', {}, 'broadcast')
    const mouth = await on(skipper.client, 'words', { broadcast: { fallback: 'http' } })
    expect(await mouth.handle.send('chart', Uint8Array.of(7, 8, 9))).toEqual({ ok: true, value: undefined })
    await vi.waitFor(() => expect(ears.received).toHaveLength(1))
    const [, message] = ears.received[0] as ['broadcast', ChannelEvents['broadcast']]
    expect([message.event, new Uint8Array(message.payload as ArrayBuffer)]).toEqual([
      'chart',
      Uint8Array.of(7, 8, 9),
    ])
    const early = skipper.client.channel('words too', { broadcast: { fallback: 'http' } })
    expect(early.status().phase).not.toBe('joined')
    const sent = [early.send('hail', { n: 1 }), early.send('chart', Uint8Array.of(1))]
    expect(await Promise.all(sent)).toEqual(sent.map(() => ({ ok: true, value: undefined })))
    expect(skipper.requests.filter(call => call.includes('/api/broadcast'))).toEqual([
      'POST /realtime/v1/api/broadcast',
      'POST /realtime/v1/api/broadcast/words%20too/events/chart',
    ])
  })
})
