// A user's identities: listed, linked manually, unlinked; and when linking or unlinking is refused.
import type { SupabaseClient, User } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { signInAt, type Choice } from '../../harness/provider.ts'

const backend = await startTestBackend({ auth: { email: { maxFrequencySeconds: 0 } } })
let people = 0

const newAddress = () => `person-${++people}@sea.test`

const newcomer = async (email = newAddress()) => {
  const { auth } = officialClient(backend)
  const { data, error } = await auth.signUp({ email, password: 'harbour-demo' })
  if (error) throw error
  return { auth, email, id: data.user?.id ?? '' }
}

type Auth = SupabaseClient['auth']

/** Links an identity on the provider's page; returns the parameters of the redirect. */
const link = async (auth: Auth, choice: Choice, provider: 'google' | 'github' = 'google') => {
  const { data, error } = await auth.linkIdentity({ provider, options: { skipBrowserRedirect: true } })
  if (error) throw error
  return signInAt(data.url ?? '', choice)
}

const identitiesOf = async (auth: Auth) => {
  const { data, error } = await auth.getUserIdentities()
  if (error) throw error
  return data.identities
}

const providersOf = async (auth: Auth) =>
  (await identitiesOf(auth)).map(({ provider }) => provider).toSorted()

const userOf = async (auth: Auth): Promise<User | null> => (await auth.getUser()).data.user

describe('linkIdentity', () => {
  test('adds an identity, even with another address', async () => {
    const { auth, email, id } = await newcomer()
    const { hash } = await link(auth, { email: newAddress(), name: 'Other Me' })
    expect(typeof hash['access_token']).toBe('string')
    expect(await providersOf(auth)).toEqual(['email', 'google'])
    expect(await userOf(auth)).toMatchObject({
      id,
      email,
      app_metadata: { provider: 'email', providers: ['email', 'google'] },
    })
    const { data } = await officialClient(backend).auth.getUser(hash['access_token'])
    expect(data.user?.id).toBe(id)
  })

  test('adds an identity by ID token', async () => {
    const { auth, id } = await newcomer()
    const page = new URLSearchParams({
      client_id: 'chartroom',
      response_type: 'id_token',
      redirect_uri: `${backend.url}/`,
    })
    const start = `${backend.url}/_chartroom/oauth/google?${page}`
    const { hash } = await signInAt(start, { email: newAddress() })
    const { data, error } = await auth.linkIdentity({ provider: 'google', token: hash['id_token'] ?? '' })
    expect([data.user?.id, error]).toEqual([id, null])
    expect(await providersOf(auth)).toEqual(['email', 'google'])
  })

  test('makes an anonymous user permanent', async () => {
    const { auth } = officialClient(backend)
    const { data } = await auth.signInAnonymously()
    const email = newAddress()
    await link(auth, { email })
    await auth.refreshSession()
    expect(await userOf(auth)).toMatchObject({ id: data.user?.id, email, is_anonymous: false })
    expect((await auth.getClaims()).data?.claims).toMatchObject({ is_anonymous: false, email })
  })

  test('asks an anonymous user to confirm an unverified address', async () => {
    const { auth } = officialClient(backend)
    await auth.signInAnonymously()
    const email = newAddress()
    const mail = backend.inbox.next(email)
    expect((await link(auth, { email, verified: false })).query).toMatchObject({
      error_code: 'email_not_confirmed',
    })
    expect((await mail).type).toBe('signup')
    expect(await providersOf(auth)).toEqual(['google'])
  })

  test('rejects an identity that is already linked, to this or another user', async () => {
    const { auth } = await newcomer()
    const choice = { email: newAddress() }
    await link(auth, choice)
    const again = { error: 'server_error', error_code: 'identity_already_exists' }
    expect((await link(auth, choice)).query).toEqual({
      ...again,
      error_description: 'Identity is already linked',
    })
    expect((await link((await newcomer()).auth, choice)).query).toEqual({
      ...again,
      error_description: 'Identity is already linked to another user',
    })
  })

  test("rejects an anonymous user with another user's address", async () => {
    const { email } = await newcomer()
    const { auth } = officialClient(backend)
    await auth.signInAnonymously()
    expect((await link(auth, { email })).query).toEqual({
      error: 'invalid_request',
      error_code: 'email_exists',
      error_description: 'A user with this email address has already been registered',
    })
    expect(await userOf(auth)).toMatchObject({ is_anonymous: true, identities: [] })
  })

  test('requires a signed-in user', async () => {
    const response = await fetch(`${backend.url}/auth/v1/user/identities/authorize?provider=google`, {
      headers: { apikey: backend.publishableKey },
    })
    expect([response.status, await response.json()]).toMatchObject([401, { error_code: 'no_authorization' }])
  })
})

