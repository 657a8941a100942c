// Unusual addresses: redirect targets that are not ASCII, and caller addresses that are unusual or invalid.
import { expect, test } from 'vitest'
import { ask, bearer, refusal, signInRaw } from '../../harness/auth.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { follow, mailTo } from '../../harness/mail.ts'

const backend = await startTestBackend({ auth: { redirectUrls: ['http://localhost:*/**'] } })
const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }

test('a link redirects to a URL that is not ASCII', async () => {
  const page = 'http://localhost:3000/港?hafen=schön'
  await ask(backend, 'POST', `recover?redirect_to=${encodeURIComponent(page)}`, { email: skipper.email })
  const landing = await follow(mailTo(backend, skipper.email).link)
  expect([landing.status, landing.page]).toEqual([303, 'http://localhost:3000/%E6%B8%AF'])
  expect(landing.query).toEqual({ hafen: 'schön' })
  expect(landing.hash).toMatchObject({ type: 'recovery', token_type: 'bearer' })
})

test('a failed link and an OAuth error redirect there too', async () => {
  const page = encodeURIComponent('http://localhost:3000/港')
  const landing = await follow(`${backend.url}/auth/v1/verify?type=signup&token=none&redirect_to=${page}`)
  expect([landing.status, landing.page]).toEqual([303, 'http://localhost:3000/%E6%B8%AF'])
  expect(landing.hash['error_code']).toBe('otp_expired')
})

test.each([
  ['a link-local address with a zone', 'fe80::1%lo'],
  ['an address in upper case', '2001:DB8::1'],
  ['an IPv4-mapped IPv6 address', '::ffff:10.0.0.1'],
  ['an address with a port', '192.0.2.1:80'],
  ['no address', "'; drop table auth.users; --"],
])('a second factor can be verified from %s', async (_name, from) => {
  const headers = { ...bearer(await signInRaw(backend, skipper)), 'x-forwarded-for': from }
  const factor = await ask(backend, 'POST', 'factors', { factor_type: 'totp', friendly_name: from }, headers)
  const path = `factors/${String(factor.body['id'])}`
  const challenge = await ask(backend, 'POST', `${path}/challenge`, {}, headers)
  expect(challenge.status).toBe(200)
  const proof = { challenge_id: challenge.body['id'], code: '000000' }
  expect(refusal(await ask(backend, 'POST', `${path}/verify`, proof, headers))).toEqual([
    422,
    'mfa_verification_failed',
    'Invalid TOTP code entered',
  ])
})
