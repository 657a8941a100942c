// The comparison with an original server: what counts as a difference, variables, emails, and its arguments.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  fill,
  fillText,
  save,
  signToken,
  type Exchange,
} from '../../scripts/compatibility/compare/conversation.ts'
import { compareWith } from '../../scripts/compatibility/compare/main.ts'
import { compareExchanges } from '../../scripts/compatibility/compare/differences.ts'
import { openMailSink, readMail } from '../../scripts/compatibility/compare/mail-sink.ts'
import { withMirror } from '../../scripts/compatibility/compare/mirror.ts'
import { describeRows, groupDifferences } from '../../scripts/compatibility/compare/report.ts'
import { runConversations } from '../../scripts/compatibility/compare/run.ts'
import { KNOWN_OF_AUTH } from '../../scripts/compatibility/compare/auth/index.ts'
import { connectOriginal } from '../../scripts/compatibility/compare/servers.ts'
import { runTool } from '../../scripts/tool.ts'
import { ranScript } from '../harness/command.ts'

const OURS = 'http://127.0.0.1:1111/auth/v1'
const THEIRS = 'http://127.0.0.1:9999'
const sides = () => ({ bases: [OURS, THEIRS] as const, counterparts: new Map<string, string>() })
const answer = (body: unknown, headers: Record<string, string> = {}, status = 200): Exchange => ({
  status,
  headers,
  body,
})
const HEADERS = ['location', 'content-length']
const compare = (ours: unknown, theirs: unknown) =>
  compareExchanges(answer(ours), answer(theirs), sides(), HEADERS)

const [ONE, TWO] = ['6f1f1a1e-0000-4000-8000-000000000001', '6f1f1a1e-0000-4000-8000-000000000002']
const token = (claims: Record<string, unknown>) => signToken(claims, 'secret')

test.each<[string, unknown, unknown]>([
  ['ids', { id: ONE }, { id: TWO }],
  ['times', { at: '2026-11-26T10:00:00.1Z' }, { at: '2026-11-26T10:00:01.123456Z' }],
  ['seconds of a clock', { expires_at: 1_000 }, { expires_at: 1_002 }],
  ['seconds that are left', { expires_in: 3_600 }, { expires_in: 3_599 }],
  ['refresh tokens', { refresh_token: 'abcdefghijkl' }, { refresh_token: 'mnopqrstuvw2' }],
  ['claims of a token', { token: token({ sub: ONE, iat: 5 }) }, { token: token({ sub: TWO, iat: 6 }) }],
  [
    'the URL of the server',
    `${OURS}/verify?token=ab12&type=signup`,
    `${THEIRS}/verify?type=signup&token=cd34`,
  ],
  ['waiting times', { msg: 'only after 58 seconds.' }, { msg: 'only after 59 seconds.' }],
  ['signed paths', `/sign/a?token=${token({ iat: 5 })}`, `/sign/a?token=${token({ iat: 6 })}`],
  ['dates of HTTP', 'Fri, 27 Nov 2026 05:58:29 GMT', 'Fri, 27 Nov 2026 05:58:30 GMT'],
  ['ids in a text', { msg: `no user ${ONE}` }, { msg: `no user ${TWO}` }],
])('%s that are new each time are no difference', (_what, ours, theirs) => {
  expect(compare(ours, theirs)).toEqual([])
})

