// Keys: signing and verifying tokens, API keys at the gateway, and what is stored on disk.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import { afterAll, expect, test } from 'vitest'
import { generateSecrets, openDataDirectory } from '../../../backend/shared/data-directory.ts'
import { ask, bearer, refreshRaw, refusal, signInRaw } from '../../harness/auth.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }
const CLI_SECRET = new TextEncoder().encode('super-secret-jwt-token-with-at-least-32-characters-long')

async function keyPair(alg: 'ES256' | 'RS256', kid: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return {
    privateKey,
    jwk: { ...(await exportJWK(privateKey)), kid, alg },
    publicJwk: await exportJWK(publicKey),
  }
}

const current = await keyPair('ES256', 'current')
const older = await keyPair('RS256', 'older')
const foreign = await keyPair('ES256', 'current')
const olderPublic: JWK = { ...older.publicJwk, kid: 'older', alg: 'RS256' }
const backend = await startTestBackend({ keys: 'cli', signingKeys: [olderPublic, current.jwk] })
const session = await signInRaw(backend, skipper)
const claims = decodeJwt(session.access_token)

const hs256 = (payload: object, secret = CLI_SECRET) =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret)
const anonKey = await hs256({ iss: 'supabase-demo', role: 'anon', exp: 1_983_812_996 })
const serviceKey = await hs256({ iss: 'supabase-demo', role: 'service_role', exp: 1_983_812_996 })

const statusOf = async (token: string) =>
  (await ask(backend, 'GET', 'user', undefined, { authorization: `Bearer ${token}` })).status
const rest = (headers: Record<string, string>) =>
  fetch(`${backend.url}/rest/v1/vessels?select=id`, { headers })

test('the public keys are published, verify tokens, and contain no private parts', async () => {
  const response = await fetch(`${backend.url}/auth/v1/.well-known/jwks.json`)
  const keys = (await response.json()) as JSONWebKeySet
  expect(keys.keys.map(({ kid, alg, use, d }) => ({ kid, alg, use, d }))).toEqual([
    { kid: 'older', alg: 'RS256', use: 'sig', d: undefined },
    { kid: 'current', alg: 'ES256', use: 'sig', d: undefined },
  ])
  const { payload, protectedHeader } = await jwtVerify(session.access_token, createLocalJWKSet(keys))
  expect([payload.sub, protectedHeader]).toEqual([claims.sub, { alg: 'ES256', typ: 'JWT', kid: 'current' }])
  const described = await fetch(`${backend.url}/auth/v1/.well-known/openid-configuration`)
  expect(await described.json()).toMatchObject({
    issuer: `${backend.url}/auth/v1`,
    jwks_uri: `${backend.url}/auth/v1/.well-known/jwks.json`,
  })
})

test('accepts tokens of every known key, including HS256', async () => {
  const sign = (alg: string, kid: string, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key)
  expect(await statusOf(await sign('RS256', 'older', older.privateKey))).toBe(200)
  expect(await statusOf(await sign('ES256', 'current', current.privateKey))).toBe(200)
  expect(await statusOf(await hs256(claims))).toBe(200)
})

test('rejects tokens that are unsigned, signed by other keys, or use a key for another algorithm', async () => {
  const publicText = new TextEncoder().encode(JSON.stringify(current.publicJwk))
  const tokens = [
    await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'current' }).sign(foreign.privateKey),
    await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'unknown' }).sign(foreign.privateKey),
    await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'current' }).sign(publicText),
    await hs256(claims, new TextEncoder().encode('another secret of at least 32 characters')),
    new UnsecuredJWT(claims).encode(),
    `${session.access_token.slice(0, -6)}AAAAAA`,
  ]
  expect(await Promise.all(tokens.map(statusOf))).toEqual(tokens.map(() => 403))
  const apikey = backend.publishableKey
  const answers = await Promise.all(tokens.map(token => rest({ apikey, authorization: `Bearer ${token}` })))
  expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 401))
})

