// Refused joins: each with the original's code and message.
import { SignJWT, type JWTPayload } from 'jose'
import { expect, test, vi } from 'vitest'
import { CLI_KEYS } from '../../../backend/keys/index.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { closing, joinTopic, openSocket, QUIET, replyTo, systemSays } from '../../harness/wire-socket.ts'

const clock = { at: 1_800_000_000_000, now: () => clock.at }
const backend = await startTestBackend({ keys: 'cli', clock, realtime: { maxChangesPerJoin: 2 } })
const seconds = () => Math.floor(clock.at / 1_000)

function sign(claims: JWTPayload, secret = CLI_KEYS.jwtSecret): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))
}

/** A token that claims an algorithm but has no valid signature. */
function unsigned(header: object): string {
  const parts = [header, { role: 'anon', exp: seconds() + 60 }]
  return `${parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.c2ln`
}

const good = () => sign({ role: 'authenticated', exp: seconds() + 60 })
const MALFORMED = 'MalformedJWT: The token provided is not a valid JWT'
const SIGNER = 'check your JWT secret or JWKS configuration'

test.each<[string, () => Promise<string> | string, string]>([
  [
    'is over',
    () => sign({ role: 'anon', exp: seconds() - 30 }),
    'InvalidJWTToken: Token has expired 30 seconds ago',
  ],
  ['is malformed', () => 'ahoy', MALFORMED],
  ['is empty', () => '', MALFORMED],
  [
    'has no role',
    () => sign({ exp: seconds() + 60 }),
    'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
  ],
  [
    'never ends',
    () => sign({ role: 'anon' }),
    'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
  ],
  [
    'is signed by another key',
    () => sign({ role: 'anon', exp: seconds() + 60 }, 'x'.repeat(40)),
    'JwtSignatureError: Failed to validate JWT signature',
  ],
  [
    'is not signed',
    () => unsigned({ alg: 'none' }),
    `JwtSignerError: Failed to generate JWT signer, ${SIGNER}`,
  ],
  [
    'is signed by an unknown key',
    () => unsigned({ alg: 'ES256', kid: 'k' }),
    `JwtSignerError: Failed to generate JWT signer for key ID (kid) "k", ${SIGNER}`,
  ],
])('a join with a token that %s', async (_name, token, reason) => {
  const wire = await openSocket(backend)
  const answer = await joinTopic(wire, 'deck', QUIET, { access_token: await token() })
  expect(answer).toEqual(replyTo('1', 'deck', 'error', { reason }))
})

test.each<[string, unknown, string]>([
  [
    'a payload that is not an object',
    'ahoy',
    'UnknownErrorOnChannel: The payload of a join must be an object',
  ],
  [
    'changes that are not objects',
    { config: { postgres_changes: [4] } },
    'UnknownErrorOnChannel: Each postgres_changes entry must be an object',
  ],
  [
    'too many changes',
    { config: { postgres_changes: [{}, {}, {}] } },
    'InvalidJoinPayload: More than 2 postgres_changes',
  ],
  [
    'a replay on a public topic',
    { config: { broadcast: { replay: { since: 0 } } } },
    'UnableToReplayMessages: Replay is not allowed for public channels',
  ],
])('a join with %s', async (_name, payload, reason) => {
  const wire = await openSocket(backend)
  wire.send(['1', '1', 'realtime:deck', 'phx_join', payload])
  expect(await wire.received(1)).toEqual([replyTo('1', 'deck', 'error', { reason })])
})

test('a topic requires a name', async () => {
  const wire = await openSocket(backend)
  const reason = 'TopicNameRequired: You must provide a topic name'
  expect(await joinTopic(wire, '')).toEqual(replyTo('1', '', 'error', { reason }))
})

test.each([
  ['nothing', {}],
  ['null', { config: null, access_token: null }],
  [
    'fields of wrong types',
    { config: { broadcast: 4, presence: { enabled: 'False' }, private: [] }, access_token: 7 },
  ],
  [
    'flags as strings',
    { config: { private: 'FALSE', presence: { enabled: 'false' }, broadcast: { ack: 'TRUE' } } },
  ],
  ['an API key as its token', { config: QUIET, access_token: backend.publishableKey }],
  ['the token under its old name', { config: QUIET, user_token: await good() }],
])('accepts a join with %s', async (_name, payload) => {
  const wire = await openSocket(backend)
  wire.send(['1', '1', 'realtime:deck', 'phx_join', payload])
  const joined = replyTo('1', 'deck', 'ok', { postgres_changes: [] })
  await vi.waitFor(() => expect(wire.frames[0]).toEqual(joined))
})

