// Every sign-in method of the embedded backend, and the session state that results.
import { describe, expect, test, vi } from 'vitest'
import { TOTP } from 'otpauth'
import type { SessionStatus } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { atAddress } from '../harness/address.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient, type TestOptions } from '../harness/client.ts'
import { follow, mailTo, movableClock, newAddress } from '../harness/mail.ts'
import { signInAt } from '../harness/provider.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: { email: { enableConfirmations: true }, enableManualLinking: true },
})
const APP = `${backend.url}/welcome`

/** An app page: a client, and the URL helpers an app uses. */
function page(options: TestOptions = {}) {
  const { storage = memoryStorage() } = options
  const client = watchedClient({ url: backend.url, key: backend.publishableKey, ...options, storage })
  const session = (): SessionStatus => client.status().session
  const becomes = (part: object) => vi.waitFor(() => expect(session()).toMatchObject(part))
  return { client, auth: client.supabase.auth, storage, session, becomes }
}

/** The page that a link opens. */
async function pageOf(link: string | undefined, options: TestOptions = {}) {
  const { page: path, query, hash } = await follow(link)
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
  const rest = Object.keys(hash).length > 0 ? `#${new URLSearchParams(hash)}` : ''
  const address = atAddress(path + search + rest)
  return { ...page(options), address }
}

const fine = <Answer extends { data: unknown; error: unknown }>({ data, error }: Answer): Answer['data'] => {
  expect(error).toBeNull()
  return data
}

async function newcomer() {
  const email = newAddress()
  const made = page()
  fine(await made.auth.signInWithOtp({ email }))
  fine(await made.auth.verifyOtp({ email, token: mailTo(backend, email).otp, type: 'email' }))
  // No user gets two emails within a minute.
  clock.advance(61)
  return { ...made, email }
}

test('a code from an email', async () => {
  const { session, email } = await newcomer()
  expect(session()).toMatchObject({ phase: 'authenticated', user: { email }, userFreshness: 'verified' })
})

test('an account whose email must be confirmed first', async () => {
  const email = newAddress()
  const { auth, client, session } = page()
  expect(await client.auth.signUp({ email, password: 'harbour-demo' })).toEqual({
    ok: true,
    value: { user: { id: expect.any(String), email }, confirmationRequired: true },
  })
  expect(session()).toEqual({ phase: 'signedOut', reason: 'never' })
  fine(await auth.verifyOtp({ email, token: mailTo(backend, email).otp, type: 'email' }))
  expect(session()).toMatchObject({ phase: 'authenticated', user: { email } })
})

describe('a link from an email', () => {
  test('implicit: signs in and cleans the address', async () => {
    const email = newAddress()
    fine(await page().auth.signInWithOtp({ email, options: { emailRedirectTo: APP } }))
    const led = await pageOf(mailTo(backend, email).link)
    await led.becomes({ phase: 'authenticated', user: { email }, userFreshness: 'verified' })
    expect(led.address.href()).toBe(APP)
  })

  test('PKCE: signs in with the verifier that the previous page stored', async () => {
    const email = newAddress()
    const { auth, storage } = page({ flowType: 'pkce' })
    fine(await auth.signInWithOtp({ email, options: { emailRedirectTo: APP } }))
    const led = await pageOf(mailTo(backend, email).link, { flowType: 'pkce', storage })
    await led.becomes({ phase: 'authenticated', user: { email }, recovery: 'none' })
    expect(led.address.href()).toBe(APP)
  })

  test('PKCE in another browser: fails with an explanation', async () => {
    const email = newAddress()
    fine(await page({ flowType: 'pkce' }).auth.signInWithOtp({ email, options: { emailRedirectTo: APP } }))
    const led = await pageOf(mailTo(backend, email).link, { flowType: 'pkce' })
    await led.becomes({ phase: 'signedOut', linkFailure: { code: 'verifier_missing' } })
    expect(led.address.href()).toBe(APP)
  })

  test.each(['implicit', 'pkce'] as const)(
    '%s: a link that was already used fails with an explanation',
    async flowType => {
      const email = newAddress()
      const { auth, storage } = page({ flowType })
      fine(await auth.signInWithOtp({ email, options: { emailRedirectTo: APP } }))
      const { link } = mailTo(backend, email)
      await follow(link)
      const led = await pageOf(link, { flowType, storage })
      await led.becomes({ phase: 'signedOut', linkFailure: { code: 'otp_expired' } })
      expect(led.address.href()).toBe(APP)
    },
  )
})

