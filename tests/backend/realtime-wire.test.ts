// The realtime wire formats, frame by frame: what the official client does not let one see.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { afterEach, expect, test, vi } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend({ accessTokenSeconds: 2 })
const sockets: WebSocket[] = []
afterEach(() => sockets.splice(0).forEach(socket => socket.terminate()))

async function connect(version: string) {
  const query = `apikey=${backend.publishableKey}&vsn=${version}`
  const socket = new WebSocket(`${backend.url.replace('http', 'ws')}/realtime/v1/websocket?${query}`)
  sockets.push(socket)
  const frames: unknown[] = []
  socket.on('message', (data, isBinary) =>
    frames.push(isBinary ? data : JSON.parse(data instanceof Buffer ? data.toString('utf8') : '')),
  )
  await once(socket, 'open')
  return { socket, frames, send: (frame: unknown) => socket.send(JSON.stringify(frame)) }
}

test('version 1.0.0 speaks in objects', async () => {
  const { frames, send } = await connect('1.0.0')
  send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' })
  send({
    topic: 'realtime:deck',
    event: 'phx_join',
    payload: { config: { presence: { enabled: false } } },
    ref: '2',
  })
  await vi.waitFor(() => expect(frames).toHaveLength(2))
  expect(frames).toEqual([
    {
      topic: 'phoenix',
      event: 'phx_reply',
      payload: { status: 'ok', response: {} },
      ref: '1',
      join_ref: null,
    },
    {
      topic: 'realtime:deck',
      event: 'phx_reply',
      payload: { status: 'ok', response: { postgres_changes: [] } },
      ref: '2',
      join_ref: null,
    },
  ])
})

test('a client of version 1.0.0 hears one of version 2.0.0', async () => {
  const old = await connect('1.0.0')
  old.send({ topic: 'realtime:deck', event: 'phx_join', payload: { config: {} }, ref: '1', join_ref: '1' })
  await vi.waitFor(() => expect(old.frames).toHaveLength(2))
  const young = await connect('2.0.0')
  young.send(['1', '1', 'realtime:deck', 'phx_join', { config: {} }])
  young.send([
    '1',
    '2',
    'realtime:deck',
    'broadcast',
    { type: 'broadcast', event: 'hail', payload: { a: 1 } },
  ])
  await vi.waitFor(() => expect(old.frames).toHaveLength(3))
  expect(old.frames[2]).toEqual({
    topic: 'realtime:deck',
    event: 'broadcast',
    payload: { type: 'broadcast', event: 'hail', payload: { a: 1 } },
    ref: null,
    join_ref: null,
  })
})

