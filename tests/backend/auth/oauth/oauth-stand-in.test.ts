// The stand-in provider by itself: its page, its form, its codes and its ID tokens.
import { createLocalJWKSet, decodeJwt, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { subjectOf } from '../../../../backend/auth/oauth/profile.ts'
import { accessTokenHash, createStandIn, type StandIn } from '../../../../backend/auth/oauth/stand-in.ts'
import { createStandInSite } from '../../../../backend/auth/oauth/stand-in-routes.ts'

const ORIGIN = 'http://127.0.0.1:54321'
const PILOT = { email: 'pilot@harbour.test', name: 'Piet Fulmar', emailVerified: true }

const clock = { time: 0, now: () => clock.time }
let standIn: StandIn
let site: ReturnType<typeof createStandInSite>

beforeEach(() => {
  clock.time = Date.UTC(2026, 5, 1)
  standIn = createStandIn(ORIGIN, clock)
  site = createStandInSite({
    standIn,
    clock,
    isAllowedRedirect: redirect => redirect === 'http://localhost:3000/',
  })
})

const address = (fields: Record<string, string> = {}, provider = 'google') => {
  const query = { client_id: 'chartroom', redirect_uri: `${ORIGIN}/auth/v1/callback`, state: 's1', ...fields }
  return `${ORIGIN}/_chartroom/oauth/${provider}?${new URLSearchParams(query).toString()}`
}

const formTokenAt = async (url: string) => {
  const body = await (await site.request(url)).text()
  return /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? ''
}

const post = async (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  site.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ form_token: await formTokenAt(url), ...fields }).toString(),
  })

describe('the page', () => {
  test('is for its own origin alone, and repeats nothing unescaped', async () => {
    const response = await site.request(address({ scope: '<img src=x>' }))
    const body = await response.text()
    expect(response.status).toBe(200)
    expect(body).toContain('&lt;img src=x&gt;')
    expect(body).not.toContain('<img')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  })

  test.for([
    ['another client', address({ client_id: 'someone' })],
    ['another address', address({ redirect_uri: 'https://evil.example/auth/v1/callback' })],
    ['another origin', address({ redirect_uri: 'http://127.0.0.1:9999/auth/v1/callback' })],
    ['no address', address({ redirect_uri: '' })],
    ['another kind of answer', address({ response_type: 'token' })],
    ['an ID token elsewhere', address({ response_type: 'id_token', redirect_uri: 'https://evil.example/' })],
    ['a provider nobody knows', address({}, 'constructor')],
  ] as const)('refuses %s', async ([, url]) => {
    expect((await site.request(url)).status).toBe(400)
    expect((await post(url, { person: PILOT.email })).status).toBe(400)
  })
})

describe('the form', () => {
  test('a person of the harbour gets a code, once', async () => {
    const response = await post(address(), { person: PILOT.email })
    expect(response.status).toBe(303)
    const back = new URL(response.headers.get('location') ?? '')
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([
      `${ORIGIN}/auth/v1/callback`,
      's1',
    ])
    const code = back.searchParams.get('code') ?? ''
    expect(standIn.redeem('google', code)).toMatchObject({ profile: PILOT })
    expect(standIn.redeem('google', code)).toBe(undefined)
  })

  test('somebody else, unverified', async () => {
    const response = await post(address(), { email: 'Ann@Sea.test', name: 'Ann', decision: 'approve' })
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
    expect(standIn.redeem('google', code)?.profile).toEqual({
      email: 'Ann@Sea.test',
      name: 'Ann',
      emailVerified: false,
    })
  })

  test('what was typed is kept when it is no address', async () => {
    const response = await post(address(), { email: '"><b>', name: 'Ann', verified: 'yes' })
    expect(response.status).toBe(422)
    const body = await response.text()
    expect(body).toContain('value="&quot;&gt;&lt;b&gt;"')
    expect(body).toContain('aria-invalid="true"')
  })

  test('declining goes back as an error', async () => {
    const response = await post(address(), { decision: 'deny' })
    expect(Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The user canceled the sign-in',
      state: 's1',
    })
  })

  test.for([
    ['without its token', { form_token: '' }],
    ['with a made-up token', { form_token: '9999999999999.AAAA' }],
  ] as const)('is refused %s', async ([, fields]) => {
    const response = await post(address(), { person: PILOT.email, ...fields })
    expect([response.status, response.headers.get('location')]).toEqual([403, null])
  })

  test('is refused for another request than it was drawn for, and when it is old', async () => {
    const form_token = await formTokenAt(address({ state: 'other' }))
    expect((await post(address(), { person: PILOT.email, form_token })).status).toBe(403)
    const late = await formTokenAt(address())
    clock.time += 10 * 60_000
    expect((await post(address(), { person: PILOT.email, form_token: late })).status).toBe(403)
  })
})

