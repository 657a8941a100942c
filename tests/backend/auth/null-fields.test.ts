// Fields that are null or of a wrong type, as Go decodes them: null is absent, others are no valid body.
import { expect, test } from 'vitest'
import { ask, refusal, type Answer } from '../../harness/auth.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { movableClock, newAddress } from '../../harness/mail.ts'

const clock = movableClock()
const backend = await startTestBackend({ clock })
const admin = { apikey: backend.secretKey, authorization: `Bearer ${backend.secretKey}` }

// supabase/auth, internal/api: the structs SignupParams, PasswordGrantParams, RefreshTokenGrantParams, PKCEGrantParams,
// OtpParams, RecoverParams, VerifyParams, ResendConfirmationParams, AdminUserParams and GenerateLinkParams.
const TEXTS: readonly [string, readonly string[]][] = [
  ['signup', ['email', 'phone', 'password', 'code_challenge', 'code_challenge_method', 'channel']],
  ['token?grant_type=password', ['email', 'phone', 'password']],
  ['token?grant_type=refresh_token', ['refresh_token']],
  ['token?grant_type=pkce', ['auth_code', 'code_verifier']],
  ['otp', ['email', 'phone', 'code_challenge', 'code_challenge_method', 'channel']],
  ['recover', ['email', 'code_challenge', 'code_challenge_method']],
  ['verify', ['type', 'token', 'token_hash', 'email', 'phone']],
  ['resend', ['type', 'email', 'phone']],
  ['admin/users', ['email', 'phone', 'password', 'role', 'aud', 'ban_duration', 'password_hash']],
  ['admin/generate_link', ['type', 'email', 'new_email', 'password']],
]
const BASE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  verify: { type: 'email', token: '123456', email: 'a@b.test' },
  resend: { type: 'signup', email: 'a@b.test' },
  'admin/generate_link': { type: 'magiclink', email: 'skipper@harbour.test' },
}
const fields = TEXTS.flatMap(([path, names]) => names.map(name => [path, name] as const))

const send = (path: string, body: unknown) => {
  clock.advance(300)
  return ask(backend, 'POST', path, body, path.startsWith('admin/') ? admin : {})
}
const described = (answer: Answer) => (answer.status < 400 ? [answer.status] : refusal(answer))

test.each(fields)('%s: %s null is as if it were absent', async (path, name) => {
  const { [name]: _, ...rest } = { ...BASE[path] }
  const absent = described(await send(path, rest))
  expect(described(await send(path, { ...rest, [name]: null }))).toEqual(absent)
})

test.each(fields)('%s: %s of another type is no valid body', async (path, name) => {
  for (const value of [5, true, {}, ['a']])
    expect(refusal(await send(path, { ...BASE[path], [name]: value })).slice(0, 2)).toEqual([400, 'bad_json'])
})

test.each(TEXTS.map(([path]) => path))('%s: null is a body without fields', async path => {
  expect(described(await send(path, null))).toEqual(described(await send(path, {})))
  for (const body of [[], 5, true, 'x'])
    expect(refusal(await send(path, body)).slice(0, 2)).toEqual([400, 'bad_json'])
})

// supabase/auth, internal/api/admin.go, adminUserUpdate: the strength of a password is checked unless it is null.
test('an admin cannot set an empty password; null changes nothing', async () => {
  const email = newAddress('admin')
  const { body } = await ask(
    backend,
    'POST',
    'admin/users',
    { email, password: 'long-enough-1', email_confirm: true },
    admin,
  )
  const change = (password: unknown) =>
    ask(backend, 'PUT', `admin/users/${String(body['id'])}`, { password }, admin)
  expect(refusal(await change('')).slice(0, 2)).toEqual([422, 'weak_password'])
  expect(refusal(await change('short')).slice(0, 2)).toEqual([422, 'weak_password'])
  expect((await change(null)).status).toBe(200)
  expect((await send('token?grant_type=password', { email, password: 'long-enough-1' })).status).toBe(200)
  expect((await change('another-one-2')).status).toBe(200)
  expect((await send('token?grant_type=password', { email, password: 'another-one-2' })).status).toBe(200)
})