describe('unlinkIdentity', () => {
  test("removes one, and its address moves to another identity's", async () => {
    const { auth, email } = await newcomer()
    const other = newAddress()
    await link(auth, { email: other })
    const [first] = (await identitiesOf(auth)).filter(({ provider }) => provider === 'email')
    expect((await auth.unlinkIdentity(first!)).error).toBe(null)
    expect(await userOf(auth)).toMatchObject({
      email: other,
      app_metadata: { provider: 'google', providers: ['google'] },
    })
    expect(
      (await officialClient(backend).auth.signInWithPassword({ email, password: 'harbour-demo' })).error
        ?.code,
    ).toBe('invalid_credentials')
  })

  test("keeps the user's address if another identity has it", async () => {
    const { auth, email } = await newcomer()
    await link(auth, { email })
    const [google] = (await identitiesOf(auth)).filter(({ provider }) => provider === 'google')
    await auth.unlinkIdentity(google!)
    expect([await providersOf(auth), (await userOf(auth))?.email]).toEqual([['email'], email])
  })

  test('keeps the last one', async () => {
    const { auth } = await newcomer()
    const [only] = await identitiesOf(auth)
    expect((await auth.unlinkIdentity(only!)).error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
      message: 'User must have at least 1 identity after unlinking',
    })
  })

  test("only finds the user's own identities", async () => {
    const [mine, theirs] = [await newcomer(), await newcomer()]
    await link(mine.auth, { email: newAddress() })
    const [foreign] = await identitiesOf(theirs.auth)
    expect((await mine.auth.unlinkIdentity(foreign!)).error).toMatchObject({
      status: 422,
      code: 'identity_not_found',
      message: "Identity doesn't exist",
    })
    expect((await mine.auth.unlinkIdentity({ ...foreign!, identity_id: 'x' })).error).toMatchObject({
      status: 404,
      code: 'validation_failed',
    })
    expect(await providersOf(theirs.auth)).toEqual(['email'])
  })

  test('is refused if the remaining address belongs to another user', async () => {
    const { email } = await newcomer()
    const { auth } = await newcomer()
    await link(auth, { email })
    const [own] = (await identitiesOf(auth)).filter(({ provider }) => provider === 'email')
    expect((await auth.unlinkIdentity(own!)).error).toMatchObject({
      status: 422,
      code: 'email_conflict_identity_not_deletable',
    })
    expect(await providersOf(auth)).toEqual(['email', 'google'])
  })
})

test('without manual linking, identities can be neither linked nor unlinked', async () => {
  const strict = await startTestBackend({ auth: { enableManualLinking: false } })
  const { auth } = officialClient(strict)
  await auth.signUp({ email: newAddress(), password: 'harbour-demo' })
  const refused = { status: 404, code: 'manual_linking_disabled', message: 'Manual linking is disabled' }
  const [own] = await identitiesOf(auth)
  expect((await auth.linkIdentity({ provider: 'google' })).error).toMatchObject(refused)
  expect((await auth.unlinkIdentity(own!)).error).toMatchObject(refused)
})
