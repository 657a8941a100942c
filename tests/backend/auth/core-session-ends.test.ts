// Session expiry: timebox, inactivity, a newer login, a missing second factor, a ban.
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import type { AuthOptions } from '../../../backend/auth/index.ts'
import { ask, refreshRaw, refusal, signInRaw, type TokenPair } from '../../harness/auth.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { movableClock } from '../../harness/mail.ts'

const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }

async function start(sessions: AuthOptions['sessions']) {
  const clock = movableClock()
  const backend = await startTestBackend({ clock, auth: { sessions: sessions ?? {} } })
  return { clock, backend }
}

const bounded = await start({ timeboxSeconds: 3_600, inactivitySeconds: 600 })
const single = await start({ singlePerUser: true })

const expired = (text: string) => [400, 'session_expired', `Invalid Refresh Token: Session Expired${text}`]

test('inactivity ends a session, a refresh extends it', async () => {
  const { backend, clock } = bounded
  const first = await signInRaw(backend, skipper)
  clock.advance(600)
  const second = (await refreshRaw(backend, first.refresh_token)).body as unknown as TokenPair
  clock.advance(601)
  const late = await refreshRaw(backend, second.refresh_token)
  expect(refusal(late)).toEqual(expired(' (Inactivity)'))
})

test('a timebox ends even an active session', async () => {
  const { backend, clock } = bounded
  let session = await signInRaw(backend, skipper)
  for (let minutes = 0; minutes < 60; minutes += 10) {
    clock.advance(600)
    const { status, body } = await refreshRaw(backend, session.refresh_token)
    expect(status).toBe(200)
    session = body as unknown as TokenPair
  }
  clock.advance(1)
  expect(refusal(await refreshRaw(backend, session.refresh_token))).toEqual(expired(''))
})

test('a newer login replaces an older one if users are limited to one session', async () => {
  const { backend, clock } = single
  const older = await signInRaw(backend, skipper)
  clock.advance(1)
  const newer = await signInRaw(backend, skipper)
  expect(refusal(await refreshRaw(backend, older.refresh_token))).toEqual(
    expired(' (Revoked by Newer Login)'),
  )
  expect((await refreshRaw(backend, newer.refresh_token)).status).toBe(200)
})

test('a user with a second factor must verify it in time', async () => {
  const { backend, clock } = await start({ allowLowAalSeconds: 600 })
  const client = officialClient(backend)
  await client.auth.signInWithPassword(skipper)
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' })
  const code = new TOTP({ secret: factor?.totp.secret ?? '' }).generate({ timestamp: clock.now() })
  const proven = await client.auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code })
  const weak = await signInRaw(backend, skipper)
  const { exp = 0, iat = 0, aal } = decodeJwt(weak.access_token)
  expect([aal, exp - iat]).toEqual(['aal1', 600])
  clock.advance(601)
  const words = ' (Low AAL: User Needs MFA Verification)'
  expect(refusal(await refreshRaw(backend, weak.refresh_token))).toEqual(expired(words))
  expect((await refreshRaw(backend, proven.data?.refresh_token ?? '')).status).toBe(200)
})

test('an ended session and a banned user have different errors', async () => {
  const { backend } = single
  const gone = await signInRaw(backend, skipper)
  const admin = officialClient(backend, backend.secretKey).auth.admin
  expect((await admin.signOut(gone.access_token, 'local')).error).toBeNull()
  expect(refusal(await refreshRaw(backend, gone.refresh_token))).toEqual([
    400,
    'refresh_token_not_found',
    'Invalid Refresh Token: Refresh Token Not Found',
  ])
  const { data } = await officialClient(backend).auth.signInWithPassword(skipper)
  const banned = await admin.updateUserById(data.user?.id ?? '', { ban_duration: '1h' })
  expect(banned.error).toBeNull()
  expect(refusal(await refreshRaw(backend, data.session?.refresh_token ?? ''))).toEqual([
    400,
    'user_banned',
    'Invalid Refresh Token: User Banned',
  ])
  expect(refusal(await ask(backend, 'POST', 'token?grant_type=password', skipper))).toEqual([
    400,
    'user_banned',
    'User is banned',
  ])
  const headers = { authorization: `Bearer ${data.session?.access_token}` }
  expect(refusal(await ask(backend, 'GET', 'user', undefined, headers))).toEqual([
    403,
    'user_banned',
    'User is banned',
  ])
  single.clock.advance(3_601)
  expect((await ask(backend, 'POST', 'token?grant_type=password', skipper)).status).toBe(200)
})
