// Claims of a wrong type are refused by auth as by the official server, and by storage as by its library.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { readClaims } from '../../../backend/auth/sessions/token-claims.ts'
import { CLI_KEYS, createTokens } from '../../../backend/keys/index.ts'
import { generateSecrets } from '../../../backend/shared/data-directory.ts'
import { ask, refusal } from '../../harness/auth.ts'
import { startTestBackend } from '../../harness/backend.ts'

/**
 * Written by a Go program with golang-jwt 5.3.1 and the struct of supabase/auth, internal/tokens/service.go:73-86, at
 * half a second after 1800000000.
 */
const DECODED: readonly { readonly payload: string; readonly error: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'token-claims-of-the-original.json'), 'utf8'),
)
const NOW = 1_800_000_000_500
const json = DECODED.filter(({ payload }) => {
  try {
    JSON.parse(payload)
    return true
  } catch {
    return false
  }
})

const problem = (act: () => unknown) => {
  try {
    act()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test.each(json)('auth decodes $payload as the original', ({ payload, error }) => {
  expect(problem(() => readClaims(payload, NOW))).toBe(error)
})

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    value => ({ value }),
    (error: unknown) => ({ error: String(error) }),
  )

const encode = (text: string) => Buffer.from(text).toString('base64url')

function signed(payload: string, secret: string): string {
  const text = `${encode('{"alg":"HS256","typ":"JWT"}')}.${encode(payload)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

test.each(DECODED)('tokens with $payload are verified as by jose', async ({ payload }) => {
  const secrets = { ...generateSecrets(), ...CLI_KEYS }
  const tokens = await createTokens(secrets, { clock: { now: () => NOW } })
  const token = signed(payload, secrets.jwtSecret)
  const key = Buffer.from(secrets.jwtSecret)
  const byJose = jwtVerify(token, key, { currentDate: new Date(NOW) }).then(({ payload: claims }) => claims)
  const expected = await outcome(byJose)
  expect(await outcome(tokens.verify(token))).toEqual(expected)
})

test('a user token with a wrong claim is refused with its reason', async () => {
  const backend = await startTestBackend({ keys: 'cli' })
  const asked = (payload: string) =>
    ask(backend, 'GET', 'user', undefined, {
      authorization: `Bearer ${signed(payload, CLI_KEYS.jwtSecret)}`,
    })
  const words =
    'invalid JWT: unable to parse or verify signature, token is malformed: could not JSON decode claim: '
  expect(refusal(await asked('{"sub":5}'))).toEqual([
    403,
    'bad_jwt',
    `${words}json: cannot unmarshal number into Go struct field AccessTokenClaims.RegisteredClaims.sub of type string`,
  ])
  expect(refusal(await asked('{"aud":{}}'))).toEqual([403, 'bad_jwt', `${words}invalid type for claim`])
  expect(refusal(await asked('null'))).toEqual([403, 'bad_jwt', 'invalid claim: missing sub claim'])
})
