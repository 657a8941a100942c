// Every refusal of multi-factor sign-in.
import { networkInterfaces } from 'node:os'
import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const start = Date.now()
const clock = { ahead: 0, now: () => start + clock.ahead }
const backend = await startTestBackend({ clock, auth: { mfa: { maxEnrolledFactors: 3 } } })
let people = 0

const outside = Object.values(networkInterfaces())
  .flatMap(list => list ?? [])
  .find(one => !one.internal && one.family === 'IPv4')?.address

beforeEach(() => {
  clock.ahead += 300_000
})

/** Sends requests without the client, which hides some responses. */
const caller = (token: string, { url, publishableKey } = backend) => {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/auth/v1${path}`, {
      method,
      headers: { apikey: publishableKey, authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
}

const newcomer = async () => {
  const { auth } = officialClient(backend)
  const { data } = await auth.signUp({ email: `no-${++people}@sea.test`, password: 'harbour-demo' })
  return { auth, user: data.user, ask: caller(data.session?.access_token ?? '') }
}

const enrolled = async () => {
  const person = await newcomer()
  const { body } = await person.ask('POST', '/factors', { factor_type: 'totp', friendly_name: 'Phone' })
  const { id, totp } = body as { id: string; totp: { secret: string } }
  const code = () => new TOTP({ secret: totp.secret }).generate({ timestamp: clock.now() })
  const challenge = async (headers?: Record<string, string>) =>
    (await person.ask('POST', `/factors/${id}/challenge`, undefined, headers)).body.id as string
  return { ...person, id, code, challenge }
}

const no = (status: number, error_code: string, msg: string) => ({
  status,
  body: { code: status, error_code, msg },
})

describe('enrolling', () => {
  test.for([
    [
      { factor_type: 'phone', phone: '+4512345678' },
      no(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone'),
    ],
    [
      { factor_type: 'webauthn' },
      no(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn'),
    ],
    [
      { factor_type: 'stamp' },
      no(400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn'),
    ],
    [{}, no(400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn')],
    [
      { factor_type: 'totp', issuer: 'x'.repeat(101) },
      no(400, 'validation_failed', 'issuer must have at most 100 characters'),
    ],
  ] as const)('%j', async ([body, answer]) => {
    expect(await (await newcomer()).ask('POST', '/factors', body)).toEqual(answer)
  })

  test('a taken name', async () => {
    const { ask } = await enrolled()
    expect(await ask('POST', '/factors', { factor_type: 'totp', friendly_name: 'Phone' })).toEqual(
      no(
        422,
        'mfa_factor_name_conflict',
        'A factor with the friendly name "Phone" for this user already exists',
      ),
    )
  })

  test('too many factors; abandoned enrollments are deleted after five minutes', async () => {
    const { ask } = await enrolled()
    const add = (friendly_name: string) => ask('POST', '/factors', { factor_type: 'totp', friendly_name })
    expect([(await add('b')).status, (await add('c')).status]).toEqual([200, 200])
    expect(await add('d')).toEqual(
      no(
        422,
        'too_many_enrolled_mfa_factors',
        'Maximum number of verified factors reached, unenroll to continue',
      ),
    )
    clock.ahead += 301_000
    expect((await add('d')).status).toBe(200)
  })

  test('another factor needs aal2', async () => {
    const { ask, id, challenge, code } = await enrolled()
    await ask('POST', `/factors/${id}/verify`, { challenge_id: await challenge(), code: code() })
    // This token still says aal1, but the session's level counts.
    expect((await ask('POST', '/factors', { factor_type: 'totp', friendly_name: 'b' })).status).toBe(200)
    const { auth } = officialClient(backend)
    const { data } = await auth.signInWithPassword({
      email: `no-${people}@sea.test`,
      password: 'harbour-demo',
    })
    const again = caller(data.session?.access_token ?? '')
    expect(await again('POST', '/factors', { factor_type: 'totp', friendly_name: 'c' })).toEqual(
      no(403, 'insufficient_aal', 'AAL2 required to enroll a new factor'),
    )
  })

  test('rejects anonymous and unknown users', async () => {
    expect((await caller('')('POST', '/factors', {})).status).toBe(401)
    const { data } = await officialClient(backend).auth.signInAnonymously()
    expect(
      await caller(data.session?.access_token ?? '')('POST', '/factors', { factor_type: 'totp' }),
    ).toEqual(no(403, 'no_authorization', 'Anonymous user not allowed to perform these actions'))
  })
})

describe('a factor', () => {
  test('with an invalid id, or of another user', async () => {
    const [mine, theirs] = [await newcomer(), await enrolled()]
    for (const [method, end] of [
      ['POST', '/challenge'],
      ['POST', '/verify'],
      ['DELETE', ''],
    ] as const) {
      expect(await mine.ask(method, `/factors/x${end}`, '{}')).toEqual(
        no(404, 'validation_failed', 'factor_id must be an UUID'),
      )
      expect(await mine.ask(method, `/factors/${theirs.id}${end}`, '{}')).toEqual(
        no(404, 'mfa_factor_not_found', 'Factor not found'),
      )
    }
  })
})

describe('verifying', () => {
  const failed = no(422, 'mfa_verification_failed', 'Invalid TOTP code entered')
  const mismatch = no(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')

  test('a wrong or old code leaves the challenge valid', async () => {
    const { ask, id, challenge, code } = await enrolled()
    const verify = async (challenge_id: string, given: string) =>
      ask('POST', `/factors/${id}/verify`, { challenge_id, code: given })
    const old = code()
    clock.ahead += 90_000
    const challengeId = await challenge()
    expect(await verify(challengeId, old === '000000' ? '000001' : '000000')).toEqual(failed)
    expect(await verify(challengeId, old)).toEqual(failed)
    expect((await verify(challengeId, code())).status).toBe(200)
    expect(await verify(challengeId, code())).toEqual(mismatch)
  })

  test('of many concurrent answers to one challenge, one succeeds', async () => {
    const { ask, id, challenge, code } = await enrolled()
    const body = { challenge_id: await challenge(), code: code() }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('POST', `/factors/${id}/verify`, body)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array.from({ length: 7 }, () => mismatch))
  })

  test('a challenge that is too old, unknown, or of another factor', async () => {
    const [{ ask, id, challenge, code }, other] = [await enrolled(), await enrolled()]
    const verify = (challenge_id: string) =>
      ask('POST', `/factors/${id}/verify`, { challenge_id, code: code() })
    const unknown = no(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
    expect(await verify(await other.challenge())).toEqual(unknown)
    const challengeId = await challenge()
    clock.ahead += 301_000
    expect(await verify(challengeId)).toEqual(
      no(
        422,
        'mfa_challenge_expired',
        `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
      ),
    )
    expect(await verify(challengeId)).toEqual(unknown)
  })

  test('a forwarded address is not believed', async () => {
    const { ask, id, challenge, code } = await enrolled()
    const body = { challenge_id: await challenge({ 'x-forwarded-for': '203.0.113.7' }), code: code() }
    expect((await ask('POST', `/factors/${id}/verify`, body)).status).toBe(200)
  })

  test.skipIf(outside === undefined)('from a different address than the challenge', async () => {
    const wide = await startTestBackend({ host: '0.0.0.0', clock })
    const { data } = await officialClient(wide).auth.signUp({
      email: 'wide@sea.test',
      password: 'harbour-demo',
    })
    const ask = caller(data.session?.access_token ?? '', wide)
    const factor = (await ask('POST', '/factors', { factor_type: 'totp' })).body
    const challenge = (await ask('POST', `/factors/${factor.id}/challenge`)).body
    const code = new TOTP({ secret: factor.totp.secret }).generate({ timestamp: clock.now() })
    const body = { challenge_id: challenge.id, code }
    const elsewhere = caller(data.session?.access_token ?? '', {
      ...wide,
      url: `http://${outside}:${wide.port}`,
    })
    expect(await elsewhere('POST', `/factors/${factor.id}/verify`, body)).toEqual(mismatch)
    expect((await ask('POST', `/factors/${factor.id}/verify`, body)).status).toBe(200)
  })

  test('malformed bodies', async () => {
    const { ask, id } = await enrolled()
    const bad = async (body: unknown) => {
      const answer = await ask('POST', `/factors/${id}/verify`, body)
      return [answer.status, answer.body.error_code]
    }
    expect(await bad('{')).toEqual([400, 'bad_json'])
    expect(await bad({ challenge_id: 'x', code: '1' })).toEqual([400, 'bad_json'])
    expect(await bad({ challenge_id: '00000000-0000-4000-8000-000000000000' })).toEqual([
      400,
      'validation_failed',
    ])
    expect(await bad({ code: '1' })).toEqual([422, 'mfa_factor_not_found'])
  })

  test('guessing is limited to a burst of 30, then 15 per minute', async () => {
    const { ask, id, challenge } = await enrolled()
    const challenge_id = await challenge()
    const guess = async () => (await ask('POST', `/factors/${id}/verify`, { challenge_id, code: 'x' })).status
    const guesses = []
    for (let n = 0; n < 32; n++) guesses.push(await guess())
    expect(guesses.indexOf(429)).toBeGreaterThanOrEqual(30)
    const { status, body } = await ask('POST', `/factors/${id}/verify`, { challenge_id, code: 'x' })
    expect([status, body]).toEqual([
      429,
      { code: 429, error_code: 'over_request_rate_limit', msg: 'Request rate limit reached' },
    ])
    clock.ahead += 4_000
    expect(await guess()).toBe(422)
  })
})

