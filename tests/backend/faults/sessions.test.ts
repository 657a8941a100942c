// Faults on sessions: expired tokens, sessions ended elsewhere, reused refresh tokens, a shifted clock.
import { describe, expect, test } from 'vitest'
import { signedIn, startOwnBackend } from '../../harness/backend.ts'
import { faultScene } from '../../harness/faults.ts'

const backend = await startOwnBackend()
const { given, story } = faultScene(backend)

const bearer = async (client: Awaited<ReturnType<typeof signedIn>>) =>
  (await client.auth.getSession()).data.session?.access_token ?? ''

describe('an expired token', () => {
  test.each([
    ['/rest/v1/vessels', 401, { code: 'PGRST303', message: 'JWT expired' }],
    ['/auth/v1/user', 403, { error_code: 'bad_jwt' }],
    ['/storage/v1/bucket', 400, { statusCode: '403', code: 'AccessDenied' }],
    ['/functions/v1/tide', 401, {}],
  ])('is rejected by %s in its own format', async (path, status, body) => {
    const skipper = await signedIn(backend, 'skipper')
    given({ id: 'tide', do: { token: 'expired' } })
    const headers = { apikey: backend.publishableKey, authorization: `Bearer ${await bearer(skipper)}` }
    const response = await fetch(`${backend.url}${path}`, { headers })
    expect([response.status, response.headers.get('x-chartroom-fault')]).toEqual([status, 'tide#1'])
    expect(await response.json()).toMatchObject(body)
  })

  test('leaves foreign tokens and keys unchanged', async () => {
    given({ do: { token: 'expired' } })
    const apikey = backend.publishableKey
    const ask = async (authorization: string) => {
      const response = await fetch(`${backend.url}/rest/v1/vessels`, { headers: { apikey, authorization } })
      const body: unknown = await response.json()
      return { status: response.status, body }
    }
    expect((await ask(`Bearer ${apikey}`)).status).toBe(200)
    expect(await ask('Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJza2lwcGVyIn0.')).toMatchObject({
      status: 401,
      body: { code: 'PGRST301' },
    })
  })
})

describe('a session', () => {
  test('that was ended elsewhere is not found and cannot be refreshed', async () => {
    const [skipper, other] = [await signedIn(backend, 'skipper'), await signedIn(backend, 'skipper')]
    given({
      id: 'ended',
      when: { family: 'auth', path: '/auth/v1/user' },
      do: { session: 'revoked' },
      times: 1,
    })
    const { error } = await skipper.auth.getUser(await bearer(skipper))
    expect(error?.name).toBe('AuthSessionMissingError')
    expect((await other.auth.getUser(await bearer(other))).error).toBe(null)
    expect((await skipper.auth.refreshSession()).error?.message).toBeDefined()
    expect(story()).toEqual(['ended#1 GET /auth/v1/user'])
  })

  test('whose refresh token was reused ends permanently; other sessions continue', async () => {
    const [skipper, other] = [await signedIn(backend, 'skipper'), await signedIn(backend, 'skipper')]
    const { data } = await skipper.auth.getSession()
    const refresh_token = data.session?.refresh_token ?? ''
    given({ id: 'thief', do: { session: 'reused' }, times: 1 })
    const again = { refresh_token }
    const first = await skipper.auth.refreshSession(again)
    const second = await skipper.auth.refreshSession(again)
    expect([first.error?.code, second.error?.code]).toEqual([
      'refresh_token_already_used',
      'refresh_token_already_used',
    ])
    expect((await other.auth.refreshSession()).error).toBe(null)
    expect(story()).toEqual(['thief#1 POST /auth/v1/token'])
  })
})

describe('the clock', () => {
  test('shifted forward expires tokens and marks every response; once removed, they are valid again', async () => {
    const skipper = await signedIn(backend, 'skipper')
    const headers = { apikey: backend.publishableKey, authorization: `Bearer ${await bearer(skipper)}` }
    const ask = async () => {
      const { status, headers: told } = await fetch(`${backend.url}/rest/v1/vessels`, { headers })
      return [status, told.get('x-chartroom-fault')]
    }
    given({ id: 'ahead', do: { clock: 2 * 3_600_000 } })
    expect(await ask()).toEqual([401, 'ahead#1'])
    given({ id: 'back', do: { clock: -2 * 3_600_000 } })
    expect(await ask()).toEqual([200, 'ahead#1, back#1'])
    backend.faults.clear()
    expect(await ask()).toEqual([200, null])
  })

  test('shifted back does not revive an expired copy', async () => {
    const skipper = await signedIn(backend, 'skipper')
    given({ do: { clock: -315_576_000_000 } }, { do: { token: 'expired' } })
    const headers = { apikey: backend.publishableKey, authorization: `Bearer ${await bearer(skipper)}` }
    expect((await fetch(`${backend.url}/rest/v1/vessels`, { headers })).status).toBe(401)
  })

  test('shifted so that a new session is already expired by the caller’s clock', async () => {
    given({ do: { clock: -2 * 3_600_000 } })
    const { data } = await (await signedIn(backend, 'mate')).auth.getSession()
    expect((data.session?.expires_at ?? 0) * 1_000).toBeLessThan(Date.now())
  })
})