test.each(['implicit', 'pkce'] as const)('%s: a forgotten password', async flowType => {
  const { email } = await newcomer()
  const { auth, storage } = page({ flowType })
  fine(await auth.resetPasswordForEmail(email, { redirectTo: APP }))
  const led = await pageOf(mailTo(backend, email).link, { flowType, storage })
  await led.becomes({ phase: 'authenticated', user: { email }, recovery: 'active' })
  fine(await led.auth.updateUser({ password: 'a-new-harbour' }))
  expect(led.session()).toMatchObject({ recovery: 'none' })
  fine(await page().auth.signInWithPassword({ email, password: 'a-new-harbour' }))
})

test('a provider, there and back', async () => {
  const { auth } = page()
  const { url } = fine(
    await auth.signInWithOAuth({
      provider: 'google',
      options: { redirectTo: APP, skipBrowserRedirect: true },
    }),
  )
  const { end } = await signInAt(url ?? '', { email: newAddress('elsewhere') })
  const address = atAddress(end.href)
  const led = page()
  await led.becomes({ phase: 'authenticated' })
  expect(fine(await led.auth.getSession()).session?.provider_token).toEqual(expect.any(String))
  expect(address.href()).toBe(APP)
})

test('a provider is linked to the signed-in user, who does not change, and unlinked again', async () => {
  const { auth, email, storage, session } = await newcomer()
  const options = { redirectTo: APP, skipBrowserRedirect: true }
  const { url } = fine(await auth.linkIdentity({ provider: 'google', options }))
  const { end } = await signInAt(url ?? '', { email: newAddress('elsewhere') })
  atAddress(end.href)
  const led = page({ storage })
  await led.becomes({ phase: 'authenticated', user: { email }, userFreshness: 'verified' })
  const before = session()
  expect(led.session()).toMatchObject({ user: 'user' in before ? before.user : 'nobody' })
  const { identities } = fine(await led.auth.getUserIdentities()) ?? { identities: [] }
  expect(identities.map(({ provider }) => provider).toSorted()).toEqual(['email', 'google'])
  const [linked] = identities.filter(({ provider }) => provider === 'google')
  fine(linked ? await led.auth.unlinkIdentity(linked) : { data: null, error: 'nothing is linked' })
  expect(fine(await led.auth.getUserIdentities())?.identities).toMatchObject([{ provider: 'email' }])
})

test('changing the email: both addresses must confirm, and until then the old one stays', async () => {
  const { auth, email, session } = await newcomer()
  const next = newAddress('moved')
  fine(await auth.updateUser({ email: next }))
  const before = session()
  expect(session()).toMatchObject({ user: { email, newEmail: next } })
  fine(await auth.verifyOtp({ email, token: mailTo(backend, email).otp, type: 'email_change' }))
  expect(session()).toEqual(before)
  fine(await auth.verifyOtp({ email: next, token: mailTo(backend, next).otp, type: 'email_change' }))
  expect(session()).toMatchObject({ phase: 'authenticated', user: { email: next } })
})

test('a guest becomes a permanent user with the same id', async () => {
  const { auth, session } = page()
  const { user } = fine(await auth.signInAnonymously())
  expect(session()).toMatchObject({ user: { id: user?.id, isAnonymous: true } })
  const email = newAddress('settled')
  fine(await auth.updateUser({ email }))
  fine(await auth.verifyOtp({ email, token: mailTo(backend, email).otp, type: 'email_change' }))
  expect(session()).toMatchObject({ phase: 'authenticated', user: { id: user?.id, email } })
  expect(session()).not.toMatchObject({ user: { isAnonymous: true } })
})

test('a second factor: enrolled, listed, challenged again and removed', async () => {
  const { auth, client, email, session } = await newcomer()
  fine(await auth.updateUser({ password: 'harbour-demo' }))
  const { id, totp } = fine(await auth.mfa.enroll({ factorType: 'totp' })) ?? {
    id: '',
    totp: { uri: 'otpauth://none' },
  }
  const secret = new URL(totp.uri).searchParams.get('secret') ?? ''
  const code = new TOTP({ secret }).generate({ timestamp: clock.now() })
  expect(session()).toMatchObject({ assurance: { level: 'aal1', next: 'aal1' } })
  fine(await auth.mfa.challengeAndVerify({ factorId: id, code }))
  expect(session()).toMatchObject({
    aal: 'aal2',
    assurance: { level: 'aal2', next: 'aal2', changed: 'raised' },
  })
  const later = page()
  fine(await later.auth.signInWithPassword({ email, password: 'harbour-demo' }))
  expect(later.session()).toMatchObject({ assurance: { level: 'aal1', next: 'aal2' } })
  fine(await auth.mfa.unenroll({ factorId: id }))
  expect(await client.auth.refresh()).toEqual({ ok: true, value: undefined })
  expect(session()).toMatchObject({ assurance: { level: 'aal1', next: 'aal1', changed: 'lowered' } })
})
