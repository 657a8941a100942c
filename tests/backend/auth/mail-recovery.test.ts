// Emails for existing accounts: password recovery, resent confirmations, reauthentication.
import { beforeEach, describe, expect, test } from 'vitest'
import { follow, mailTo, movableClock, newAddress } from '../../harness/mail.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: { email: { enableConfirmations: true, securePasswordChange: true } },
})
const skipper = backend.accounts[0] ?? { email: '', password: '' }

beforeEach(() => clock.advance(61))

describe('an unconfirmed sign-up', () => {
  async function signUp() {
    const client = officialClient(backend)
    const credentials = { email: newAddress(), password: 'a long password' }
    const { data, error } = await client.auth.signUp(credentials)
    expect(error).toBe(null)
    expect(data).toMatchObject({ session: null, user: { email: credentials.email } })
    return { client, credentials }
  }

  test('cannot sign in before the confirmation', async () => {
    const { client, credentials } = await signUp()
    const early = await client.auth.signInWithPassword(credentials)
    expect(early.error).toMatchObject({ code: 'email_not_confirmed', status: 400 })
    const mail = mailTo(backend, credentials.email)
    expect(mail.type).toBe('signup')
    await client.auth.verifyOtp({ email: mail.to, token: mail.otp, type: 'signup' })
    expect((await client.auth.signInWithPassword(credentials)).error).toBe(null)
  })

  test('gets a new email on request, which voids the first', async () => {
    const { client, credentials } = await signUp()
    clock.advance(61)
    const { error } = await client.auth.resend({ type: 'signup', email: credentials.email })
    expect(error).toBe(null)
    const [again, before] = backend.inbox.messages(credentials.email)
    expect((await follow(before?.link)).hash['error_code']).toBe('otp_expired')
    expect((await follow(again?.link)).hash['type']).toBe('signup')
    clock.advance(61)
    await client.auth.resend({ type: 'signup', email: credentials.email })
    expect(backend.inbox.messages(credentials.email)).toHaveLength(2)
  })

  test('does not reveal that the address is taken', async () => {
    const client = officialClient(backend)
    const taken = await client.auth.signUp({ email: skipper.email, password: 'another password' })
    const free = await client.auth.signUp({ email: newAddress(), password: 'another password' })
    const shape = ({ data }: typeof taken) => Object.keys(data.user ?? {}).sort()
    expect(shape(taken)).toEqual(shape(free))
    expect(taken.data.user?.identities).toEqual([])
    expect(backend.inbox.messages(skipper.email)).toEqual([])
  })
})

test('an email link lets the user replace a forgotten password', async () => {
  const client = officialClient(backend)
  expect((await client.auth.resetPasswordForEmail(skipper.email)).error).toBe(null)
  const { tokenHash, type, link } = mailTo(backend, skipper.email)
  expect(type).toBe('recovery')
  expect(new URL(link ?? '').searchParams.get('type')).toBe('recovery')
  const verified = await client.auth.verifyOtp({ token_hash: tokenHash ?? '', type: 'recovery' })
  expect(verified.error).toBe(null)
  expect((await client.auth.updateUser({ password: 'a new password' })).error).toBe(null)
  const renewed = { email: skipper.email, password: 'a new password' }
  expect((await client.auth.signInWithPassword(renewed)).error).toBe(null)
})

test('does not reveal which addresses are known', async () => {
  const client = officialClient(backend)
  const email = newAddress()
  expect((await client.auth.resetPasswordForEmail(email)).error).toBe(null)
  expect((await client.auth.resend({ type: 'signup', email })).error).toBe(null)
  expect(backend.inbox.messages(email)).toEqual([])
})

test('in an old session, a password changes once with a reauthentication code', async () => {
  const client = officialClient(backend)
  const email = newAddress()
  await client.auth.signInWithOtp({ email })
  await client.auth.verifyOtp({ email, token: mailTo(backend, email).otp, type: 'email' })
  clock.advance(24 * 3_600 + 1)
  await client.auth.refreshSession()
  const needed = await client.auth.updateUser({ password: 'first new password' })
  expect(needed.error).toMatchObject({ code: 'reauthentication_needed', status: 400 })

  expect((await client.auth.reauthenticate()).error).toBe(null)
  const mail = mailTo(backend, email)
  expect({ type: mail.type, link: mail.link }).toEqual({ type: 'reauthentication', link: undefined })
  const wrong = await client.auth.updateUser({ password: 'first new password', nonce: '000' })
  expect(wrong.error).toMatchObject({ code: 'reauthentication_not_valid', status: 422 })
  const right = await client.auth.updateUser({ password: 'first new password', nonce: mail.otp })
  expect(right.error).toBe(null)
  const again = await client.auth.updateUser({ password: 'second new password', nonce: mail.otp })
  expect(again.error).toMatchObject({ code: 'reauthentication_not_valid', status: 422 })
})

test('reauthentication needs a session and an address', async () => {
  const client = officialClient(backend)
  expect((await client.auth.reauthenticate()).error?.name).toBe('AuthSessionMissingError')
  await client.auth.signInAnonymously()
  expect((await client.auth.reauthenticate()).error).toMatchObject({ code: 'validation_failed', status: 400 })
})
