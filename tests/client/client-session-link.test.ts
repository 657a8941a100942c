// A page opened by a link or a provider redirect: signs in or reports why not, without secrets in the address
// or the recording.
import { describe, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../src/services/client/index.ts'
import { atAddress } from '../harness/address.ts'
import { startClient } from '../harness/client.ts'
import { json, jwt, sessionBody, storedSession } from '../harness/fake-backend.ts'

const APP = 'https://app.test/welcome'
const { user, ...link } = sessionBody('link')
const hash = (fields: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({
    ...link,
    expires_in: '3600',
    expires_at: String(link.expires_at),
    ...fields,
  }).toString()
const CODE = '5f0c2d0e-7a4b-4c59-9c8f-0b8f0e2f1a77'
const knows = { 'GET /auth/v1/user': () => json(user) }

test('tokens in the hash: the user is loaded, the session stored, and requests use it', async () => {
  const address = atAddress(`${APP}#${hash()}`)
  const { client, requests, storage } = startClient(knows)
  await vi.waitFor(() => expect(client.status().session.phase).toBe('authenticated'))
  expect(client.status().session).toMatchObject({
    user: { id: 'skipper-id', email: 'skipper@harbour.test' },
    userFreshness: 'verified',
    recovery: 'none',
  })
  expect(address.replaced).toEqual([APP])
  expect(await storage.getItem('sb-harbour-auth-token')).toContain('refresh-link-0123456789')
  await client.supabase.from('vessels').select()
  expect(requests.map(({ path, authorization }) => [path, authorization])).toEqual([
    ['/auth/v1/user', `Bearer ${jwt('link')}`],
    ['/rest/v1/vessels?select=*', `Bearer ${jwt('link')}`],
  ])
})

test('the address is cleaned before the app continues', () => {
  const address = atAddress(`${APP}#${hash()}`)
  startClient(knows)
  expect(address.href()).toBe(APP)
})

test('a recovery stays required until the password is set', async () => {
  atAddress(`${APP}#${hash({ type: 'recovery' })}`)
  const { client } = startClient({ ...knows, 'PUT /auth/v1/user': () => json(user) })
  await vi.waitFor(() => expect(client.status().session).toMatchObject({ recovery: 'active' }))
})

test("rejected tokens: the stored session stays, the link's failure is reported", async () => {
  atAddress(`${APP}#${hash()}`)
  const { client, storage } = startClient(
    { 'GET /auth/v1/user': () => json({ code: 'bad_jwt', message: 'token is expired' }, 403) },
    { storage: storedSession('kept') },
  )
  await vi.waitFor(() => expect(client.status().session.phase).toBe('authenticated'))
  expect(client.status().session).toMatchObject({ userFreshness: 'cached', linkFailure: { status: 403 } })
  expect(await storage.getItem('sb-harbour-auth-token')).toContain('refresh-kept-0123456789')
})

test('an invalid expiry time is not stored', async () => {
  atAddress(`${APP}#${hash({ expires_at: '1e999' })}`)
  const { client, storage } = startClient(knows)
  await vi.waitFor(() => expect(client.status().session).toMatchObject({ token: { skew: 0 } }))
  expect(JSON.parse((await storage.getItem('sb-harbour-auth-token')) ?? '')).not.toHaveProperty('expires_at')
})

describe('a code', () => {
  const withVerifier = async (verifier = 'the-verifier-0123456789') => {
    const storage = memoryStorage()
    await storage.setItem('sb-harbour-auth-token-code-verifier', JSON.stringify(verifier))
    return storage
  }

  test.each([
    ['', 'none'],
    ['/recovery', 'active'],
  ] as const)('is exchanged with the verifier that survived the page load%s', async (mark, recovery) => {
    const address = atAddress(`${APP}?code=${CODE}`)
    const storage = await withVerifier(`the-verifier-0123456789${mark}`)
    const exchange = { 'POST /auth/v1/token?grant_type=pkce': () => json(sessionBody('code')) }
    const { client, requests } = startClient(exchange, { storage, flowType: 'pkce' })
    await vi.waitFor(() => expect(client.status().session).toMatchObject({ recovery }))
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      auth_code: CODE,
      code_verifier: 'the-verifier-0123456789',
    })
    expect(address.href()).toBe(APP)
    expect(await storage.getItem('sb-harbour-auth-token-code-verifier')).toBeNull()
  })

  test('that was already used fails with an explanation', async () => {
    atAddress(`${APP}?code=${CODE}`)
    const used = { error_code: 'flow_state_not_found', msg: 'invalid flow state, no valid flow state found' }
    const { client } = startClient(
      { 'POST /auth/v1/token?grant_type=pkce': () => json(used, 404) },
      { storage: await withVerifier(), flowType: 'pkce' },
    )
    const failure = {
      kind: 'auth',
      code: 'flow_state_not_found',
      status: 404,
      message: 'This link or code has expired or was already used. Request a new one.',
    }
    await vi.waitFor(() =>
      expect(client.status().session).toEqual({
        phase: 'signedOut',
        reason: 'never',
        failure,
        linkFailure: failure,
      }),
    )
  })

  test('of another provider is ignored', async () => {
    const address = atAddress(`${APP}?code=4/0AX4&state=xyz`)
    const { client, requests } = startClient({}, { flowType: 'pkce' })
    await vi.waitFor(() => expect(client.status().session).toEqual({ phase: 'signedOut', reason: 'never' }))
    expect(address.href()).toBe(`${APP}?code=4/0AX4&state=xyz`)
    expect(requests).toEqual([])
  })
})

