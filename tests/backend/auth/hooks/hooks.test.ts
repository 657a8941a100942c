// Auth hooks of a project: by HTTP with a signature, and as functions of the database.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startBackend } from '../../../../backend/index.ts'
import { callHttpHook } from '../../../../backend/auth/hooks/http-hook.ts'
import { readProject } from '../../../../backend/project/index.ts'
import { officialClient } from '../../../harness/backend.ts'

const HERE = { allowsOutgoing: false, toLocal: (url: string) => url }
const SECRET = Buffer.from('a secret of at least twenty-four bytes').toString('base64')

interface Call {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly body: Record<string, Record<string, string>>
}

/** An endpoint whose answers the tests choose; it reads the database, as an Edge Function would. */
const calls: Call[] = []
let answer: (call: Call, outgoing: ServerResponse) => unknown = () => ({})
const endpoint = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => void respond(chunks, incoming, outgoing))
})

async function respond(chunks: Buffer[], incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const text = Buffer.concat(chunks).toString()
  const call: Call = { path: incoming.url ?? '', headers: incoming.headers, text, body: JSON.parse(text) }
  calls.push(call)
  outgoing.setHeader('content-type', 'application/json')
  await readDatabase()
  const response = await answer(call, outgoing)
  if (response !== undefined) outgoing.end(JSON.stringify(response))
}

await new Promise<void>(done => void endpoint.listen(0, '127.0.0.1', done))
const { port } = endpoint.address() as AddressInfo
const hooks = `http://127.0.0.1:${port}`

const root = mkdtempSync(join(tmpdir(), 'chartroom-hooks-'))
let count = 0
function projectOf(files: Readonly<Record<string, string>>): string {
  const dir = join(root, String((count += 1)))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, 'supabase', name)), { recursive: true })
    writeFileSync(join(dir, 'supabase', name), text)
  }
  return dir
}

const http = (name: string) =>
  `[auth.hook.${name}]\nenabled = true\nuri = "http://host.docker.internal:${port}/${name}"\nsecrets = "v1,whsec_${SECRET}"\n`
const backend = await startBackend({
  data: 'memory',
  project: projectOf({
    'config.toml': `
[auth]
enable_anonymous_sign_ins = true
[auth.mfa.totp]
enroll_enabled = true
verify_enabled = true
[auth.email]
max_frequency = "1ms"
[auth.sms]
enable_signup = true
enable_confirmations = true
[auth.sms.test_otp]
4152127777 = "123456"
${['before_user_created', 'custom_access_token', 'mfa_verification_attempt', 'password_verification_attempt', 'send_email', 'send_sms'].map(http).join('')}`,
  }),
})
afterAll(async () => {
  await backend.stop()
  endpoint.close()
  rmSync(root, { recursive: true, force: true })
})

async function readDatabase(): Promise<void> {
  await officialClient(backend, backend.secretKey).auth.admin.listUsers()
}

const password = 'harbour-demo-1'
const claimsOf = ({ body }: Call) => ({ claims: body['claims'] })
const allow = (call: Call) => (call.path === '/custom_access_token' ? claimsOf(call) : {})

beforeEach(() => {
  calls.length = 0
  answer = allow
})

const named = (path: string) => calls.filter(call => call.path === `/${path}`)

test('a new user passes the hooks, each call once and signed; the claims are those of the hook', async () => {
  answer = call =>
    call.path === '/custom_access_token' ? { claims: { ...claimsOf(call).claims, berth: 'north' } } : {}
  const { auth } = officialClient(backend)
  const { data, error } = await auth.signUp({
    email: 'Kim@Example.test',
    password,
    options: { data: { name: 'Kim' } },
  })
  expect(error).toBeNull()
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ berth: 'north', sub: data.user?.id })
  expect(calls.map(({ path }) => path)).toEqual(['/before_user_created', '/custom_access_token'])
  const [created, token] = calls
  expect(created?.body).toEqual({
    metadata: {
      uuid: expect.any(String),
      time: expect.any(String),
      name: 'before-user-created',
      ip_address: '127.0.0.1',
    },
    user: {
      id: data.user?.id,
      aud: 'authenticated',
      role: '',
      email: 'kim@example.test',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { name: 'Kim' },
      identities: [],
      created_at: '0001-01-01T00:00:00Z',
      updated_at: '0001-01-01T00:00:00Z',
      is_anonymous: false,
    },
  })
  expect(token?.body).toMatchObject({ user_id: data.user?.id, authentication_method: 'password' })
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = created?.headers ?? {}
  const mac = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(
    `${String(id)}.${String(at)}.${created?.text}`,
  )
  expect(signature).toBe(`v1,${mac.digest('base64')}`)
  expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(60)
  await auth.refreshSession()
  expect(named('custom_access_token').at(-1)?.body).toMatchObject({ authentication_method: 'token_refresh' })
})

