// Binary frames: broadcasts with event and meta, and those of Phoenix itself.
import { expect, test } from 'vitest'
import { startTestBackend } from '../../harness/backend.ts'
import { joinTopic, openSocket, QUIET, replyTo } from '../../harness/wire-socket.ts'

const backend = await startTestBackend({ realtime: { maxPayloadSizeInKb: 1 } })
const ACK = { ...QUIET, broadcast: { ack: true, self: true } }

interface Push {
  readonly topic: string
  readonly event: string
  readonly body: Uint8Array
  readonly encoding: number
  readonly meta?: string
}

/** A broadcast in the official client's format: kind 3. */
function userPush({ topic, event, body, encoding, meta = '' }: Push): Uint8Array {
  const fields = ['1', '9', topic, event, meta].map(text => Buffer.from(text))
  return Buffer.concat([
    Uint8Array.from([3, ...fields.map(field => field.length), encoding]),
    ...fields,
    body,
  ])
}

/** A broadcast as forwarded: kind 4. */
function userBroadcast(topic: string, event: string, body: Uint8Array, encoding: number): Buffer {
  const fields = [topic, event].map(text => Buffer.from(text))
  return Buffer.concat([
    Uint8Array.from([4, ...fields.map(field => field.length), 0, encoding]),
    ...fields,
    body,
  ])
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

test.each([
  ['JSON', json({ words: 'ahoy ⚓' }), 1, ''],
  ['bytes', Uint8Array.of(0, 255, 10, 0), 0, ''],
  ['no bytes', new Uint8Array(), 0, ''],
  ['a meta, which is not forwarded', json({}), 1, '{"persist":true}'],
])('%s', async (_name, body, encoding, meta) => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'sonar ⚓', ACK)
  wire.send(userPush({ topic: 'realtime:sonar ⚓', event: 'ping', body, encoding, meta }))
  expect(await wire.received(2)).toEqual([
    userBroadcast('realtime:sonar ⚓', 'ping', body, encoding),
    replyTo('9', 'sonar ⚓', 'ok', {}),
  ])
})

test('version 1.0.0 clients receive JSON, but no bytes', async () => {
  const old = await openSocket(backend, 'vsn=1.0.0')
  const topic = 'realtime:mixed'
  old.send({ topic, event: 'phx_join', payload: { config: QUIET }, ref: '1' })
  await old.received(1)
  const wire = await openSocket(backend)
  await joinTopic(wire, 'mixed')
  wire.send(userPush({ topic, event: 'ping', body: Uint8Array.of(1), encoding: 0 }))
  wire.send(userPush({ topic, event: 'ping', body: json({ a: 1 }), encoding: 1 }))
  const payload = { type: 'broadcast', event: 'ping', payload: { a: 1 } }
  expect((await old.received(2))[1]).toEqual({ topic, event: 'broadcast', payload, ref: null })
})

test('bytes from a Phoenix client reach the others as a Phoenix broadcast', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'plain', ACK)
  const fields = ['1', '9', 'realtime:plain', 'broadcast'].map(text => Buffer.from(text))
  const body = Uint8Array.of(7, 8)
  wire.send(Buffer.concat([Uint8Array.from([0, ...fields.map(field => field.length)]), ...fields, body]))
  const [topic, event] = ['realtime:plain', 'broadcast'].map(text => Buffer.from(text))
  expect(await wire.received(2)).toEqual([
    Buffer.concat([Uint8Array.from([2, 14, 9]), topic ?? body, event ?? body, body]),
    replyTo('9', 'plain', 'ok', {}),
  ])
})

test('an oversized message reaches no client, and the sender gets an error if it requested a reply', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'large', ACK)
  wire.send(userPush({ topic: 'realtime:large', event: 'ping', body: new Uint8Array(1_501), encoding: 0 }))
  wire.send(['1', '3', 'realtime:large', 'broadcast', { event: 'ping', payload: 'x'.repeat(1_500) }])
  expect(await wire.received(2)).toEqual([
    replyTo('9', 'large', 'error', 'payload_size_exceeded'),
    replyTo('3', 'large', 'error', 'payload_size_exceeded'),
  ])
})

test('a text broadcast stays text, whatever other fields it has', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'text', ACK)
  const payload = { event: 'ping', payload: [1], type: 'broadcast', more: true }
  wire.send(['1', '2', 'realtime:text', 'broadcast', payload])
  expect(await wire.received(2)).toEqual([
    [null, null, 'realtime:text', 'broadcast', payload],
    replyTo('2', 'text', 'ok', {}),
  ])
})
