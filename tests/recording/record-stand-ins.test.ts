// Machine code that looks into a secret is replayed with a stand-in of the same form.
import { assign, createMachine } from 'xstate'
import { expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { createRedactor, standInFor, isStandIn } from '../../src/trace/index.ts'
import { readAgain } from '../harness/bare-and-recorded.ts'

const part = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url')

const CLAIMS = {
  exp: 1_800_000_000,
  iat: 1_700_000_000,
  role: 'authenticated',
  aal: 'aal1',
  sub: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  email: 'ann@c4nary.test',
  session_id: '7f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  is_anonymous: true,
  amr: [{ method: 'password', timestamp: 1_700_000_000 }],
  app_metadata: { provider: 'c4nary', 'c4nary-key': 1 },
}

const jwtOf = (claims: object) =>
  `${part({ alg: 'HS256', typ: 'JWT', kid: 'c4nary' })}.${part(claims)}.c4narySigned`
const JWT = jwtOf(CLAIMS)

const decoded = (jwt: unknown) =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as typeof CLAIMS

const session = (read: (event: Record<string, unknown>) => unknown) =>
  createMachine({
    id: 'session',
    context: { read: undefined as unknown, url: '' },
    on: {
      signIn: {
        actions: assign({
          read: ({ event }) => read(event),
          url: ({ event }) => `https://h.test/?apikey=${String(event.access_token)}&v=1`,
        }),
      },
    },
  })

async function replayed(read: (event: Record<string, unknown>) => unknown, event: object) {
  const recording = record(session(read))
  recording.start()
  recording.actor.send({ type: 'signIn', ...event })
  const text = recording.lines().join('\n')
  expect(text).not.toMatch(/c4nary/i)
  expect(JSON.stringify(recording.trace.steps)).not.toMatch(/c4nary/i)
  const systems = { session: session(read) }
  return [verify(recording.trace, systems), verify(await readAgain(recording), systems)]
}

test.each([
  ['the lifetime of a JWT', (event: Record<string, unknown>) => decoded(event['access_token']).exp],
  [
    'its role and level',
    ({ access_token: jwt }: Record<string, unknown>) => [
      decoded(jwt).role,
      decoded(jwt).aal,
      decoded(jwt).iat,
    ],
  ],
  [
    'types and forms of other claims',
    ({ access_token: jwt }: Record<string, unknown>) => {
      const { sub, email, amr, is_anonymous: isAnonymous, app_metadata: metadata } = decoded(jwt)
      return [
        typeof sub,
        sub.length,
        email.includes('@'),
        amr.length,
        typeof isAnonymous,
        typeof metadata.provider,
      ]
    },
  ],
  [
    'the prefix of a key',
    (event: Record<string, unknown>) => [
      String(event['key']).startsWith('sk_live_'),
      String(event['secretKey']).startsWith('sb_secret_'),
    ],
  ],
  [
    'the scheme of a header',
    (event: Record<string, unknown>) => String(event['authorization']).startsWith('Bearer eyJ'),
  ],
])('%s', async (_name, read) => {
  const reports = await replayed(read, {
    access_token: JWT,
    key: `sk_live_${'c4nary7Sings'.repeat(3)}`,
    secretKey: `sb_secret_${'c4nary7Sings'.repeat(3)}`,
    authorization: `Bearer ${JWT}`,
  })
  for (const report of reports) expect(report.outcome === 'exact' ? 'exact' : report).toBe('exact')
})

test('what is derived from anything else diverges, and the report names the value', async () => {
  const length = ({ password }: Record<string, unknown>) => String(password).length
  for (const report of await replayed(length, { password: 'c4nary-and-a-long-one', access_token: JWT }))
    expect(report).toMatchObject({
      outcome: 'diverged',
      hints: expect.arrayContaining([
        'a value may be derived from a redacted one: /event/password of the event signIn (#0)',
      ]) as unknown,
    })
})

test('stand-ins are not redacted again, by any redactor and in any place', () => {
  for (const secret of [JWT, `sk_live_${'a1b2'.repeat(9)}`, `sb_secret_${'a1b2'.repeat(9)}`]) {
    const standIn = standInFor(secret, 7)
    expect(isStandIn(standIn)).toBe(true)
    const value = {
      access_token: standIn,
      authorization: `Bearer ${standIn}`,
      url: `https://h.test/?apikey=${standIn}&v=1`,
      json: JSON.stringify({ apiKey: standIn }),
      text: `got ${standIn}, again`,
      headers: [['Authorization', standIn]],
    }
    expect(createRedactor().value(value)).toEqual(value)
    expect(createRedactor({ standIn: standInFor }).value(value)).toEqual(value)
  }
})

test('a policy allows more claims, or no stand-ins', () => {
  const redact = (policy: object) =>
    createRedactor({ standIn: standInFor, policy }).value({ token: JWT }).token
  expect(decoded(redact({ claims: ['sub'] }))).toEqual({
    exp: CLAIMS.exp,
    iat: CLAIMS.iat,
    role: 'authenticated',
    aal: 'aal1',
    sub: CLAIMS.sub,
    email: 'redacted-1@example.invalid',
    session_id: '00000000-0000-4000-8000-000000000001',
    is_anonymous: false,
    amr: [{ method: 'redacted-1', timestamp: 0 }],
    app_metadata: { provider: 'redacted-1' },
  })
  expect(redact({ standIns: false })).toBe('[redacted:1]')
})
