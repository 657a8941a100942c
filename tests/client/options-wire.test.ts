// Each option of createClient on the wire: what the official client sends, and that ours sends the same.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ChartroomClient, type ChartroomOptions, createChartroomClient } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/auth/session-store.ts'
import { json, jwt, KEY, sessionBody, storedSession, URL_BASE } from '../harness/fake-backend.ts'
import { fakeSockets } from '../harness/fake-socket.ts'
import { credentials, watchedClient } from '../harness/client.ts'

const THIRD_PARTY = jwt('third-party')

type Options = Omit<ChartroomOptions, 'url' | 'key'>
type Use = (supabase: SupabaseClient) => PromiseLike<unknown>

/** The official client and ours with the same options. */
function clients(options: Options, url = URL_BASE) {
  const client = createChartroomClient(url, KEY, options)
  onTestFinished(() => client.dispose())
  const official = createClient(url, KEY, { ...(options as object) })
  return { official, client, ours: client.supabase as SupabaseClient }
}

/** Runs the same code on both clients and returns the headers and addresses that each sent. */
async function sentByBoth(
  options: Options,
  perform: Use,
  names: readonly string[],
  answer = () => Response.json([]),
  url = URL_BASE,
) {
  const requests: Record<string, string | null>[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { url: address, headers, method } = new Request(input, init)
    const listed = names.map(name => [name, headers.get(name)] as const)
    requests.push({ call: `${method} ${address}`, ...Object.fromEntries(listed) })
    return Promise.resolve(answer())
  }
  const { official, ours } = clients({ ...options, global: { ...options.global, fetch } }, url)
  await perform(official)
  const byOfficial = requests.splice(0)
  await perform(ours)
  return { official: byOfficial, ours: requests }
}

const rows: Use = supabase => supabase.from('vessels').select()

test('accessToken: its token is sent with every request', async () => {
  const accessToken = vi.fn<() => Promise<string>>(() => Promise.resolve(THIRD_PARTY))
  const { official, ours } = await sentByBoth(
    { accessToken },
    async supabase => {
      await rows(supabase)
      await supabase.storage.from('charts').list()
      await supabase.functions.invoke('tide')
    },
    ['authorization', 'apikey'],
  )
  expect(ours).toEqual(official)
  expect(ours.map(({ authorization }) => authorization)).toEqual(Array(3).fill(`Bearer ${THIRD_PARTY}`))
})

test('db.schema: queries go to that schema', async () => {
  const { official, ours } = await sentByBoth({ db: { schema: 'api' } }, rows, ['accept-profile'])
  expect(ours).toEqual(official)
  expect(ours).toMatchObject([{ 'accept-profile': 'api' }])
})

test('global.headers: sent with every request', async () => {
  const { official, ours } = await sentByBoth(
    { global: { headers: { 'x-tenant': '42' } } },
    async supabase => {
      await rows(supabase)
      await supabase.storage.from('charts').list()
      await supabase.auth.signInWithPassword({ email: 'a@b.test', password: 'harbour-demo' })
    },
    ['x-tenant'],
  )
  expect(ours).toEqual(official)
  expect(ours.map(request => request['x-tenant'])).toEqual(['42', '42', '42'])
})

test('auth.persistSession: false keeps the session in memory', async () => {
  const storage = memoryStorage()
  const set = vi.spyOn(storage, 'setItem')
  const client = watchedClient({
    url: URL_BASE,
    key: KEY,
    auth: { storage, persistSession: false },
    global: { fetch: () => Promise.resolve(Response.json({})) },
  })
  await client.supabase.auth.signInWithOAuth({ provider: 'github', options: { skipBrowserRedirect: true } })
  expect(set).not.toHaveBeenCalled()
})

test('db.retry: false sends a failed query once, like the official client', async () => {
  const { official, ours } = await sentByBoth(
    { db: { retry: false } },
    rows,
    [],
    () => new Response('', { status: 503 }),
  )
  expect(ours).toEqual(official)
  expect(ours).toHaveLength(1)
})

