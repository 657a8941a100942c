// Auth server responses that arrive after another tab has changed the stored session do not overwrite that
// change.
import { expect, test } from 'vitest'
import { memoryStorage } from '../../src/services/client/index.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json, sessionBody } from '../harness/fake-backend.ts'

const KEY = 'sb-harbour-auth-token'
const text = (name: string) => JSON.stringify({ ...sessionBody(name), received_at: Date.now() })

/** Signed in; `during` runs while the server handles a refresh or user request. */
async function during(change: (storage: ReturnType<typeof memoryStorage>) => unknown) {
  const storage = memoryStorage()
  const slowly = (body: unknown) => async () => {
    await change(storage)
    return json(body)
  }
  const { client } = startClient(
    {
      ...signIn,
      'POST /auth/v1/token?grant_type=refresh_token': slowly(sessionBody('second')),
      'GET /auth/v1/user': slowly({ ...sessionBody('first').user, email: 'skipper@sea.test' }),
    },
    { storage },
  )
  await client.auth.signInWithPassword(credentials)
  const stored = async () => {
    const found = await storage.getItem(KEY)
    return found === null ? null : (JSON.parse(found) as { refresh_token: string }).refresh_token
  }
  return { client, stored }
}

test('refresh: a rotation by another tab is kept and adopted', async () => {
  const { client, stored } = await during(storage => storage.setItem(KEY, text('other')))
  expect(await client.auth.refresh()).toMatchObject({ ok: true })
  expect(await stored()).toBe(sessionBody('other').refresh_token)
})

test('refresh: a sign-out in another tab is not reverted', async () => {
  const { client, stored } = await during(storage => storage.removeItem(KEY))
  await client.auth.refresh()
  await expect.poll(() => client.status().session.phase).toBe('signedOut')
  expect(await stored()).toBeNull()
})

test('refresh: a result without a concurrent change is stored', async () => {
  const { client, stored } = await during(() => undefined)
  expect(await client.auth.refresh()).toMatchObject({ ok: true })
  expect(await stored()).toBe(sessionBody('second').refresh_token)
})

test.each<[string, Parameters<typeof during>[0], string | undefined]>([
  ['rotation', storage => storage.setItem(KEY, text('other')), 'other'],
  ['sign-out', storage => storage.removeItem(KEY), undefined],
])('user update: the %s of another tab is not reverted', async (_, change, left) => {
  const { client, stored } = await during(change)
  await client.auth.verifyUser()
  expect(await stored()).toBe(left === undefined ? null : sessionBody(left).refresh_token)
})