test.each<[string, unknown, unknown, object]>([
  ['a value', { role: 'a' }, { role: 'b' }, { what: 'body.role', ours: 'a', theirs: 'b' }],
  ['a type', { n: 1 }, { n: '1' }, { what: 'body.n', ours: '1', theirs: '"1"' }],
  ['a missing field', {}, { n: null }, { what: 'body.n', ours: 'absent', theirs: 'null' }],
  ['a missing item', [], [5], { what: 'body.0', ours: 'absent', theirs: '5' }],
  [
    'a claim',
    { token: token({ aal: 'aal1' }) },
    { token: token({ aal: 'aal2' }) },
    { what: 'body.token (claims).aal' },
  ],
  ['a parameter', `${OURS}/v?type=a`, `${THEIRS}/v?type=b`, { what: 'body.?.type', ours: 'a', theirs: 'b' }],
  ['a place', `${OURS}/v`, `${THEIRS}/w`, { what: 'body.place', ours: '<server>/v', theirs: '<server>/w' }],
  ['a fragment', `${OURS}/x#a=1`, `${THEIRS}/x#a=2`, { what: 'body.#.a', ours: '1', theirs: '2' }],
  [
    'a form',
    { email_otp: '123456' },
    { email_otp: '12345678' },
    { what: 'body.email_otp', ours: '6 digits' },
  ],
  ['a zone', { at: '2026-11-26T10:00:00Z' }, { at: '2026-11-26T10:00:00+00:00' }, { what: 'body.at' }],
  ['a code of an error', { code: 'NoSuchKey' }, { code: 'InvalidKey' }, { what: 'body.code' }],
  ['a lifetime', { expires_in: 3_600 }, { expires_in: 3_590 }, { what: 'body.expires_in' }],
  ['a clock', { expires_at: 1_000 }, { expires_at: 1_100 }, { what: 'body.expires_at' }],
])('%s is a difference', (_what, ours, theirs, difference) => {
  expect(compare(ours, theirs)).toEqual([expect.objectContaining(difference)])
})

test('an id must stay the same thing in a conversation', () => {
  const shared = sides()
  const step = (ours: unknown, theirs: unknown) =>
    compareExchanges(answer(ours), answer(theirs), shared, HEADERS)
  expect(step({ id: ONE }, { id: TWO })).toEqual([])
  expect(step({ user_id: ONE }, { user_id: TWO })).toEqual([])
  expect(step({ user_id: ONE }, { user_id: ONE.replace('6f', '7f') })).toHaveLength(1)
  expect(step({ user_id: ONE.replace('6f', '8f') }, { user_id: TWO })).toHaveLength(1)
})

test('status and the headers that clients read are compared', () => {
  const ours = answer('', { location: `${OURS}/a`, 'x-powered-by': 'one' }, 302)
  const theirs = answer('', { location: `${THEIRS}/b`, 'x-powered-by': 'two' }, 303)
  expect(compareExchanges(ours, theirs, sides(), HEADERS)).toEqual([
    { what: 'status', ours: '302', theirs: '303' },
    { what: 'header location.place', ours: '<server>/a', theirs: '<server>/b' },
  ])
})

test('a length counts only where there is no body', () => {
  const sized = (length: string, body: string) => answer(body, { 'content-length': length })
  expect(compareExchanges(sized('5', 'a'), sized('6', 'a'), sides(), HEADERS)).toEqual([])
  expect(compareExchanges(sized('5', ''), sized('6', ''), sides(), HEADERS)).toHaveLength(1)
})

