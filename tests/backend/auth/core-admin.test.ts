// Users as an admin: listed, created, changed, banned and deleted with the secret key.
import { hashSync } from 'bcryptjs'
import { beforeEach, describe, expect, test } from 'vitest'
import { ask, refreshRaw, refusal, signInRaw } from '../../harness/auth.ts'
import { officialClient, signedIn, startTestBackend } from '../../harness/backend.ts'
import { movableClock, newAddress } from '../../harness/mail.ts'

const clock = movableClock()
const backend = await startTestBackend({ clock })
const { admin } = officialClient(backend, backend.secretKey).auth
const asAdmin = { apikey: backend.secretKey }
const nobody = '11111111-1111-4111-8111-111111111111'

beforeEach(() => clock.advance(1))

async function makeUser(more: object = {}) {
  const email = newAddress('hand')
  const { data, error } = await admin.createUser({ email, password: 'aloft-1', email_confirm: true, ...more })
  if (error) throw error
  return { email, id: data.user.id, user: data.user }
}

describe('createUser', () => {
  test('creates a user with metadata, an identity and a password that signs in', async () => {
    const { email, user } = await makeUser({
      user_metadata: { rank: 'bosun' },
      app_metadata: { ship: 'Kittiwake' },
    })
    expect(user).toMatchObject({
      email,
      role: 'authenticated',
      email_confirmed_at: new Date(clock.now()).toISOString(),
      user_metadata: { rank: 'bosun', email_verified: true },
      app_metadata: { provider: 'email', providers: ['email'], ship: 'Kittiwake' },
      identities: [{ provider: 'email', identity_data: { email, sub: user.id } }],
    })
    await signInRaw(backend, { email, password: 'aloft-1' })
  })

  test('accepts an id and a password hash', async () => {
    const id = '22222222-2222-4222-8222-222222222222'
    const made = await makeUser({ id, password: undefined, password_hash: hashSync('from elsewhere', 4) })
    expect(made.id).toBe(id)
    await signInRaw(backend, { email: made.email, password: 'from elsewhere' })
  })

  test('an unconfirmed user cannot sign in', async () => {
    const { email } = await makeUser({ email_confirm: false })
    const answer = await ask(backend, 'POST', 'token?grant_type=password', { email, password: 'aloft-1' })
    expect(refusal(answer)).toEqual([400, 'email_not_confirmed', 'Email not confirmed'])
  })

  test.each([
    [{}, 400, 'validation_failed', 'Cannot create a user without either an email or phone'],
    [
      { email: 'Skipper@Harbour.test' },
      422,
      'email_exists',
      'A user with this email address has already been registered',
    ],
    [{ email: 'x@y.test', id: 'seven' }, 400, 'validation_failed', 'ID must conform to the uuid v4 format'],
    [
      { email: 'x@y.test', password: 'a', password_hash: 'b' },
      400,
      'validation_failed',
      'Only a password or a password hash should be provided',
    ],
    [
      { email: 'x@y.test', ban_duration: 'long' },
      400,
      'validation_failed',
      'invalid format for ban duration: time: invalid duration "long"',
    ],
  ])('rejects %j', async (body, ...words) => {
    expect(refusal(await ask(backend, 'POST', 'admin/users', body, asAdmin))).toEqual(words)
  })
})

describe('listUsers and getUserById', () => {
  test('returns pages, newest first, with a link to the next', async () => {
    // The demo's users may be younger than this clock: their snapshot may have been made after it was read.
    clock.advance(3_600)
    const newest = await makeUser()
    const { data, error } = await admin.listUsers({ page: 1, perPage: 2 })
    expect(error).toBeNull()
    const count = Number(
      (await ask(backend, 'GET', 'admin/users', undefined, asAdmin)).headers.get('x-total-count'),
    )
    expect([data.users[0]?.id, data.users.length]).toEqual([newest.id, 2])
    expect(data).toMatchObject({
      total: count,
      nextPage: 2,
      lastPage: Math.ceil(count / 2),
      aud: 'authenticated',
    })
    const { headers } = await ask(backend, 'GET', 'admin/users?page=2&per_page=1000', undefined, asAdmin)
    expect(headers.get('link')).toBe('</admin/users?page=1&per_page=1000>; rel="last"')
  })

  test.each([
    ['page=x', 'Bad Pagination Parameters: page is not a whole number'],
    ['sort=email', "Bad Sort Parameters: bad field for sort 'email'"],
  ])('rejects %s', async (query, message) => {
    const answer = await ask(backend, 'GET', `admin/users?${query}`, undefined, asAdmin)
    expect(refusal(answer)).toEqual([400, 'validation_failed', message])
  })

  test('returns a user by id', async () => {
    const { id, user } = await makeUser()
    // The response of a creation has no `confirmed_at` yet.
    const confirmed_at = user.email_confirmed_at
    expect((await admin.getUserById(id)).data.user).toEqual({ ...user, confirmed_at })
    const { error } = await admin.getUserById(nobody)
    expect([error?.status, error?.code, error?.message]).toEqual([404, 'user_not_found', 'User not found'])
  })
})