test('disabled authenticators', async () => {
  const without = await startTestBackend({
    auth: { mfa: { totp: { enrollEnabled: false, verifyEnabled: false } } },
  })
  const { auth } = officialClient(without)
  await auth.signUp({ email: 'off@sea.test', password: 'harbour-demo' })
  expect((await auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
    status: 422,
    code: 'mfa_totp_enroll_not_enabled',
    message: 'MFA enroll is disabled for TOTP',
  })
})

describe('servers', () => {
  const server = caller(backend.secretKey)

  test('unknown users and factors', async () => {
    const { user, id } = await enrolled()
    const nobody = '00000000-0000-4000-8000-000000000000'
    const requests = [`/admin/users/x/factors`, `/admin/users/${nobody}/factors`]
    expect(await Promise.all(requests.map(path => server('GET', path)))).toEqual([
      no(404, 'validation_failed', 'user_id must be an UUID'),
      no(404, 'user_not_found', 'User not found'),
    ])
    expect(await server('DELETE', `/admin/users/${user?.id}/factors/${nobody}`)).toEqual(
      no(404, 'mfa_factor_not_found', 'Factor not found'),
    )
    const renamed = await server('PUT', `/admin/users/${user?.id}/factors/${id}`, { friendly_name: 'Tablet' })
    expect([renamed.status, renamed.body.friendly_name]).toEqual([200, 'Tablet'])
  })

  test('users have no access to server routes', async () => {
    const { user, ask } = await newcomer()
    expect(await ask('GET', `/admin/users/${user?.id}/factors`)).toEqual(
      no(403, 'not_admin', 'User not allowed'),
    )
  })
})