test.each([
  ['the publishable key of the CLI', 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH', 200, 403],
  ['the secret key of the CLI', 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz', 200, 200],
  ['the older anonymous key', anonKey, 200, 403],
  ['the older service key', serviceKey, 200, 200],
  ['a foreign key', 'sb_publishable_of_somebody_else', 401, 401],
  ["a user's token", session.access_token, 401, 401],
  ['the token of a user with a server role', await hs256({ ...claims, role: 'service_role' }), 401, 401],
  ['an expired older key', await hs256({ role: 'service_role', exp: 1_700_000_000 }), 401, 401],
])('%s', async (_name, apikey, byRest, byAdmin) => {
  expect((await rest({ apikey })).status).toBe(byRest)
  expect((await ask(backend, 'GET', 'admin/users', undefined, { apikey })).status).toBe(byAdmin)
})

test('the official client works with older keys, with the permissions of their roles', async () => {
  const anonymous = officialClient(backend, anonKey)
  const service = officialClient(backend, serviceKey)
  expect((await anonymous.from('log_entries').select('id')).data).toEqual([])
  expect((await service.from('log_entries').select('id')).data?.length).toBe(80)
  expect((await anonymous.auth.signInWithPassword(skipper)).data.user?.email).toBe(skipper.email)
  expect((await service.auth.admin.listUsers()).data.users.length).toBeGreaterThan(0)
})

test("an administrator's token is accepted like the secret key, a user's is not", async () => {
  const admin = { authorization: `Bearer ${await hs256({ role: 'supabase_admin' })}` }
  expect((await ask(backend, 'GET', 'admin/users', undefined, admin)).status).toBe(200)
  expect(refusal(await ask(backend, 'GET', 'admin/users', undefined, bearer(session)))).toEqual([
    403,
    'not_admin',
    'User not allowed',
  ])
})

const dir = mkdtempSync(join(tmpdir(), 'chartroom-keys-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('secrets of an older version still work and gain the missing keys', () => {
  const { publishableKey, secretKey, jwtSecret } = generateSecrets()
  const older = { publishableKey, secretKey, jwtSecret }
  const file = join(dir, 'secrets.json')
  writeFileSync(file, JSON.stringify(older), { mode: 0o600 })
  const first = openDataDirectory(dir)
  first.release()
  const second = openDataDirectory(dir)
  second.release()
  expect(second.secrets).toEqual(first.secrets)
  expect(first.secrets).toEqual({
    ...older,
    signingKey: expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', d: expect.any(String) }),
    encryptionKey: expect.any(String),
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(first.secrets)
})

test.each([
  [
    'of another kind',
    generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
    'Unsupported signing key (OKP Ed25519, ',
  ],
  [
    'of another curve',
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ format: 'jwk' }),
    'Unsupported signing key (EC P-384, ',
  ],
  [
    'that is empty',
    { kty: 'oct', kid: 'nothing', k: '' },
    'A signing key is shorter than 128 bits (nothing)',
  ],
])('rejects a signing key %s with its name', async (_name, key, message) => {
  await expect(startTestBackend({ signingKeys: [key as JWK] })).rejects.toThrow(message)
})

test('the database stores only hashes of passwords and refresh tokens', async () => {
  const { default: postgres } = await import('postgres')
  const open = await startTestBackend({ databaseAccess: {} })
  const { refresh_token } = await signInRaw(open, skipper)
  const child = (await refreshRaw(open, refresh_token)).body['refresh_token']
  const sql = postgres(open.databaseUrl ?? '', { max: 1 })
  const rows = await sql`select to_jsonb(t) as row from auth.refresh_tokens t
    union all select to_jsonb(u) from auth.users u union all select to_jsonb(s) from auth.sessions s`
  await sql.end()
  const text = JSON.stringify(rows)
  expect(text).toContain('skipper@harbour.test')
  for (const secret of [refresh_token, String(child), skipper.password]) expect(text).not.toContain(secret)
  expect(decodeProtectedHeader(session.access_token).alg).toBe('ES256')
})