test('what the hook refuses does not happen', async () => {
  answer = call =>
    call.path === '/before_user_created' ? { error: { http_code: 403, message: 'Members only' } } : {}
  const { auth } = officialClient(backend)
  const refused = await auth.signUp({ email: 'lou@example.test', password })
  expect(refused.error).toMatchObject({ status: 403, message: 'Members only' })
  expect((await auth.signInAnonymously()).error).toMatchObject({ status: 403, message: 'Members only' })
  const { admin } = officialClient(backend, backend.secretKey).auth
  const made = await admin.createUser({ email: 'lou@example.test', password, email_confirm: true })
  expect(made.error).toBeNull()
  answer = call => (call.path === '/custom_access_token' ? { claims: { sub: 7 } } : {})
  const signIn = await auth.signInWithPassword({ email: 'lou@example.test', password })
  expect(signIn.error?.status).toBe(500)
  expect(signIn.error?.message).toBe(
    `output claims do not conform to the expected schema: \n${['aud', 'exp', 'iat', 'email', 'phone', 'role', 'aal', 'session_id', 'is_anonymous'].map(name => `- (root): ${name} is required\n`).join('')}- sub: Invalid type. Expected: string, given: integer\n`,
  )
  answer = () => ({})
  expect((await auth.signInWithPassword({ email: 'lou@example.test', password })).error?.message).toBe(
    'output claims field is missing',
  )
})

test('emails and text messages are sent by the hook, with codes that work', async () => {
  const { auth } = officialClient(backend)
  await auth.signUp({ email: 'max@example.test', password })
  await auth.signOut()
  calls.length = 0
  await auth.signInWithOtp({ email: 'max@example.test' })
  const [mail] = named('send_email')
  expect(mail?.body).toMatchObject({
    user: { email: 'max@example.test' },
    email_data: {
      email_action_type: 'magiclink',
      redirect_to: expect.any(String),
      site_url: `${backend.url}/auth/v1`,
      token_new: '',
      token_hash_new: '',
    },
  })
  const { token = '', token_hash: hash = '' } = mail?.body['email_data'] ?? {}
  expect(backend.inbox.messages()).toEqual([])
  expect((await auth.verifyOtp({ email: 'max@example.test', token, type: 'email' })).error).toBeNull()
  const changed = await auth.updateUser({ email: 'max2@example.test' })
  expect(changed.error).toBeNull()
  expect(named('send_email').at(-1)?.body['email_data']).toMatchObject({
    email_action_type: 'email_change',
    token: expect.stringMatching(/^\d{6}$/),
    token_new: expect.stringMatching(/^\d{6}$/),
    token_hash_new: expect.not.stringMatching(hash),
  })
  const phone = '4152120000'
  expect((await auth.signInWithOtp({ phone })).error).toBeNull()
  const [sms] = named('send_sms')
  expect(sms?.body).toMatchObject({ user: { phone }, sms: { otp: expect.stringMatching(/^\d{6}$/), phone } })
  const code = sms?.body['sms']?.['otp'] ?? ''
  expect((await auth.verifyOtp({ phone, token: code, type: 'sms' })).error).toBeNull()
  answer = call =>
    call.path === '/send_sms' ? { error: { http_code: 422, message: 'No credit' } } : allow(call)
  expect((await auth.signInWithOtp({ phone: '4152120001' })).error).toMatchObject({
    status: 422,
    message: 'No credit',
  })
  const { admin } = officialClient(backend, backend.secretKey).auth
  expect((await admin.listUsers()).data.users.map(user => user.phone)).not.toContain('4152120001')
  calls.length = 0
  await auth.signInWithOtp({ phone: '4152127777' })
  expect(named('send_sms')).toEqual([])
})

