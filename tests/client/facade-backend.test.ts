// The official auth methods over our session and the embedded backend: what only the combination shows.
import { TOTP } from 'otpauth'
import { expect, test, vi } from 'vitest'
import { memoryStorage } from '../../src/services/client/index.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient } from '../harness/client.ts'
import { follow, mailTo, newAddress } from '../harness/mail.ts'

const backend = await startTestBackend()

function start(flowType: 'implicit' | 'pkce' = 'implicit') {
  const { url, publishableKey: key } = backend
  const client = watchedClient({
    url,
    key,
    flowType,
    storage: memoryStorage(),
  })
  const received: string[] = []
  client.supabase.auth.onAuthStateChange(event => void received.push(event))
  return { client, auth: client.supabase.auth, received }
}
type Client = ReturnType<typeof start>['client']

/** Every stimulus and step recorded so far, as text. */
const recorded = ({ recording }: Client) => JSON.stringify([recording.trace.stimuli, recording.trace.steps])

test('an email code, a second factor, a new password: the recording contains none of them', async () => {
  const { client, auth, received } = start()
  const email = newAddress('facade')
  const password = 'a unique password'
  expect((await auth.signInWithOtp({ email })).error).toBeNull()
  const { otp: token } = mailTo(backend, email)
  expect((await auth.verifyOtp({ email, token, type: 'email' })).data.user?.email).toBe(email)
  const { data: factor } = await auth.mfa.enroll({ factorType: 'totp' })
  const secret = factor?.totp.secret ?? ''
  const code = new TOTP({ secret }).generate()
  expect((await auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code })).error).toBeNull()
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
  })
  expect((await auth.updateUser({ password })).error).toBeNull()
  expect((await auth.refreshSession()).error).toBeNull()
  const { data } = await auth.getSession()
  const reported = ['SIGNED_IN', 'MFA_CHALLENGE_VERIFIED', 'USER_UPDATED', 'TOKEN_REFRESHED']
  expect(received).toEqual(['INITIAL_SESSION', ...reported])
  expect(client.status().session).toMatchObject({ phase: 'authenticated', aal: 'aal2' })
  const text = recorded(client)
  const { access_token, refresh_token } = data.session ?? {}
  for (const hidden of [token, secret, code, password, access_token, refresh_token])
    expect(text).not.toContain(hidden ?? 'a session')
})

test('a PKCE password recovery: the code is exchanged with the stored verifier', async () => {
  const { client, auth, received } = start('pkce')
  const email = newAddress('forgetful')
  await auth.signUp({ email, password: 'the first password' })
  await auth.signOut()
  expect((await auth.resetPasswordForEmail(email)).error).toBeNull()
  const { query } = await follow(mailTo(backend, email).link)
  expect((await auth.exchangeCodeForSession(query['code'] ?? '')).data.user?.email).toBe(email)
  expect(client.status().session).toMatchObject({ phase: 'authenticated', recovery: 'active' })
  expect((await auth.updateUser({ password: 'the second password' })).error).toBeNull()
  expect(client.status().session).toMatchObject({ phase: 'authenticated', recovery: 'none' })
  expect(received.slice(-2)).toEqual(['PASSWORD_RECOVERY', 'USER_UPDATED'])
})

test('other sessions are signed out from here, and find out with their next request', async () => {
  const credentials = { email: newAddress('twice'), password: 'harbour-demo' }
  const [here, there] = [start(), start()]
  await here.auth.signUp(credentials)
  await there.auth.signInWithPassword(credentials)
  expect(await here.auth.signOut({ scope: 'others' })).toEqual({ error: null })
  expect((await here.auth.getUser()).error).toBeNull()
  expect((await there.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  await vi.waitFor(() => expect(there.received.at(-1)).toBe('SIGNED_OUT'))
  expect(there.client.status().session).toMatchObject({ phase: 'signedOut', reason: 'remoteRevoked' })
  expect(here.received).toEqual(['INITIAL_SESSION', 'SIGNED_IN'])
})