test('the response repeats the requested changes with ids', async () => {
  const wire = await openSocket(backend)
  const wanted = [
    { event: 'INSERT', schema: 'public', table: 'vessels' },
    { event: '*', schema: 'public', table: 'log_entries', filter: 'sea_state=gt.3', extra: [1] },
  ]
  const answer = await joinTopic(wire, 'rows', { ...QUIET, postgres_changes: [...wanted, null] })
  const changes = wanted.map(one => ({ ...one, id: expect.any(Number) }))
  expect(answer).toEqual(replyTo('1', 'rows', 'ok', { postgres_changes: changes }))
  expect(await wire.received(1)).toEqual([
    systemSays('rows', 'ok', 'Subscribed to PostgreSQL', 'postgres_changes'),
  ])
})

test('an empty change request gives a system message', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'rows', { ...QUIET, postgres_changes: [{ event: '*' }] })
  const words =
    'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to'
  expect(await wire.received(1)).toEqual([
    systemSays('rows', 'error', `${words}: {"event":"*"}`, 'postgres_changes'),
  ])
})

test('an expired token closes its channel, and no other of the socket', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'deck', QUIET, { access_token: await good() })
  await joinTopic(wire, 'other')
  clock.at += 60_000
  expect(await wire.received(2)).toEqual([
    systemSays('deck', 'error', 'Token has expired 0 seconds ago'),
    closing('deck'),
  ])
  wire.send(['1', '2', 'realtime:other', 'phx_leave', {}])
  expect((await wire.received(4))[2]).toEqual(replyTo('2', 'other', 'ok', {}))
})

test('a new token keeps the channel open', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'deck', QUIET, { access_token: await good() })
  clock.at += 59_000
  wire.send(['1', null, 'realtime:deck', 'access_token', { access_token: await good() }])
  wire.send(['1', '2', 'realtime:deck', 'presence', { event: 'untrack' }])
  await wire.received(1)
  clock.at += 59_000
  wire.send(['1', '3', 'realtime:deck', 'presence', { event: 'untrack' }])
  expect(await wire.received(2)).toEqual([replyTo('2', 'deck', 'ok', {}), replyTo('3', 'deck', 'ok', {})])
  clock.at += 1_000
  expect((await wire.received(4)).slice(2)).toEqual([
    systemSays('deck', 'error', 'Token has expired 0 seconds ago'),
    closing('deck'),
  ])
})

test.each<[string, () => Promise<string> | string, string]>([
  ['has expired', () => sign({ role: 'anon', exp: seconds() - 5 }), 'Token has expired 5 seconds ago'],
  ['is malformed', () => 'ahoy', 'The token provided is not a valid JWT'],
  ['has no role', () => sign({ exp: seconds() + 60 }), 'Fields `role` and `exp` are required in JWT'],
  [
    'is signed by another key',
    () => sign({ role: 'anon', exp: seconds() + 60 }, 'x'.repeat(40)),
    ':signature_error',
  ],
  ['is not signed', () => unsigned({ alg: 'none' }), ':error_generating_signer'],
])('a channel that receives a token that %s is closed', async (_name, token, text) => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'deck')
  wire.send(['1', null, 'realtime:deck', 'access_token', { access_token: await token() }])
  expect(await wire.received(2)).toEqual([systemSays('deck', 'error', text), closing('deck')])
})

test('a key, nothing, or the same token changes nothing on a channel', async () => {
  const wire = await openSocket(backend)
  const token = await good()
  await joinTopic(wire, 'deck', QUIET, { access_token: token })
  for (const one of ['sb_secret_wrong', null, token, 4]) {
    wire.send(['1', null, 'realtime:deck', 'access_token', { access_token: one }])
  }
  wire.send(['1', null, 'realtime:deck', 'access_token', 'ahoy'])
  wire.send(['1', '2', 'realtime:deck', 'phx_leave', {}])
  expect(await wire.received(2)).toEqual([replyTo('2', 'deck', 'ok', {}), closing('deck')])
})