test('variables are filled in and saved', () => {
  const variables = new Map([['name', 'Ann']])
  expect(fill({ a: ['{{name}}', 5, null], b: '{{none}}' }, variables, 0)).toEqual({
    a: ['Ann', 5, null],
    b: 'missing-none',
  })
  variables.set('secret', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(fillText('{{totp:secret}}', variables, 59_000)).toBe('287082')
  expect(fillText('{{totp:none}}', variables, 0)).toBe('missing-none')
  expect(fillText('{{base64:{{name}} B}}', variables, 0)).toBe('QW5uIEI=')
  const places = { id: 'users.0.id', code: 'location:code', token: 'location:token', none: 'users.5.id' }
  const headers = { location: 'https://app.test/?code=1#token=2' }
  save(
    { method: 'GET', path: '/', save: places },
    { status: 200, headers, body: { users: [{ id: 'a' }] } },
    variables,
    OURS,
  )
  expect(Object.fromEntries(variables)).toMatchObject({ id: 'a', code: '1', token: '2' })
  expect(variables.has('none')).toBe(false)
})

test('an email has a code in its subject and a link', () => {
  const source = [
    'Subject: 123456 is the code',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<a href=3D"http://127.0.0.1:9999/verify?token=3Dab&amp;type=3Dsig=',
    'nup">Confirm</a>',
  ].join('\n')
  const link = 'http://127.0.0.1:9999/verify?token=ab&type=signup'
  expect(readMail('ann@compare.test', source)).toEqual({ to: 'ann@compare.test', code: '123456', link })
  expect(readMail('ann@compare.test', '')).toEqual({ to: 'ann@compare.test', code: '', link: '' })
})

test('the sink receives emails by SMTP', async () => {
  const sink = await openMailSink(0)
  const socket = connect(sink.port, '127.0.0.1')
  const lines = [
    'EHLO me',
    'MAIL FROM:<a@b.test>',
    'RCPT TO:<ann@compare.test>',
    'DATA',
    'Subject: 1 code',
    '',
  ]
  socket.write([...lines, '..dots', '.', 'QUIT', ''].join('\r\n'))
  expect(await sink.take('ann@compare.test')).toEqual({ to: 'ann@compare.test', code: '1', link: '' })
  sink.close()
})

test('both servers are sent the same conversation, each with its own variables', async () => {
  const serve = async (id: string, role: string) => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      const isLast = request.url === `/users/${id}` && request.headers.authorization === `Bearer ${id}`
      response.end(JSON.stringify(isLast ? { role } : { id }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    return { server: connectOriginal(`http://127.0.0.1:${port}`, undefined), close: () => server.close() }
  }
  const [ours, theirs] = [await serve(ONE, 'a'), await serve(TWO, 'b')]
  const steps = [
    { method: 'POST', path: '/users', body: {}, save: { id: 'id' } },
    { method: 'GET', path: '/users/{{id}}', as: 'id' },
  ]
  const suite = { conversations: [{ name: 'users', steps }], firstVariables: () => ({}), headers: HEADERS }
  const result = await runConversations(suite, [ours.server, theirs.server])
  ours.close()
  theirs.close()
  const step = '2. GET /users/{{id}}'
  const difference = { conversation: 'users', step, what: 'body.role', ours: 'a', theirs: 'b' }
  expect(result).toEqual({ requests: 2, found: [difference] })
  expect(groupDifferences('open', [difference, { ...difference, step: '3. GET /' }], [])).toEqual([
    expect.objectContaining({ where: `users: ${step}`, more: 1, what: 'body.role', reason: undefined }),
  ])
})

test('a mirror answers as ours and sends the original its own ids', async () => {
  const serve = async (id: string) => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/auth/v1/plain') || request.url === '/rest/v1/')
        return response.end('text')
      const isKnown = request.url?.endsWith(id) && request.headers.authorization === `Bearer ${id}`
      response.writeHead(isKnown || request.method === 'POST' ? 200 : 404, {
        'content-type': 'application/json',
      })
      return response.end(JSON.stringify({ id }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
  }
  const [ours, theirs] = [await serve(ONE), await serve(TWO)]
  const options = {
    port: 0,
    ours: ours.url,
    service: '/auth/v1',
    theirs: theirs.url,
    headers: [],
    name: 'suite',
  }
  const { result, comparison } = await withMirror(options, async url => {
    const created = (await (await fetch(`${url}/auth/v1/users`, { method: 'POST' })).json()) as { id: string }
    const headers = { authorization: `Bearer ${created.id}` }
    const found = await fetch(`${url}/auth/v1/users/${created.id}`, { headers })
    const plain = await fetch(`${url}/auth/v1/plain`)
    const other = await fetch(`${url}/rest/v1/`)
    return [created.id, found.status, await plain.text(), await other.text()]
  })
  ours.close()
  theirs.close()
  expect(result).toEqual([ONE, 200, 'text', 'text'])
  expect(comparison.requests).toBe(3)
  expect([...new Set(comparison.found.map(({ step }) => step))]).toEqual(['3. GET /plain'])
  expect(comparison.found[0]).toMatchObject({
    conversation: 'suite',
    what: 'status',
    ours: '200',
    theirs: '404',
  })
})

test('rows name variables without the braces', () => {
  const difference = { conversation: 'users', what: 'status', ours: '200', theirs: '404' }
  const rows = groupDifferences('open', [{ ...difference, step: '2. GET /users/{{id}}' }], [])
  expect(describeRows(rows)).toBe('open | users: 2. GET /users/:id | status | 200 | 404 | to be examined')
})

test('differences with the same reason are one row', () => {
  const difference = { conversation: 'emails too soon', step: '2. POST /otp', ours: '59', theirs: 'absent' }
  const found = [
    { ...difference, what: 'header retry-after' },
    { ...difference, what: 'header retry-after', ours: '57' },
    { ...difference, what: 'status', ours: '429', theirs: '400' },
  ]
  const rows = groupDifferences('closed', found, KNOWN_OF_AUTH)
  expect(rows.map(({ what, more, reason }) => [what, more, reason])).toEqual([
    ['header retry-after', 1, 'tells clients how long to wait'],
    ['status', 0, undefined],
  ])
})

test.each([
  [[], 'The URL of an original is missing'],
  [['--auth', 'ftp://a'], '--auth must be an http URL'],
  [['--auth', 'http://127.0.0.1:1', '--profile', 'wide'], 'Unknown profile: wide'],
  [['--auth', 'http://127.0.0.1:1', '--profile', 'open', '--smtp-port', 'x'], '--smtp-port must be a port'],
  [['--auth', 'http://127.0.0.1:1', '--profile', 'open', '--smtp-port', '2599'], "can't be reached"],
  [['--storage', 'ftp://a'], '--storage must be an http URL'],
  [['--storage', 'http://127.0.0.1:1'], "The original's database is missing"],
  [['--storage', 'http://127.0.0.1:1', '--database', 'postgres://a'], "can't be reached"],
  [['--environment', 'wide'], 'Unknown profile: wide'],
  [['--environment', 'auth-js'], 'The checkout of supabase-js is missing'],
  [['--auth', 'http://127.0.0.1:1', '--supabase-js', 'tests'], 'There is no checkout of supabase-js in'],
  [['--nonsense'], "Unknown option '--nonsense'"],
])('compare rejects %j with the usage', async (args, words) => {
  const { code, err } = await ranScript(() => compareWith(args))
  expect(err).toContain(words)
  expect(err).toContain('Usage: npm run compatibility -- compare')
  expect(code).toBe(2)
})

test('`npm run compatibility` passes the arguments of its command on', async () => {
  const { code, output } = await runTool('node', ['scripts/compatibility/main.ts', 'compare', '--nonsense'])
  expect(output).toContain('Usage: npm run compatibility -- compare')
  expect(code).toBe(2)
})

test.each([[['--profile', 'open']], [['--supabase-js', 'CHECKOUT']]])(
  'an original that has users keeps them, with %j',
  async given => {
    const checkout = await mkdtemp(join(tmpdir(), 'chartroom-'))
    await mkdir(join(checkout, 'packages/core/auth-js'), { recursive: true })
    const methods: (string | undefined)[] = []
    const server = createServer((request, response) => {
      methods.push(request.method)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ users: methods.includes('DELETE') ? [] : [{ id: ONE }] }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const rest = given.map(word => (word === 'CHECKOUT' ? checkout : word))
    const args = ['--auth', url, '--smtp-port', '2598', ...rest]
    const { code, err } = await ranScript(() => compareWith(args))
    server.close()
    await rm(checkout, { recursive: true })
    expect(err).toContain('has users. Compare with an empty database.')
    expect(code).toBe(2)
    expect(methods).toEqual(['GET'])
  },
)
