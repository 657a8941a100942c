// Whatever a client sends, its own socket responds or closes, and other clients are not affected.
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { joinTopic, openSocket, QUIET, replyTo, type WireSocket } from '../../harness/wire-socket.ts'

const LIMIT = 1_000_000
const backend = await startTestBackend({
  realtime: {
    maxEventsPerSecond: LIMIT,
    maxJoinsPerSecond: LIMIT,
    maxPresenceEventsPerSecond: LIMIT,
    maxClientPresenceEventsPerWindow: LIMIT,
    maxConcurrentUsers: LIMIT,
  },
})

const word = fc.oneof(
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    'toString',
    '\0',
    '\ud800',
    'a'.repeat(300),
    '⚓',
    'phoenix',
  ),
  anyText({ maxLength: 12 }),
)
const value = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, true, -0, 1e308, {}, []))
const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'phx_join',
      'phx_join',
      'phx_join',
      'phx_join',
      'phx_leave',
      'broadcast',
      'presence',
      'access_token',
      'heartbeat',
      'phx_close',
      'phx_error',
      'phx_reply',
      'system',
      'postgres_changes',
    ),
  },
  { weight: 1, arbitrary: word },
)
const topic = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('realtime:a', 'realtime:b') },
  { weight: 1, arbitrary: fc.constantFrom('realtime:', 'realtime', 'phoenix') },
  { weight: 1, arbitrary: word.map(name => `realtime:${name}`) },
)
const flag = fc.oneof(fc.boolean(), value)
const change = fc.record(
  {
    event: value,
    schema: fc.oneof(fc.constant('public'), value),
    table: fc.oneof(fc.constant('vessels'), value),
    filter: value,
    select: value,
  },
  { requiredKeys: [] },
)
const config = fc.record(
  {
    private: flag,
    broadcast: fc.oneof(
      fc.record(
        {
          ack: flag,
          self: flag,
          replay: fc.oneof(value, fc.record({ since: value, limit: value })),
          replication_ready: flag,
        },
        { requiredKeys: [] },
      ),
      value,
    ),
    presence: fc.oneof(fc.record({ key: value, enabled: flag }, { requiredKeys: [] }), value),
    postgres_changes: fc.oneof(fc.array(fc.oneof(change, value), { maxLength: 3 }), value),
  },
  { requiredKeys: [] },
)
/** Mostly none, because few joins with a token would succeed. */
const token = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })
const payload = fc.oneof(
  fc.record(
    { config: fc.oneof(config, value), access_token: token, user_token: token },
    { requiredKeys: [] },
  ),
  fc.record(
    { type: value, event: fc.oneof(fc.constantFrom('track', 'untrack', 'Track'), value), payload: value },
    { requiredKeys: [] },
  ),
  value,
)
const ref = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(null, '1') }, { weight: 1, arbitrary: value })
type Version = '1.0.0' | '2.0.0'
const asText = (version: Version, [join_ref, ref, topic, event, payload]: readonly unknown[]) =>
  JSON.stringify(
    version === '2.0.0' ? [join_ref, ref, topic, event, payload] : { join_ref, ref, topic, event, payload },
  )
/** Well-formed frames with arbitrary contents. */
const wellFormed = fc
  .tuple(ref, ref, topic, event, payload)
  .map(frame => (version: Version) => asText(version, frame))
const textFrame = fc.oneof(
  wellFormed.map(write => write('2.0.0')),
  anyText(),
  fc.json(),
)
const field = fc.oneof(topic, word, fc.constant('1')).map(text => Buffer.from(text).subarray(0, 255))
const binaryFrame = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(0, 3, 4, 1, 255),
      fc.array(field, { maxLength: 5 }),
      fc.nat(2),
      fc.uint8Array({ maxLength: 30 }),
    )
    .map(([kind, fields, encoding, body]) =>
      Buffer.concat([Uint8Array.from([kind, ...fields.map(one => one.length), encoding]), ...fields, body]),
    ),
  fc.uint8Array({ maxLength: 60 }),
)
/** A frame with a part removed, duplicated or overwritten. */
const mutated = fc
  .tuple(
    fc.oneof(
      textFrame.map(text => Buffer.from(text)),
      binaryFrame,
    ),
    fc.nat(200),
    fc.nat(20),
    fc.uint8Array({ maxLength: 4 }),
  )
  .map(([bytes, at, length, patch]) =>
    Buffer.concat([bytes.subarray(0, at), patch, bytes.subarray(at + length)]),
  )

/** Waits until the socket answers a heartbeat or is closed, and returns which. */
async function fateOf(wire: WireSocket, version: Version): Promise<string> {
  wire.send(JSON.parse(asText(version, [null, 'last beat', 'phoenix', 'heartbeat', {}])))
  const isAnswered = () => JSON.stringify(wire.frames).includes('"last beat"')
  await vi.waitFor(() => expect(isAnswered() || wire.socket.readyState !== wire.socket.OPEN).toBe(true), {
    interval: 5,
  })
  return isAnswered() ? 'answers' : `closed with ${await wire.closed}`
}

test('survives random and broken frames of both versions', { timeout: 60_000 }, async () => {
  const bystander = await openSocket(backend)
  await joinTopic(bystander, 'bystander', { ...QUIET, broadcast: { ack: true } })
  const frame = fc.oneof(
    { weight: 6, arbitrary: wellFormed },
    { weight: 1, arbitrary: fc.oneof(textFrame, binaryFrame, mutated).map(data => () => data) },
  )
  const frames = fc.array(frame, { minLength: 1, maxLength: 25 })
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<Version[]>('1.0.0', '2.0.0'), frames, async (version, list) => {
      const wire = await openSocket(backend, `vsn=${version}`)
      for (const write of list) wire.socket.send(write(version))
      // Invalid UTF-8 in text violates the WebSocket protocol itself.
      expect(['answers', 'closed with 1007']).toContain(await fateOf(wire, version))
      wire.socket.terminate()
      runs += 1
      bystander.send(['1', `${runs}`, 'realtime:bystander', 'broadcast', { event: 'hail', payload: {} }])
      await vi.waitFor(() => expect(bystander.frames).toHaveLength(runs), { interval: 5 })
    }),
    { numRuns: 60 },
  )
  expect(bystander.frames.at(-1)).toEqual(replyTo(`${runs}`, 'bystander', 'ok', {}))
})

test('random bodies and paths of the HTTP API never cause a server error', async () => {
  const path = fc.oneof(
    fc.constant('/broadcast'),
    fc.tuple(word, word).map(([one, two]) => `/broadcast/${encode(one)}/events/${encode(two)}`),
  )
  const message = fc.record(
    { topic: value, event: value, payload: value, private: flag, id: value },
    { requiredKeys: [] },
  )
  const body = fc.oneof(
    fc.array(message, { maxLength: 3 }).map(messages => JSON.stringify({ messages })),
    fc.json(),
    anyText(),
  )
  const type = fc.constantFrom('application/json', 'application/octet-stream', 'text/plain')
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(path, body, type, fc.boolean(), async (place, text, contentType, isPrivate) => {
      const address = `${backend.url}/realtime/v1/api${place}${isPrivate ? '?private=true' : ''}`
      const headers = { apikey: backend.publishableKey, 'content-type': contentType }
      const response = await fetch(address, { method: 'POST', body: text, headers })
      await response.arrayBuffer()
      statuses.add(response.status)
    }),
    { numRuns: 150 },
  )
  expect([...statuses].filter(status => ![202, 400, 403, 404, 415, 422].includes(status))).toEqual([])
  expect(statuses.has(202)).toBe(true)
})

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
