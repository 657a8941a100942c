// To whose account a social identity leads: linked by verified addresses alone, and safe from accounts made in advance.
import { beforeEach, describe, expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { signInAt, type Choice, type Returned } from '../../harness/provider.ts'

const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
const backend = await startTestBackend({ clock, auth: { email: { enableConfirmations: true } } })
const admin = officialClient(backend, backend.secretKey).auth.admin
let people = 0

beforeEach(() => {
  clock.ahead += 5_000
})

const newAddress = () => `link-${++people}@sea.test`

const comeBy = (provider: 'google' | 'github', choice: Choice): Promise<Returned> =>
  signInAt(`${backend.url}/auth/v1/authorize?provider=${provider}`, choice)

const userOf = async ({ hash }: Returned) => {
  const { data, error } = await officialClient(backend).auth.getUser(hash['access_token'] ?? 'none')
  if (error) throw error
  return data.user
}

const confirmedUser = async (email: string, password = 'harbour-demo') => {
  const { data, error } = await admin.createUser({ email, password, email_confirm: true })
  if (error) throw error
  return data.user
}

const providersOf = (user: { identities?: { provider: string }[] } | null) =>
  user?.identities?.map(({ provider }) => provider).toSorted()

describe('a verified address', () => {
  test('links to the account that has it, whatever its case', async () => {
    const email = newAddress()
    const owner = await confirmedUser(email)
    const user = await userOf(await comeBy('google', { email: email.toUpperCase(), name: 'Ann' }))
    expect([user.id, providersOf(user), user.app_metadata['providers']]).toEqual([
      owner.id,
      ['email', 'google'],
      ['email', 'google'],
    ])
    expect(user.user_metadata).toMatchObject({ full_name: 'Ann' })
    const signedIn = await officialClient(backend).auth.signInWithPassword({
      email,
      password: 'harbour-demo',
    })
    expect(signedIn.error).toBe(null)
  })

  test('links a second provider to an account that began with one', async () => {
    const email = newAddress()
    const [first, second] = [await comeBy('google', { email }), await comeBy('github', { email })]
    expect((await userOf(second)).id).toBe((await userOf(first)).id)
    expect(providersOf(await userOf(second))).toEqual(['github', 'google'])
  })

  test('takes over an account that nobody confirmed: its password, metadata and identities go', async () => {
    const email = newAddress()
    const squatter = officialClient(backend)
    await squatter.auth.signUp({ email, password: 'squatter', options: { data: { mine: true } } })
    const user = await userOf(await comeBy('google', { email, name: 'True Owner' }))
    expect([providersOf(user), user.app_metadata['providers']]).toEqual([['google'], ['google']])
    expect(user.user_metadata).not.toHaveProperty('mine')
    expect(user.email_confirmed_at).toEqual(expect.any(String))
    const { error } = await squatter.auth.signInWithPassword({ email, password: 'squatter' })
    expect(error?.code).toBe('invalid_credentials')
  })
})

describe('an address that the provider has not verified', () => {
  test('makes an account that must be confirmed first', async () => {
    const email = newAddress()
    const mail = backend.inbox.next(email)
    const { query, hash } = await comeBy('google', { email, verified: false })
    const body = {
      error: 'access_denied',
      error_code: 'provider_email_needs_verification',
      error_description:
        'Unverified email with google. A confirmation email has been sent to your google email',
    }
    expect([query, hash]).toEqual([body, { ...body, sb: '' }])
    const { tokenHash = '' } = await mail
    const { data } = await officialClient(backend).auth.verifyOtp({ type: 'email', token_hash: tokenHash })
    expect([data.user?.email, providersOf(data.user)]).toEqual([email, ['google']])
    expect((await userOf(await comeBy('google', { email, verified: false }))).id).toBe(data.user?.id)
  })

  test('never links to the account that has it', async () => {
    const email = newAddress()
    const owner = await confirmedUser(email)
    const { query } = await comeBy('github', { email, verified: false })
    expect(query).toEqual({
      error: 'access_denied',
      error_code: 'provider_email_needs_verification',
      error_description: 'Unverified email with github. Verify the email with github in order to sign in',
    })
    expect(providersOf((await admin.getUserById(owner.id)).data.user)).toEqual(['email'])
    // Two accounts now lay claim to the address, and nobody is let in by it.
    expect((await comeBy('google', { email })).query).toMatchObject({ error_code: 'conflict' })
  })
})

describe('where sign-up needs no confirmation, an address that the provider has not verified', async () => {
  const open = await startTestBackend()
  const arrive = (choice: Choice) => signInAt(`${open.url}/auth/v1/authorize?provider=google`, choice)
  const owners = officialClient(open, open.secretKey).auth.admin

  test('never links to the account that has it', async () => {
    const before = (await owners.listUsers()).data.users.find(user => user.email === 'skipper@harbour.test')
    const { query, hash } = await arrive({ email: 'skipper@harbour.test', verified: false })
    expect(query).toMatchObject({ error_code: 'provider_email_needs_verification' })
    expect(hash).not.toHaveProperty('access_token')
    const after = (await owners.getUserById(before?.id ?? '')).data.user
    expect(providersOf(after)).toEqual(['email'])
    expect(after?.user_metadata).toEqual(before?.user_metadata)
  })

  test('makes an account of its own', async () => {
    const { hash } = await arrive({ email: 'new@sea.test', verified: false })
    const { data } = await officialClient(open).auth.getUser(hash['access_token'])
    expect([data.user?.email, providersOf(data.user)]).toEqual(['new@sea.test', ['google']])
  })
})

test('a banned user is refused', async () => {
  const email = newAddress()
  const user = await userOf(await comeBy('google', { email }))
  await admin.updateUserById(user.id, { ban_duration: '1h' })
  expect((await comeBy('google', { email })).query).toEqual({
    error: 'access_denied',
    error_code: 'user_banned',
    error_description: 'User is banned',
  })
})

describe('with sign-up closed', async () => {
  const closed = await startTestBackend({ auth: { enableSignup: false } })
  const address = `${closed.url}/auth/v1/authorize?provider=google`

  test('nobody new comes in', async () => {
    expect((await signInAt(address, { email: 'new@sea.test' })).query).toEqual({
      error: 'access_denied',
      error_code: 'signup_disabled',
      error_description: 'Signups not allowed for this instance',
    })
  })

  test('who has an account does', async () => {
    const { hash } = await signInAt(address, { person: 'skipper@harbour.test' })
    const { data } = await officialClient(closed).auth.getUser(hash['access_token'])
    expect([data.user?.email, providersOf(data.user)]).toEqual(['skipper@harbour.test', ['email', 'google']])
  })
})
