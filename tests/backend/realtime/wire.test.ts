// The realtime wire formats, frame by frame: joins, leaves and ignored messages.
import { expect, test, vi } from 'vitest'
import { startTestBackend } from '../../harness/backend.ts'
import {
  closing,
  joinTopic,
  openSocket,
  QUIET,
  refusedWith,
  replyTo,
  socketUrl,
} from '../../harness/wire-socket.ts'

const backend = await startTestBackend()
const JOINED = { postgres_changes: [] }

test('version 1.0.0 uses objects with four fields', async () => {
  const { send, received } = await openSocket(backend, 'vsn=1.0.0&log_level=info')
  send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' })
  send({ topic: 'realtime:deck', event: 'phx_join', payload: { config: QUIET }, ref: '2' })
  send({ topic: 'realtime:deck', event: 'phx_leave', payload: {}, ref: '3' })
  const reply = (topic: string, ref: string, response: object) => {
    return { topic, event: 'phx_reply', payload: { status: 'ok', response }, ref }
  }
  expect(await received(4)).toEqual([
    reply('phoenix', '1', {}),
    reply('realtime:deck', '2', JOINED),
    reply('realtime:deck', '3', {}),
    { topic: 'realtime:deck', event: 'phx_close', payload: {}, ref: null },
  ])
})

test('a version 1.0.0 client receives messages from a version 2.0.0 client', async () => {
  const old = await openSocket(backend, 'vsn=1.0.0')
  old.send({ topic: 'realtime:deck', event: 'phx_join', payload: { config: QUIET }, ref: '1', join_ref: '1' })
  await old.received(1)
  const young = await openSocket(backend)
  await joinTopic(young, 'deck')
  const payload = { type: 'broadcast', event: 'hail', payload: { a: 1 }, more: 'kept' }
  young.send(['1', '2', 'realtime:deck', 'broadcast', payload])
  expect((await old.received(2))[1]).toEqual({
    topic: 'realtime:deck',
    event: 'broadcast',
    payload,
    ref: null,
  })
})

test('references are returned unchanged', async () => {
  const { send, received } = await openSocket(backend)
  send([null, 7, 'phoenix', 'heartbeat', {}])
  send([8, 9, 'realtime:deck', 'phx_join', { config: QUIET }])
  send([null, 10, 'realtime:deck', 'phx_leave', {}])
  expect(await received(4)).toEqual([
    [null, 7, 'phoenix', 'phx_reply', { status: 'ok', response: {} }],
    [8, 9, 'realtime:deck', 'phx_reply', { status: 'ok', response: JOINED }],
    [8, 10, 'realtime:deck', 'phx_reply', { status: 'ok', response: {} }],
    [8, 8, 'realtime:deck', 'phx_close', {}],
  ])
})

test('a second join of a topic closes the first', async () => {
  const { send, received } = await openSocket(backend)
  send(['1', '1', 'realtime:deck', 'phx_join', { config: QUIET }])
  send(['2', '2', 'realtime:deck', 'phx_join', { config: QUIET }])
  expect(await received(3)).toEqual([
    replyTo('1', 'deck', 'ok', JOINED),
    closing('deck'),
    replyTo('2', 'deck', 'ok', JOINED, '2'),
  ])
})

test('ignores messages of an earlier join', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'deck', { ...QUIET, broadcast: { ack: true } })
  wire.send(['0', '2', 'realtime:deck', 'broadcast', { type: 'broadcast', event: 'hail', payload: {} }])
  wire.send(['0', '3', 'realtime:deck', 'phx_leave', {}])
  wire.send([null, '4', 'realtime:deck', 'broadcast', { type: 'broadcast', event: 'hail', payload: {} }])
  expect(await wire.received(1)).toEqual([replyTo('4', 'deck', 'ok', {})])
})

test('an unjoined channel can only be left', async () => {
  const { send, received } = await openSocket(backend)
  send(['1', '1', 'realtime:deck', 'phx_leave', {}])
  send(['1', '2', 'realtime:deck', 'broadcast', { type: 'broadcast', event: 'hail', payload: {} }])
  send(['1', '3', 'elsewhere', 'phx_join', {}])
  const unmatched = { reason: 'unmatched topic' }
  expect(await received(3)).toEqual([
    replyTo('1', 'deck', 'ok', {}),
    replyTo('2', 'deck', 'error', unmatched, null),
    [null, '3', 'elsewhere', 'phx_reply', { status: 'error', response: unmatched }],
  ])
})

test('an unknown event gets no response', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'deck')
  wire.send(['1', '2', 'realtime:deck', 'mutiny', {}])
  wire.send(['1', '3', 'realtime:deck', 'phx_leave', {}])
  expect(await wire.received(2)).toEqual([replyTo('3', 'deck', 'ok', {}), closing('deck')])
})

test('an error in the original closes only its channel', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'deck')
  wire.send(['1', '2', 'realtime:deck', 'broadcast', 'ahoy'])
  wire.send(['1', '3', 'realtime:deck', 'presence', { event: 4 }])
  expect(await wire.received(2)).toEqual([
    ['1', '1', 'realtime:deck', 'phx_error', { reason: 'channel_crash' }],
    replyTo('3', 'deck', 'error', { reason: 'unmatched topic' }, null),
  ])
})

test.each([
  ['invalid JSON', '{'],
  ['a frame of the wrong shape', '{"topic":"phoenix"}'],
  ['an array that is too short', '["1","1","realtime:deck","phx_join"]'],
  ['bytes of an unknown kind', Uint8Array.of(9, 9, 9)],
  ['no bytes', new Uint8Array()],
  ['truncated bytes', Uint8Array.of(3, 1, 1, 200, 1, 0, 1, 49)],
])('drops %s and keeps the socket', async (_name, data) => {
  const { socket, send, received } = await openSocket(backend)
  socket.send(data)
  send([null, '1', 'phoenix', 'heartbeat', {}])
  expect(await received(1)).toEqual([[null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }]])
})

test('a frame that is too large closes the socket', async () => {
  const { socket, closed } = await openSocket(backend)
  socket.send('x'.repeat(5_000_001))
  expect(await closed).toBe(1009)
})

test('simultaneous frames are answered in order', async () => {
  const { frames, send } = await openSocket(backend)
  for (let ref = 0; ref < 2_000; ref += 1) send([null, ref, 'phoenix', 'heartbeat', {}])
  await vi.waitFor(() => expect(frames).toHaveLength(2_000))
  expect(frames.map(frame => Array.isArray(frame) && frame[1])).toEqual([...Array(2_000).keys()])
})

test.each([
  ['no key', '', 401],
  ['a wrong key', 'apikey=sb_publishable_wrong&vsn=2.0.0', 401],
  ['an unsupported version', `apikey=${backend.publishableKey}&vsn=3.0.0`, 403],
  ['an invalid version', `apikey=${backend.publishableKey}&vsn=new`, 403],
])('rejects an upgrade with %s', async (_name, query, status) => {
  const [address] = socketUrl(backend).split('?')
  expect(await refusedWith(`${address}?${query}`)).toBe(status)
})
