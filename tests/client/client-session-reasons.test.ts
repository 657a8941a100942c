// Session end reasons: every one that the embedded backend can cause, as the client reports it.
import { TOTP } from 'otpauth'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createChartroomClient, type SignedOutReason } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { ask, refreshRaw } from '../harness/auth.ts'
import { startTestBackend } from '../harness/backend.ts'
import { movableClock, newAddress } from '../harness/mail.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: {
    refreshTokenReuseInterval: 10,
    sessions: { timeboxSeconds: 3_600, inactivitySeconds: 900, allowLowAalSeconds: 600, singlePerUser: true },
  },
})

const password = 'harbour-demo'

function page() {
  const client = createChartroomClient({
    url: backend.url,
    key: backend.publishableKey,
    auth: { storage: memoryStorage() },
  })
  onTestFinished(() => client.dispose())
  return { client, auth: client.supabase.auth }
}

/** A new user, signed in, and the events that the server emits for their other sessions. */
async function signedIn() {
  const email = newAddress()
  const { client, auth } = page()
  const { data } = await auth.signUp({ email, password })
  const { access_token = '', refresh_token = '', user } = data.session ?? {}
  const bearing = { authorization: `Bearer ${access_token}` }
  const endElsewhere = () => ask(backend, 'POST', 'logout?scope=local', undefined, bearing)
  const endsFor = (reason: SignedOutReason) =>
    vi.waitFor(() => expect(client.status().session).toMatchObject({ phase: 'signedOut', reason }))
  return { client, auth, email, id: user?.id ?? '', refresh_token, endElsewhere, endsFor }
}

test('inactivity', async () => {
  const { client, endsFor } = await signedIn()
  clock.advance(901)
  await client.auth.refresh()
  await endsFor('inactivity')
})

test('timebox, despite activity', async () => {
  const { client, endsFor } = await signedIn()
  for (let quarter = 0; quarter < 4; quarter++) {
    clock.advance(900)
    expect(await client.auth.refresh()).toEqual({ ok: true, value: undefined })
  }
  clock.advance(1)
  await client.auth.refresh()
  await endsFor('timebox')
})

test('newerLogin', async () => {
  const { client, email, endsFor } = await signedIn()
  clock.advance(1)
  await page().auth.signInWithPassword({ email, password })
  await client.auth.refresh()
  await endsFor('newerLogin')
})

test('lowAal', async () => {
  const { auth, email } = await signedIn()
  const { data: factor } = await auth.mfa.enroll({ factorType: 'totp' })
  const code = new TOTP({ secret: factor?.totp.secret ?? '' }).generate({ timestamp: clock.now() })
  await auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code })
  const { client } = page()
  await client.auth.signInWithPassword({ email, password })
  clock.advance(601)
  await client.auth.refresh()
  await vi.waitFor(() =>
    expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'lowAal' }),
  )
})

test('banned', async () => {
  const { client, id, endsFor } = await signedIn()
  const asAdmin = { apikey: backend.secretKey }
  expect((await ask(backend, 'PUT', `admin/users/${id}`, { ban_duration: '24h' }, asAdmin)).status).toBe(200)
  await client.auth.refresh()
  await endsFor('banned')
})

test('reuseDetected', async () => {
  const { client, refresh_token, endsFor } = await signedIn()
  const { body } = await refreshRaw(backend, refresh_token)
  expect((await refreshRaw(backend, String(body['refresh_token']))).status).toBe(200)
  clock.advance(11)
  await client.auth.refresh()
  await endsFor('reuseDetected')
})

test('notFound, from a refresh that finds no session', async () => {
  const { client, endElsewhere, endsFor } = await signedIn()
  expect((await endElsewhere()).status).toBe(204)
  await client.auth.refresh()
  await endsFor('notFound')
})

test('remoteRevoked, from a user check', async () => {
  const { client, endElsewhere, endsFor } = await signedIn()
  await endElsewhere()
  expect(await client.auth.verifyUser()).toMatchObject({ ok: false, failure: { code: 'session_not_found' } })
  await endsFor('remoteRevoked')
})

test('notFound, when the account is deleted', async () => {
  const { client, id, endsFor } = await signedIn()
  await ask(backend, 'DELETE', `admin/users/${id}`, {}, { apikey: backend.secretKey })
  await client.auth.verifyUser()
  await endsFor('notFound')
})

test.each([
  ['local', 'userLocal'],
  ['global', 'userGlobal'],
] as const)('%s: %s', async (scope, reason) => {
  const { client, refresh_token, endsFor } = await signedIn()
  expect(await client.auth.signOut({ scope })).toEqual({ ok: true, value: undefined })
  await endsFor(reason)
  expect((await refreshRaw(backend, refresh_token)).status).toBe(400)
})
