// Signing out against a simulated backend: the server is notified whatever the token's state, and nothing
// stays stored.
import { expect, test, vi } from 'vitest'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json, jwt, KEY, sessionBody, storedSession, type Asked } from '../harness/fake-backend.ts'

const LOGOUT = 'POST /auth/v1/logout'
const REFRESH = 'POST /auth/v1/token?grant_type=refresh_token'
const gone = () => new Response(null, { status: 204 })
const refusal = (code: string, message: string, status = 403) =>
  json({ code, message }, status, { 'x-supabase-api-version': '2024-01-01' })
const unknown = () => refusal('session_not_found', 'Session from session_id claim in JWT does not exist')
const ranOut = () => refusal('bad_jwt', 'invalid JWT: token is expired')

/** Auth server requests as `path token`. */
const calls = (asked: readonly Asked[]) =>
  asked.map(({ path, authorization }) => `${path.slice('/auth/v1/'.length)} ${authorization?.slice(7)}`)

async function signedIn(routes: Parameters<typeof startClient>[0]) {
  const started = startClient({ ...signIn, ...routes })
  await started.client.auth.signInWithPassword(credentials)
  started.requests.length = 0
  return started
}

test('a session that the server no longer knows is signed out', async () => {
  const { client } = await signedIn({ [LOGOUT]: unknown })
  expect(await client.auth.signOut()).toEqual({ ok: true, value: undefined })
  expect(client.status().session).toEqual({ phase: 'signedOut', reason: 'userLocal' })
})

test.each(['local', 'global'] as const)(
  '%s, with an expired token: the server is notified with a new one',
  async scope => {
    const { client, requests, storage } = await signedIn({
      [LOGOUT]: ({ authorization }) => (authorization === `Bearer ${jwt('first')}` ? ranOut() : gone()),
      [REFRESH]: () => json(sessionBody('second')),
    })
    expect(await client.auth.signOut({ scope })).toEqual({ ok: true, value: undefined })
    expect(calls(requests)).toEqual([
      `logout?scope=${scope} ${jwt('first')}`,
      `token?grant_type=refresh_token ${KEY}`,
      `logout?scope=${scope} ${jwt('second')}`,
    ])
    expect(await storage.getItem('sb-harbour-auth-token')).toBeNull()
  },
)

test.each([
  ['local', { ok: true, value: undefined }],
  ['global', { ok: false, failure: { kind: 'auth', code: 'refresh_token_not_found', status: 400 } }],
] as const)('%s, when no token can be obtained for the session any more', async (scope, result) => {
  const { client } = await signedIn({
    [LOGOUT]: ranOut,
    [REFRESH]: () =>
      refusal('refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found', 400),
  })
  expect(await client.auth.signOut({ scope })).toMatchObject(result)
  expect(client.status().session).toMatchObject({ phase: 'signedOut' })
})

test('others, with an expired token: notifies with a new one, and this session stays', async () => {
  const { client, requests } = await signedIn({
    [LOGOUT]: ({ authorization }) => (authorization === `Bearer ${jwt('first')}` ? ranOut() : gone()),
    [REFRESH]: () => json(sessionBody('second')),
  })
  expect(await client.auth.signOut({ scope: 'others' })).toEqual({ ok: true, value: undefined })
  expect(calls(requests).at(-1)).toBe(`logout?scope=others ${jwt('second')}`)
  expect(client.status().session).toMatchObject({ phase: 'authenticated' })
})

test('others, from a session that was revoked: fails and signs out', async () => {
  const { client } = await signedIn({ [LOGOUT]: unknown })
  expect(await client.auth.signOut({ scope: 'others' })).toMatchObject({
    ok: false,
    failure: { code: 'session_not_found' },
  })
  await vi.waitFor(() =>
    expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'remoteRevoked' }),
  )
})

test('before the stored session is read: it is removed and the server is notified', async () => {
  const { client, requests, storage } = startClient({ [LOGOUT]: gone }, { storage: storedSession('kept') })
  expect(await client.auth.signOut({ scope: 'global' })).toEqual({ ok: true, value: undefined })
  expect(calls(requests)).toEqual([`logout?scope=global ${jwt('kept')}`])
  expect(await storage.getItem('sb-harbour-auth-token')).toBeNull()
})

test('others, before the stored session is read: revokes with its token, and the session stays', async () => {
  const { client, requests, storage } = startClient({ [LOGOUT]: gone }, { storage: storedSession('kept') })
  expect(await client.auth.signOut({ scope: 'others' })).toEqual({ ok: true, value: undefined })
  expect(calls(requests)).toContain(`logout?scope=others ${jwt('kept')}`)
  expect(client.status().session).toMatchObject({ phase: 'authenticated' })
  expect(await storage.getItem('sb-harbour-auth-token')).not.toBeNull()
})

test('what redirects stored is removed, too', async () => {
  const { client, storage } = startClient({ ...signIn, [LOGOUT]: gone }, { flowType: 'pkce' })
  const kept: string[] = []
  const { setItem } = storage
  storage.setItem = (key, value) => {
    kept.push(key)
    return setItem.call(storage, key, value)
  }
  await client.auth.signInWithPassword(credentials)
  await client.supabase.auth.signInWithOAuth({ provider: 'github', options: { skipBrowserRedirect: true } })
  const verifiers = kept.filter(key => key.endsWith('-code-verifier'))
  expect(verifiers.length).toBeGreaterThan(1)
  await client.auth.signOut()
  for (const key of verifiers) expect([key, await storage.getItem(key)]).toEqual([key, null])
})

test('verifyUser with a session unknown to the server signs out for that reason', async () => {
  const { client } = await signedIn({ 'GET /auth/v1/user': unknown })
  expect(await client.auth.verifyUser()).toMatchObject({ ok: false, failure: { code: 'session_not_found' } })
  await vi.waitFor(() =>
    expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'remoteRevoked' }),
  )
})

test('a refresh before the stored session is read waits for it', async () => {
  const { client } = startClient(
    { [REFRESH]: () => json(sessionBody('new')) },
    { storage: storedSession('kept') },
  )
  expect(await client.auth.refresh()).toEqual({ ok: true, value: undefined })
})

test('a pending refresh fails when the client is disposed', async () => {
  const { client } = startClient({ ...signIn, [REFRESH]: () => new Promise<Response>(() => undefined) })
  await client.auth.signInWithPassword(credentials)
  const refreshed = client.auth.refresh()
  await client.dispose()
  const failure = { kind: 'disposed', message: 'The client was disposed.' }
  expect(await refreshed).toEqual({ ok: false, failure })
  expect(await client.auth.refresh()).toEqual({ ok: false, failure })
})
