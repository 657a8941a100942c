// The contract with supabase-js 2.39: auth.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestBackend } from '../../harness/backend.ts'
import { olderClient } from './older-client.ts'

const backend = await startTestBackend({ auth: { external: {} } })
const password = 'an old but long password'
let count = 0
const newEmail = () => `older-${(count += 1)}@harbour.test`

async function newUser() {
  const client = olderClient(backend)
  const email = newEmail()
  const { data, error } = await client.auth.signUp({ email, password, options: { data: { rig: 'sloop' } } })
  expect(error).toBeNull()
  return { client, email, user: data.user, session: data.session }
}

test('signUp returns a user with metadata and a session', async () => {
  const { user, session, email } = await newUser()
  expect(user).toMatchObject({ email, role: 'authenticated', aud: 'authenticated' })
  expect(user?.user_metadata).toMatchObject({ rig: 'sloop' })
  expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
})

test('signInWithPassword only accepts the correct password', async () => {
  const { email, user } = await newUser()
  const client = olderClient(backend)
  const wrong = await client.auth.signInWithPassword({ email, password: 'not this one' })
  expect([wrong.error?.status, wrong.error?.message]).toEqual([400, 'Invalid login credentials'])
  const right = await client.auth.signInWithPassword({ email, password })
  expect([right.data.user?.id, right.error]).toEqual([user?.id, null])
})

test('refreshSession rotates, setSession accepts a pair, getUser reads it', async () => {
  const { client, session, user } = await newUser()
  const { data } = await client.auth.refreshSession()
  expect(data.session?.refresh_token).not.toBe(session?.refresh_token)
  const other = olderClient(backend)
  const taken = await other.auth.setSession({
    access_token: data.session?.access_token ?? '',
    refresh_token: data.session?.refresh_token ?? '',
  })
  expect([taken.error, (await other.auth.getUser()).data.user?.id]).toEqual([null, user?.id])
})

test('updateUser changes metadata and password', async () => {
  const { client, email } = await newUser()
  const { data, error } = await client.auth.updateUser({ data: { rig: 'yawl' }, password: `${password} two` })
  expect([error, data.user?.user_metadata.rig]).toEqual([null, 'yawl'])
  const again = await olderClient(backend).auth.signInWithPassword({ email, password: `${password} two` })
  expect(again.error).toBeNull()
})

test('signOut ends the session on the backend', async () => {
  const { client, session } = await newUser()
  expect((await client.auth.signOut()).error).toBeNull()
  const { error } = await client.auth.getUser(session?.access_token)
  expect(error?.status).toBe(403)
})

test('signInWithOtp and verifyOtp with the code from the inbox', async () => {
  const client = olderClient(backend)
  const email = newEmail()
  expect((await client.auth.signInWithOtp({ email })).error).toBeNull()
  const [mail] = backend.inbox.messages(email)
  const { data, error } = await client.auth.verifyOtp({ email, token: mail?.otp ?? '', type: 'email' })
  expect([error, data.user?.email]).toEqual([null, email])
})

test('mfa: enroll, challenge, verify, list and level', async () => {
  const { client } = await newUser()
  const { data: factor, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'old' })
  expect(error).toBeNull()
  const code = oneTimeCode(factor?.totp.secret ?? '', Date.now())
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code })
  expect(verified.error).toBeNull()
  const level = await client.auth.mfa.getAuthenticatorAssuranceLevel()
  expect([level.data?.currentLevel, level.data?.nextLevel]).toEqual(['aal2', 'aal2'])
  expect((await client.auth.mfa.listFactors()).data?.totp.map(({ id }) => id)).toEqual([factor?.id])
  expect((await client.auth.mfa.unenroll({ factorId: factor?.id ?? '' })).error).toBeNull()
})

test('admin: create, list, update and delete a user', async () => {
  const { admin } = olderClient(backend, backend.secretKey).auth
  const email = newEmail()
  const made = await admin.createUser({ email, password, email_confirm: true, app_metadata: { crew: 1 } })
  expect([made.error, made.data.user?.app_metadata.crew]).toEqual([null, 1])
  const id = made.data.user?.id ?? ''
  const listed = await admin.listUsers({ page: 1, perPage: 100 })
  expect(listed.data.users.some(user => user.id === id)).toBe(true)
  const changed = await admin.updateUserById(id, { user_metadata: { rig: 'ketch' } })
  expect(changed.data.user?.user_metadata).toMatchObject({ rig: 'ketch' })
  expect((await admin.deleteUser(id)).error).toBeNull()
  expect((await admin.getUserById(id)).error?.status).toBe(404)
})

/** RFC 6238 with SHA-1, six digits and steps of thirty seconds. */
function oneTimeCode(secret: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(secret, letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