test('the hooks see each attempt of a password and a second factor, and can reject it', async () => {
  const { auth } = officialClient(backend)
  const email = 'noa@example.test'
  await auth.signUp({ email, password })
  calls.length = 0
  await auth.signInWithPassword({ email, password: 'wrong-password' })
  const { data } = await auth.signInWithPassword({ email, password })
  expect(named('password_verification_attempt').map(({ body }) => [body['user_id'], body['valid']])).toEqual([
    [data.user?.id, false],
    [data.user?.id, true],
  ])
  const enrolled = await auth.mfa.enroll({ factorType: 'totp' })
  const factorId = enrolled.data?.id ?? ''
  const secret = enrolled.data?.type === 'totp' ? enrolled.data.totp.secret : ''
  await auth.mfa.challengeAndVerify({ factorId, code: '000000' })
  await auth.mfa.challengeAndVerify({ factorId, code: new TOTP({ secret }).generate() })
  expect(
    named('mfa_verification_attempt').map(({ body }) => [
      body['factor_id'],
      body['factor_type'],
      body['valid'],
    ]),
  ).toEqual([
    [factorId, 'totp', false],
    [factorId, 'totp', true],
  ])
  answer = call =>
    call.path.endsWith('_attempt') ? { decision: 'reject', message: 'Too often' } : allow(call)
  const rejected = await auth.mfa.challengeAndVerify({ factorId, code: '000000' })
  expect(rejected.error).toMatchObject({
    status: 403,
    code: 'mfa_verification_rejected',
    message: 'Too often',
  })
  expect((await auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await auth.signInWithPassword({ email, password })).error).toMatchObject({
    status: 400,
    code: 'invalid_credentials',
    message: 'Too often',
  })
})

test('an endpoint that fails gives the status and code of the official server', async () => {
  const call = async (path: string, act: typeof answer) => {
    answer = act
    calls.length = 0
    const hook = { url: `${hooks}/${path}`, secrets: [SECRET] }
    const result = await callHttpHook(hook, '{}', HERE, { timeoutMs: 1_500, backoffMs: 10 }).catch(
      (error: unknown) => error,
    )
    const { status, code, message } = result as { status: number; code: string; message: string }
    return [status, code, message, calls.length]
  }
  const respond =
    (status: number, headers: Record<string, string> = {}, body = '') =>
    (_: Call, outgoing: ServerResponse) => {
      outgoing.removeHeader('content-type')
      outgoing.writeHead(status, headers).end(body)
    }
  expect(await call('a', respond(500))).toEqual([
    500,
    'unexpected_failure',
    'Unexpected status code returned from hook: 500',
    1,
  ])
  expect(await call('a', respond(400))).toEqual([
    500,
    'unexpected_failure',
    'Invalid payload sent to hook',
    1,
  ])
  expect(await call('a', respond(401))).toEqual([
    500,
    'unexpected_failure',
    'Hook requires authorization token',
    1,
  ])
  expect(await call('a', respond(503))).toEqual([
    500,
    'unexpected_failure',
    'Service currently unavailable due to hook',
    1,
  ])
  expect(await call('a', respond(429, { 'retry-after': '1' }))).toEqual([
    500,
    'unexpected_failure',
    'Service currently unavailable due to hook',
    3,
  ])
  expect(await call('a', respond(200, { 'content-type': 'text/plain' }, 'ok'))).toEqual([
    400,
    'hook_payload_invalid_content_type',
    'Invalid JSON response. Received content-type: text/plain',
    1,
  ])
  expect(
    await call('a', respond(200, { 'content-type': 'application/json' }, `"${'x'.repeat(210_000)}"`)),
  ).toEqual([422, 'hook_payload_over_size_limit', 'Payload size exceeded size limit of 204800 bytes', 1])
  const endless = (_: Call, outgoing: ServerResponse) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' }).write('x'.repeat(210_000))
  }
  expect((await call('a', endless))[1]).toBe('hook_payload_over_size_limit')
  expect(await call('a', () => undefined)).toEqual([
    422,
    'hook_timeout',
    'Failed to reach hook within maximum time of 1.500000 seconds',
    1,
  ])
  expect(await call('a', (_, outgoing) => void outgoing.destroy())).toEqual([
    422,
    'hook_timeout_after_retry',
    'Failed to reach hook after maximum retries',
    3,
  ])
})

