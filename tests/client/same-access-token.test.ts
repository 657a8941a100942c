// A server that signs with a shared secret issues the same access token again within a second, with another
// refresh token: that is a new session for the client all the same.
import { expect, test } from 'vitest'
import { json, sessionBody } from '../harness/fake-backend.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'

/** Each refresh returns the access token of the sign-in, and the next refresh token. */
const sameToken = () => {
  let count = 0
  return { ...sessionBody('first'), refresh_token: `refresh-${++count}-0123456789` }
}

function routes() {
  return { ...signIn, 'POST /auth/v1/token?grant_type=refresh_token': () => json(sameToken()) }
}

test('a refresh that returns the same access token ends, and is announced', async () => {
  const { client } = startClient(routes())
  const { auth } = client.supabase
  await auth.signInWithPassword(credentials)
  const events: string[] = []
  auth.onAuthStateChange(event => void events.push(event))
  const { data, error } = await auth.refreshSession()
  expect([error, data.session?.refresh_token]).toEqual([null, 'refresh-1-0123456789'])
  expect(client.status().session).toMatchObject({ phase: 'authenticated', token: { state: 'fresh' } })
  await expect.poll(() => events).toContain('TOKEN_REFRESHED')
})

test('a request that was rejected with 401 is sent again', async () => {
  const answers = [json({ code: 'PGRST303', message: 'JWT expired' }, 401), json([{ id: 1 }])]
  const { client } = startClient({
    ...routes(),
    'GET /rest/v1/vessels': () => answers.shift() ?? json([]),
  })
  await client.supabase.auth.signInWithPassword(credentials)
  const { data, status } = await client.supabase.from('vessels').select('id')
  expect([status, data]).toEqual([200, [{ id: 1 }]])
})

test('another tab’s refresh is adopted instead of spending the old refresh token', async () => {
  const { client, storage, requests } = startClient(routes())
  const { auth } = client.supabase
  await auth.signInWithPassword(credentials)
  const key = 'sb-harbour-auth-token'
  const stored = JSON.parse((await storage.getItem(key)) ?? '{}') as object
  await storage.setItem(key, JSON.stringify({ ...stored, refresh_token: 'refresh-other-tab' }))
  const { data } = await auth.refreshSession()
  expect(data.session?.refresh_token).toBe('refresh-other-tab')
  expect(requests.filter(({ path }) => path.includes('refresh_token'))).toEqual([])
})