test('a code is good for a minute, and only at its own provider', () => {
  const [elsewhere, late] = [standIn.issueCode('google', PILOT), standIn.issueCode('google', PILOT)]
  expect(standIn.redeem('github', elsewhere)).toBe(undefined)
  clock.time += 60_000
  expect(standIn.redeem('google', late)).toBe(undefined)
})

describe('an ID token', () => {
  const idAddress = () =>
    address({ response_type: 'id_token', redirect_uri: 'http://localhost:3000/', nonce: 'n1' })

  test('comes in the fragment, signed with a published key', async () => {
    const response = await post(idAddress(), { person: PILOT.email })
    const back = new URL(response.headers.get('location') ?? '')
    const fields = new URLSearchParams(back.hash.slice(1))
    expect([back.origin, back.search, fields.get('state')]).toEqual(['http://localhost:3000', '', 's1'])
    const keys = await (await site.request(`${ORIGIN}/_chartroom/oauth/google/keys`)).json()
    const { payload } = await jwtVerify(fields.get('id_token') ?? '', createLocalJWKSet(keys), {
      currentDate: new Date(clock.time),
    })
    expect(payload).toEqual({
      iss: `${ORIGIN}/_chartroom/oauth/google`,
      aud: 'chartroom',
      sub: subjectOf('google', PILOT.email),
      email: PILOT.email,
      email_verified: true,
      name: PILOT.name,
      nonce: 'n1',
      at_hash: accessTokenHash(fields.get('access_token') ?? ''),
      iat: clock.time / 1000,
      exp: clock.time / 1000 + 3600,
    })
  })

  test('is taken from its own provider, while it lives', async () => {
    const { idToken } = await standIn.issueIdToken('google', PILOT, undefined)
    expect(await standIn.verifyIdToken('google', idToken)).toEqual(decodeJwt(idToken))
    await expect(standIn.verifyIdToken('apple', idToken)).rejects.toThrow('unexpected "iss" claim value')
    clock.time += 3_600_000
    await expect(standIn.verifyIdToken('google', idToken)).rejects.toThrow(
      '"exp" claim timestamp check failed',
    )
  })

  test('of another signer is refused', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const forged = await new SignJWT({ email: PILOT.email })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(standIn.issuer('google'))
      .sign(privateKey)
    await expect(standIn.verifyIdToken('google', forged)).rejects.toThrow('signature verification failed')
  })
})

test('the discovery document names the issuer and the keys', async () => {
  const found = await site.request(`${ORIGIN}/_chartroom/oauth/google/.well-known/openid-configuration`)
  expect(await found.json()).toMatchObject({
    issuer: `${ORIGIN}/_chartroom/oauth/google`,
    jwks_uri: `${ORIGIN}/_chartroom/oauth/google/keys`,
  })
  const unknown = await site.request(`${ORIGIN}/_chartroom/oauth/nobody/.well-known/openid-configuration`)
  expect(unknown.status).toBe(404)
})