test('db.timeout: the query fails after it', async () => {
  const fetch = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
    })
  const { official, ours } = clients({ db: { timeout: 50 }, global: { fetch } })
  const [expected, result] = [await official.from('a').select(), await ours.from('a').select()]
  expect(result.error?.message.slice(0, 12)).toEqual(expected.error?.message.slice(0, 12))
})

test('storage.useNewHostname: files are sent to the storage host', async () => {
  const { official, ours } = await sentByBoth(
    { storage: { useNewHostname: true } },
    supabase => supabase.storage.from('charts').list(),
    ['authorization'],
    undefined,
    'https://harbour.supabase.co',
  )
  expect(ours).toEqual(official)
  expect(ours[0]?.['call']).toContain('.storage.supabase.co')
})

test('a custom authorization header takes precedence over the session', async () => {
  const { official, ours } = await sentByBoth(
    { global: { headers: { Authorization: 'Bearer of-the-request' } } },
    async supabase => {
      await rows(supabase)
      await supabase.functions.invoke('tide')
    },
    ['authorization'],
  )
  expect(ours).toEqual(official)
})

test('realtime.params and logLevel are in the address of the socket', async () => {
  const { WebSocket, sockets } = fakeSockets()
  const addresses: string[] = []
  class Transport extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      addresses.push(String(address))
    }
  }
  const options = { realtime: { transport: Transport, params: { eventsPerSecond: 5 }, logLevel: 'info' } }
  const { official, ours } = clients(options)
  official.channel('deck').subscribe()
  await vi.waitFor(() => expect(addresses).toHaveLength(1))
  ours.channel('deck').subscribe()
  await vi.waitFor(() => expect(addresses).toHaveLength(2))
  await official.removeAllChannels()
  expect(sockets).toHaveLength(2)
  expect(parametersOf(addresses[1])).toEqual(parametersOf(addresses[0]))
})

const parametersOf = (address = '') => Object.fromEntries(new URL(address).searchParams)

test('sessions carry over: from the official client, and back', async () => {
  for (const url of ['https://api.acme.test', 'http://127.0.0.1:54321', 'https://ref.supabase.co']) {
    const storage = memoryStorage()
    const fetch = () => Promise.resolve(json(sessionBody('first')))
    const first = createClient(url, KEY, { auth: { storage, autoRefreshToken: false }, global: { fetch } })
    await first.auth.signInWithPassword(credentials)
    const client = createChartroomClient(url, KEY, { auth: { storage }, global: { fetch } })
    onTestFinished(() => client.dispose())
    const taken = await client.supabase.auth.getSession()
    expect(taken.data.session).toMatchObject({ refresh_token: sessionBody('first').refresh_token })
    await client.auth.signInWithPassword(credentials)
    const again = createClient(url, KEY, { auth: { storage, autoRefreshToken: false }, global: { fetch } })
    const { data } = await again.auth.getSession()
    expect(data.session).toMatchObject({
      access_token: taken.data.session?.access_token,
      user: { id: 'skipper-id' },
    })
  }
})

test('auth.autoRefreshToken: false, and startAutoRefresh', async () => {
  const { ours, client } = clients({ auth: { autoRefreshToken: false, storage: storedSession('kept') } })
  await vi.waitFor(() => expect(tokenOf(client)?.paused).toBe('manual'))
  await ours.auth.startAutoRefresh()
  await vi.waitFor(() => expect(tokenOf(client)?.paused).toBeUndefined())
  await ours.auth.stopAutoRefresh()
  await vi.waitFor(() => expect(tokenOf(client)?.paused).toBe('manual'))
})

const tokenOf = ({ status }: ChartroomClient) => {
  const { session } = status()
  return session.phase === 'authenticated' ? session.token : undefined
}