test('detectSessionInUrl: false ignores even our own hash', async () => {
  const address = atAddress(`${APP}#${hash()}`)
  const { client } = startClient({}, { detectSessionInUrl: false })
  await vi.waitFor(() => expect(client.status().session.phase).toBe('signedOut'))
  expect(address.replaced).toEqual([])
})

test('the recording contains no token, code or verifier', async () => {
  atAddress(`${APP}#${hash()}`)
  const { client } = startClient(knows)
  await vi.waitFor(() => expect(client.status().session.phase).toBe('authenticated'))
  const file = await client.recording.download()
  const text = await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text()
  expect(text).toContain('url.found')
  for (const secret of [link.access_token, link.refresh_token]) expect(text).not.toContain(secret)
})

describe('the user of a stored session', () => {
  test('is loaded from the server and stored', async () => {
    const { client, requests, storage } = startClient(
      { 'GET /auth/v1/user': () => json({ ...user, email: 'moved@harbour.test' }) },
      { storage: storedSession('kept') },
    )
    await vi.waitFor(() => expect(client.status().session).toMatchObject({ userFreshness: 'cached' }))
    const value = { id: 'skipper-id', email: 'moved@harbour.test' }
    expect(await client.auth.verifyUser()).toEqual({ ok: true, value })
    expect(client.status().session).toMatchObject({ user: value, userFreshness: 'verified' })
    expect(requests.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/auth/v1/user', `Bearer ${jwt('kept')}`],
    ])
    const stored = JSON.parse((await storage.getItem('sb-harbour-auth-token')) ?? '') as object
    expect(stored).toMatchObject({ refresh_token: 'refresh-kept-0123456789', user: value })
  })

  test('stays as stored when the server cannot be reached', async () => {
    const { client } = startClient(
      { 'GET /auth/v1/user': () => json({ code: 'bad', message: 'Bad.' }, 400) },
      { storage: storedSession('kept') },
    )
    expect(await client.auth.verifyUser()).toMatchObject({ ok: false })
    expect(client.status().session).toMatchObject({ phase: 'authenticated', userFreshness: 'cached' })
  })
})

describe('disposed client', () => {
  test('a pending sign-in fails as disposed, and its late response is not written', async () => {
    let answer: (response: Response) => void = () => undefined
    const { client, storage } = startClient({
      'POST /auth/v1/token?grant_type=password': () => new Promise<Response>(resolve => (answer = resolve)),
    })
    const signingIn = client.auth.signInWithPassword({ email: 'a@harbour.test', password: 'harbour-demo' })
    await vi.waitFor(() => expect(client.status().session.phase).toBe('authenticating'))
    await client.dispose()
    expect(await signingIn).toEqual({
      ok: false,
      failure: { kind: 'disposed', message: 'The client was disposed.' },
    })
    answer(json(sessionBody('late')))
    await new Promise(resolve => setImmediate(resolve))
    expect(await storage.getItem('sb-harbour-auth-token')).toBeNull()
    expect(client.status().session).toEqual({ phase: 'disposed' })
  })
})