const SQL = `
create function public.claims(event jsonb) returns jsonb language plpgsql stable as $$
begin
  return jsonb_set(event, '{claims,role_was}', to_jsonb(current_user::text));
end $$;
grant execute on function public.claims to supabase_auth_admin;
create function public.admit(event jsonb) returns jsonb language plpgsql as $$
begin
  if event->'user'->>'email' like '%@blocked.test' then
    return jsonb_build_object('error', jsonb_build_object('http_code', 400, 'message', 'Blocked'));
  elsif event->'user'->>'email' like '%@fails.test' then
    raise exception 'no such table';
  end if;
  return '{}';
end $$;
revoke execute on function public.admit from public;
grant execute on function public.admit to supabase_auth_admin;`

test('hooks can be functions of the database, which run as the auth server', async () => {
  const own = await startBackend({
    data: 'memory',
    project: projectOf({
      'migrations/1_hooks.sql': SQL,
      'config.toml': `
[auth.hook.before_user_created]
enabled = true
uri = "pg-functions://postgres/public/admit"
[auth.hook.custom_access_token]
enabled = true
uri = "pg-functions://postgres/public/claims"`,
    }),
  })
  try {
    const { auth } = officialClient(own)
    const signUp = (email: string) => auth.signUp({ email, password })
    const { data } = await signUp('kim@example.test')
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ role_was: 'supabase_auth_admin' })
    expect((await signUp('kim@blocked.test')).error).toMatchObject({ status: 400, message: 'Blocked' })
    expect((await signUp('kim@fails.test')).error).toMatchObject({
      status: 500,
      message: 'Error running hook URI: pg-functions://postgres/public/admit',
    })
  } finally {
    await own.stop()
  }
})

const hook = (lines: string) => `[auth.hook.send_email]\nenabled = true\n${lines}`
test.each([
  [hook(''), 'config.toml:2: auth.hook.send_email.enabled needs a uri'],
  [hook('uri = "ftp://localhost/a"'), 'config.toml:3: auth.hook.send_email.uri must be "pg-functions://'],
  [
    hook('uri = "pg-functions://postgres/public"'),
    'config.toml:3: auth.hook.send_email.uri must be "pg-functions://',
  ],
  [
    hook('uri = "http://example.com/a"'),
    'config.toml:3: auth.hook.send_email.uri may use http only for this machine',
  ],
  [hook('uri = "https://example.com/a"'), 'config.toml:3: auth.hook.send_email.uri is not on this machine.'],
  [
    hook('uri = "http://localhost/a"'),
    'config.toml:3: auth.hook.send_email.uri is called by HTTP and needs a secret',
  ],
  [
    hook('uri = "http://localhost/a"\nsecrets = "abc"'),
    'config.toml:4: auth.hook.send_email.secrets must be "v1,whsec_…"',
  ],
  [
    hook(`uri = "pg-functions://postgres/public/f"\nsecrets = "v1,whsec_${SECRET}"`),
    'config.toml:4: auth.hook.send_email.secrets is only for hooks that are called by HTTP.',
  ],
])('a hook that cannot be called stops the start with its line: %j', (toml, message) => {
  expect(() => readProject(projectOf({ 'config.toml': toml }))).toThrow(message)
})

test('hooks of other machines are called if outgoing requests are allowed; disabled ones are not checked', () => {
  const far = hook(`uri = "https://example.com/a"\nsecrets = "v1,whsec_${SECRET}"`)
  const { config } = readProject(projectOf({ 'config.toml': far }), { allowsOutgoing: true })
  expect(config.hooks).toEqual({ send_email: { url: 'https://example.com/a', secrets: [SECRET] } })
  const off = readProject(projectOf({ 'config.toml': '[auth.hook.send_sms]\nenabled = false\nuri = "none"' }))
  expect([off.config.hooks, off.config.notHonored]).toEqual([{}, []])
})