describe('updateUserById', () => {
  test('changes address, password, role and metadata, and ends the sessions', async () => {
    const { id, email } = await makeUser({ user_metadata: { rank: 'bosun' } })
    const session = await signInRaw(backend, { email, password: 'aloft-1' })
    const other = newAddress('renamed')
    const { data } = await admin.updateUserById(id, {
      email: other,
      email_confirm: true,
      password: 'below-2',
      role: 'harbour_master',
      user_metadata: { rank: null, watch: 'middle' },
      app_metadata: { ship: 'Marigold' },
    })
    expect(data.user).toMatchObject({
      email: other,
      role: 'harbour_master',
      user_metadata: { email_verified: true, watch: 'middle' },
      app_metadata: { ship: 'Marigold', provider: 'email' },
      identities: [{ identity_data: { email: other, email_verified: true } }],
    })
    expect((await refreshRaw(backend, session.refresh_token)).body['error_code']).toBe(
      'refresh_token_not_found',
    )
    await signInRaw(backend, { email: other, password: 'below-2' })
  })

  test('a ban lasts for the given time and can be lifted', async () => {
    const { id, email } = await makeUser()
    const { data } = await admin.updateUserById(id, { ban_duration: '1h30m' })
    const until = new Date(clock.now() + 5_400_000).toISOString()
    expect(Reflect.get(Object(data.user), 'banned_until')).toBe(until)
    const attempt = { email, password: 'aloft-1' }
    expect((await ask(backend, 'POST', 'token?grant_type=password', attempt)).body['error_code']).toBe(
      'user_banned',
    )
    await admin.updateUserById(id, { ban_duration: 'none' })
    await signInRaw(backend, attempt)
  })

  test('rejects an address of another user', async () => {
    const { id } = await makeUser()
    const { error } = await admin.updateUserById(id, { email: 'mate@harbour.test' })
    expect([error?.status, error?.code]).toEqual([422, 'email_exists'])
  })
})

describe('deleteUser', () => {
  test('deletes the user and all related rows', async () => {
    const { id, email } = await makeUser()
    const session = await signInRaw(backend, { email, password: 'aloft-1' })
    expect((await admin.deleteUser(id)).error).toBeNull()
    expect((await admin.getUserById(id)).error?.code).toBe('user_not_found')
    const headers = { authorization: `Bearer ${session.access_token}` }
    expect((await ask(backend, 'GET', 'user', undefined, headers)).body['error_code']).toBe('user_not_found')
    await makeUser({ email })
  })

  test('a soft delete leaves an anonymized row', async () => {
    const { id, email } = await makeUser({ user_metadata: { rank: 'bosun' } })
    expect((await admin.deleteUser(id, true)).error).toBeNull()
    const { data } = await admin.getUserById(id)
    expect(data.user).toMatchObject({
      user_metadata: {},
      app_metadata: {},
      identities: [{ provider: 'email' }],
    })
    expect(data.user?.identities?.[0]).not.toHaveProperty('identity_data')
    expect(Reflect.get(Object(data.user), 'deleted_at')).toBe(new Date(clock.now()).toISOString())
    expect(JSON.stringify(data.user)).not.toContain(email)
    await makeUser({ email })
  })
})

test('signOut ends the session of the given token', async () => {
  const { email } = await makeUser()
  const session = await signInRaw(backend, { email, password: 'aloft-1' })
  expect((await admin.signOut(session.access_token)).error).toBeNull()
  expect((await refreshRaw(backend, session.refresh_token)).status).toBe(400)
})

test('the audit log lists actions and their users, page by page', async () => {
  const { id, email } = await makeUser()
  await admin.deleteUser(id)
  const { body, headers } = await ask(
    backend,
    'GET',
    'admin/audit?query=action:user_deleted&per_page=1',
    undefined,
    asAdmin,
  )
  expect(body).toEqual([
    expect.objectContaining({
      payload: expect.objectContaining({
        action: 'user_deleted',
        actor_username: 'service_role',
        traits: { user_id: id, user_email: email, user_phone: '' },
      }),
    }),
  ])
  expect(Number(headers.get('x-total-count'))).toBeGreaterThan(0)
})

test.each(['admin/users', `admin/users/${nobody}`, 'admin/audit'])('%s requires a server key', async path => {
  const mate = await signedIn(backend, 'mate')
  const token = (await mate.auth.getSession()).data.session?.access_token
  const refused = [403, 'not_admin', 'User not allowed']
  expect(refusal(await ask(backend, 'GET', path, undefined, { authorization: `Bearer ${token}` }))).toEqual(
    refused,
  )
  expect(refusal(await ask(backend, 'GET', path))).toEqual(refused)
})
