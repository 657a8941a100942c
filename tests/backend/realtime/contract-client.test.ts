// The official client's socket: every public method works on this backend as documented.
import { RealtimeClient } from '@supabase/supabase-js'
import { afterEach, expect, test, vi } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend()
const clients: RealtimeClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.removeAllChannels()
})

type Options = Partial<ConstructorParameters<typeof RealtimeClient>[1]>

function realtime(options: Options = {}): RealtimeClient {
  const params = { apikey: backend.publishableKey }
  const client = new RealtimeClient(`${backend.url.replace('http', 'ws')}/realtime/v1`, {
    params,
    ...options,
  })
  clients.push(client)
  return client
}

async function connected(options?: Options): Promise<RealtimeClient> {
  const client = realtime(options)
  client.connect()
  await vi.waitFor(() => expect(client.isConnected()).toBe(true))
  return client
}

test.each(['1.0.0', '2.0.0'])(
  'connect and disconnect in version %s, with the states in between',
  async vsn => {
    const client = realtime({ vsn, logLevel: 'info' })
    const state = () => [
      client.connectionState(),
      client.isConnecting(),
      client.isConnected(),
      client.isDisconnecting(),
    ]
    expect(state()).toEqual(['closed', false, false, false])
    client.connect()
    expect(state()).toEqual(['connecting', true, false, false])
    await vi.waitFor(() => expect(state()).toEqual(['open', false, true, false]))
    const closing = client.disconnect(1000, 'enough')
    expect(client.isDisconnecting()).toBe(true)
    await closing
    expect(client.isConnected()).toBe(false)
  },
)

test('endpointURL contains the key and version', () => {
  const url = new URL(realtime().endpointURL())
  expect([url.port, url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
    String(backend.port),
    '/realtime/v1/websocket',
    { apikey: backend.publishableKey, vsn: '2.0.0' },
  ])
})

test('sendHeartbeat gets a response, and onHeartbeat reports it', async () => {
  const client = await connected()
  const beats: string[] = []
  client.onHeartbeat(status => beats.push(status))
  await client.sendHeartbeat()
  await vi.waitFor(() => expect(beats).toEqual(['sent', 'ok']))
})

test('push sends a message unchanged, and log and hasLogger use a logger', async () => {
  const lines: unknown[][] = []
  const client = await connected({ logger: (...line) => lines.push(line) })
  expect([client.hasLogger(), realtime().hasLogger()]).toEqual([true, false])
  client.log('test', 'ahoy', { a: 1 })
  expect(lines).toContainEqual(['test', 'ahoy', { a: 1 }])
  client.push({ topic: 'realtime:nowhere', event: 'phx_leave', payload: {}, ref: '99', join_ref: '98' })
  await vi.waitFor(() => {
    expect(
      lines.map(([, words]) => String(words)).filter(text => text.includes('ok realtime:nowhere')),
    ).toHaveLength(1)
  })
})

test('channel, getChannels and removeChannel', async () => {
  const client = realtime()
  const [one, two] = [client.channel('one'), client.channel('two')]
  expect(client.channel('one')).toBe(one)
  expect(client.getChannels()).toEqual([one, two])
  const joined = new Promise(resolve => one.subscribe(resolve))
  expect(await joined).toBe('SUBSCRIBED')
  expect(await client.removeChannel(one)).toBe('ok')
  expect(client.getChannels()).toEqual([two])
})

test('removeAllChannels leaves every topic and closes the socket', async () => {
  const client = realtime()
  for (const name of ['one', 'two']) {
    await new Promise(resolve => client.channel(name).subscribe(resolve))
  }
  expect(await client.removeAllChannels()).toEqual(['ok', 'ok'])
  expect([client.getChannels(), client.isConnected()]).toEqual([[], false])
})

test('setAuth updates the token of later joins and open channels', async () => {
  const skipper = await signedIn(backend, 'skipper')
  const { data } = await skipper.auth.getSession()
  const token = data.session?.access_token ?? ''
  const client = realtime()
  const cabin = { config: { private: true } }
  const refused = new Promise(resolve =>
    client.channel('cabin', cabin).subscribe((status, error) => resolve([status, error?.message])),
  )
  expect(await refused).toEqual([
    'CHANNEL_ERROR',
    'Unauthorized: You do not have permissions to read from this Channel topic: cabin',
  ])
  await client.removeAllChannels()
  await client.setAuth(token)
  const channel = client.channel('cabin', cabin)
  const words: string[] = []
  channel.on('system', {}, ({ message }) => words.push(message))
  const statuses: string[] = []
  channel.subscribe(status => statuses.push(status))
  await vi.waitFor(() => expect(statuses).toEqual(['SUBSCRIBED']))
  await client.setAuth('no token')
  await vi.waitFor(() => expect(statuses).toEqual(['SUBSCRIBED', 'CLOSED']))
  expect(words).toEqual(['The token provided is not a valid JWT'])
})

test('the main client delegates channel methods', async () => {
  const client = officialClient(backend)
  const channel = client.channel('handed on')
  expect(client.getChannels()).toEqual([channel])
  expect(await new Promise(resolve => channel.subscribe(resolve))).toBe('SUBSCRIBED')
  expect(await client.removeChannel(channel)).toBe('ok')
  client.channel('another')
  expect(await client.removeAllChannels()).toHaveLength(1)
  expect(client.getChannels()).toEqual([])
})