test('postgres_changes are confirmed in order with ids, then announced as live', async () => {
  const { frames, send } = await connect('2.0.0')
  const wanted = [
    { event: 'INSERT', schema: 'public', table: 'vessels' },
    { event: '*', schema: 'public', table: 'log_entries', filter: 'sea_state=gt.3' },
  ]
  send([
    '7',
    '7',
    'realtime:rows',
    'phx_join',
    { config: { postgres_changes: wanted, presence: { enabled: false } } },
  ])
  await vi.waitFor(() => expect(frames).toHaveLength(2))
  const ids = [expect.any(Number), expect.any(Number)]
  expect(frames).toEqual([
    [
      '7',
      '7',
      'realtime:rows',
      'phx_reply',
      {
        status: 'ok',
        response: { postgres_changes: wanted.map((one, index) => ({ ...one, id: ids[index] })) },
      },
    ],
    [
      '7',
      null,
      'realtime:rows',
      'system',
      { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL', channel: 'rows' },
    ],
  ])
})

test.each([
  ['an unknown table', { table: 'krakens' }, 'The table public.krakens does not exist'],
  ['an unknown column', { table: 'vessels', filter: 'arms=eq.8' }, 'The filter column "arms" does not exist'],
  [
    'a value of a wrong type',
    { table: 'vessels', filter: 'id=eq.eight' },
    'invalid input syntax for type bigint: "eight"',
  ],
  ['an unknown operator', { table: 'vessels', filter: 'id=near.8' }, 'The filter operator "near" is unknown'],
])('%s is a system error', async (_name, request, reason) => {
  const { frames, send } = await connect('2.0.0')
  const changes = [{ event: '*', schema: 'public', ...request }]
  send([
    '1',
    '1',
    'realtime:rows',
    'phx_join',
    { config: { postgres_changes: changes, presence: { enabled: false } } },
  ])
  await vi.waitFor(() => expect(frames).toHaveLength(2))
  expect(frames[1]).toEqual([
    '1',
    null,
    'realtime:rows',
    'system',
    {
      extension: 'postgres_changes',
      status: 'error',
      message: `Unable to subscribe to changes with given parameters. ${reason}`,
      channel: 'rows',
    },
  ])
})

test('an expired token closes the channel with its reason', async () => {
  const skipper = await signedIn(backend, 'skipper')
  const { data } = await skipper.auth.getSession()
  const { frames, send } = await connect('2.0.0')
  const token = data.session?.access_token
  send([
    '1',
    '1',
    'realtime:deck',
    'phx_join',
    { config: { presence: { enabled: false } }, access_token: token },
  ])
  await vi.waitFor(() => expect(frames).toHaveLength(3), { timeout: 4_000 })
  expect(frames.slice(1)).toEqual([
    [
      '1',
      null,
      'realtime:deck',
      'system',
      { extension: 'system', status: 'error', message: 'Token has expired 0 seconds ago', channel: 'deck' },
    ],
    ['1', null, 'realtime:deck', 'phx_close', {}],
  ])
  send(['2', '2', 'realtime:deck', 'phx_join', { config: {}, access_token: token }])
  await vi.waitFor(() => expect(frames).toHaveLength(4))
  expect(frames[3]).toEqual([
    '2',
    '2',
    'realtime:deck',
    'phx_reply',
    { status: 'error', response: { reason: 'InvalidJWTToken: Token has expired' } },
  ])
})

test('a renewed token keeps the channel open', async () => {
  const client = officialClient(backend)
  const { data: first } = await client.auth.signInWithPassword({
    email: 'mate@harbour.test',
    password: 'harbour-demo',
  })
  const { frames, send } = await connect('2.0.0')
  const config = { presence: { enabled: false } }
  send(['1', '1', 'realtime:deck', 'phx_join', { config, access_token: first.session?.access_token }])
  const expired = (first.session?.expires_at ?? 0) * 1000
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(expired - 900), { timeout: 4_000 })
  const { data: second } = await client.auth.refreshSession()
  send(['1', null, 'realtime:deck', 'access_token', { access_token: second.session?.access_token }])
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(expired + 100), { timeout: 4_000 })
  send(['1', '9', 'realtime:deck', 'phx_leave', {}])
  await vi.waitFor(() => expect(frames).toHaveLength(2))
  expect(frames[1]).toEqual(['1', '9', 'realtime:deck', 'phx_reply', { status: 'ok', response: {} }])
})

test.each([
  ['what is not JSON', '{', 1007],
  ['a frame of the wrong shape', '{"topic":"phoenix"}', 1007],
  ['a frame that is too large', 'x'.repeat(4 * 1024 * 1024), 1009],
])('%s closes the socket', async (_name, text, code) => {
  const { socket } = await connect('2.0.0')
  socket.send(text)
  const [closeCode] = await once(socket, 'close')
  expect(closeCode).toBe(code)
})

test('a join that asks for too many changes at once is refused', async () => {
  const { frames, send } = await connect('2.0.0')
  const changes = Array.from({ length: 101 }, () => ({ event: '*', schema: 'public', table: 'vessels' }))
  send(['1', '1', 'realtime:rows', 'phx_join', { config: { postgres_changes: changes } }])
  await vi.waitFor(() => expect(frames).toHaveLength(1))
  expect(frames[0]).toEqual([
    '1',
    '1',
    'realtime:rows',
    'phx_reply',
    { status: 'error', response: { reason: 'unmatched topic' } },
  ])
})
