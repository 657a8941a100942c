// The auth settings of a project's config.toml, and their defaults: providers, older keys, disabled features.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader, SignJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import type { BackendOptions } from '../../../backend/index.ts'
import { ask, refusal, type TokenPair } from '../../harness/auth.ts'
import { startTestBackend } from '../../harness/backend.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-project-auth-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0

function startProject(toml: string, options: Partial<BackendOptions> = {}) {
  count += 1
  const project = join(root, String(count))
  mkdirSync(join(project, 'supabase'), { recursive: true })
  writeFileSync(join(project, 'supabase/config.toml'), toml)
  return startTestBackend({ project, port: 0, ...options })
}

const SECRET = 'a-secret-of-some-project'
const keyOf = (role: string, secret = SECRET) =>
  new SignJWT({ iss: 'supabase-demo', role })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('1y')
    .sign(new TextEncoder().encode(secret))

test('features that a project does not mention are off, as in the CLI', async () => {
  const backend = await startProject('[auth.external.apple]\nenabled = true')
  const { body } = await ask(backend, 'GET', 'settings')
  expect(body['external']).toMatchObject({
    apple: true,
    google: false,
    github: false,
    anonymous_users: false,
    email: true,
  })
  expect(refusal(await ask(backend, 'GET', 'authorize?provider=google'))).toEqual([
    400,
    'validation_failed',
    'Unsupported provider: provider is not enabled',
  ])
  const { access_token } = (
    await ask(backend, 'POST', 'signup', { email: 'a@example.test', password: 'long-enough' })
  ).body as unknown as TokenPair
  const authorization = `Bearer ${access_token}`
  const link = await ask(backend, 'GET', 'user/identities/authorize?provider=apple', undefined, {
    authorization,
  })
  expect(refusal(link)).toEqual([404, 'manual_linking_disabled', 'Manual linking is disabled'])
  const factor = await ask(backend, 'POST', 'factors', { factor_type: 'totp' }, { authorization })
  expect(refusal(factor)).toEqual([422, 'mfa_totp_enroll_not_enabled', 'MFA enroll is disabled for TOTP'])
})

test.each(['own', 'cli'] as const)(
  'auth.jwt_secret verifies and signs tokens, also with %s keys',
  async keys => {
    const backend = await startProject(`[auth]\njwt_secret = "${SECRET}"`, { keys })
    expect(backend.project?.notHonored).toEqual([])
    const statusOf = async (apikey: string) =>
      (await ask(backend, 'GET', 'admin/users', undefined, { apikey })).status
    expect(await statusOf(await keyOf('service_role'))).toBe(200)
    expect(await statusOf(await keyOf('anon'))).toBe(403)
    expect(await statusOf(await keyOf('service_role', 'another-secret-of-somebody'))).toBe(401)
    const { body } = await ask(backend, 'POST', 'signup', {
      email: 'a@example.test',
      password: 'long-enough',
    })
    const { access_token } = body as unknown as TokenPair
    expect(decodeProtectedHeader(access_token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    const user = await ask(backend, 'GET', 'user', undefined, { authorization: `Bearer ${access_token}` })
    expect([user.status, user.body['email']]).toEqual([200, 'a@example.test'])
    expect((await ask(backend, 'GET', '.well-known/jwks.json')).body).toEqual({ keys: [] })
  },
)

test('a guessable secret stops the start', async () => {
  await expect(startProject('[auth]\njwt_secret = "short"')).rejects.toThrow(
    'config.toml:2: auth.jwt_secret must have at least 16 characters.',
  )
})

const RELYING_PARTY = `[auth.webauthn]
rp_display_name = "App"
rp_id = "localhost"
rp_origins = ["http://localhost:5173"]`

test('passkeys, security keys and the OAuth server are on if the project enables them', async () => {
  const backend = await startProject(`[auth.passkey]
enabled = true
${RELYING_PARTY}
[auth.mfa.web_authn]
enroll_enabled = true
verify_enabled = true
[auth.oauth_server]
enabled = true
allow_dynamic_registration = false`)
  expect(backend.project?.notHonored).toEqual([])
  expect((await ask(backend, 'GET', 'settings')).body['passkeys_enabled']).toBe(true)
  const { body } = await ask(backend, 'POST', 'passkeys/authentication/options', {})
  expect(body['options']).toMatchObject({ rpId: 'localhost' })
  const client = { redirect_uris: ['https://app.test/'] }
  expect((await ask(backend, 'POST', 'oauth/clients/register', client)).body['error_code']).toBe(
    'oauth_dynamic_client_registration_disabled',
  )
  const asServer = { apikey: backend.secretKey }
  expect((await ask(backend, 'POST', 'admin/oauth/clients', client, asServer)).status).toBe(201)
  const { access_token } = (
    await ask(backend, 'POST', 'signup', { email: 'a@example.test', password: 'long-enough' })
  ).body as unknown as TokenPair
  const authorization = `Bearer ${access_token}`
  const factor = await ask(backend, 'POST', 'factors', { factor_type: 'webauthn' }, { authorization })
  expect(factor.body).toEqual({ id: expect.any(String), type: 'webauthn', friendly_name: '' })
})

test('sign-in with wallets is on for the chains of the project', async () => {
  const backend = await startProject('[auth.web3.solana]\nenabled = true\n[auth.rate_limit]\nweb3 = 30')
  expect(backend.project?.notHonored).toEqual([])
  const answers = ['solana', 'ethereum'].map(chain =>
    ask(backend, 'POST', 'token?grant_type=web3', { chain }),
  )
  expect((await Promise.all(answers)).map(({ body }) => body['error_code'])).toEqual([
    'validation_failed',
    'web3_provider_disabled',
  ])
})

test('passkeys without a relying party stop the start, as in the CLI', async () => {
  await expect(startProject('[auth.passkey]\nenabled = true')).rejects.toThrow(
    'config.toml:2: auth.passkey.enabled requires rp_display_name, rp_id and rp_origins in [auth.webauthn].',
  )
})
