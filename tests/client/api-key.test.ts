// A refused API key: never a reason to refresh, to sign out or to repeat; and another key continues the session.
import { expect, onTestFinished, test, vi } from 'vitest'
import { startClient } from '../harness/client.ts'
import { type Answer, json, KEY, sessionBody, storedSession, URL_BASE } from '../harness/fake-backend.ts'
import { REFUSALS } from './refusals.ts'

const OTHER = 'sb_publishable_harbour_9876543210'
const refreshesIn = (requests: readonly { readonly path: string }[]) =>
  requests.filter(({ path }) => path.includes('grant_type=refresh_token')).length
const refresh = { 'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('renewed')) }
const isOfToken = (expected: string | undefined) =>
  expected === 'tokenExpired' || expected === 'tokenRejected'

const PATHS = {
  rest: '/rest/v1/vessels',
  storage: '/storage/v1/bucket',
  functions: '/functions/v1/tide',
} as const

test.each(
  REFUSALS.flatMap(each => {
    const { family, bearer, status } = each
    if (family === 'auth' || family === 'realtime' || family === 'other' || bearer !== undefined) return []
    return [[family, status, JSON.stringify(each.body).slice(0, 80), each] as const]
  }),
)(
  '%s %s %s reaches the app, and only a refused token is refreshed, once',
  async (family, status, _text, each) => {
    const { body, headers, expected } = each
    const path = each.path ?? PATHS[family]
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const refused: Answer = ({ method }) =>
      method === 'GET' ? new Response(text, { status, headers: { ...headers } }) : json({})
    const { client, requests } = startClient(
      { ...refresh, [`GET ${path}`]: refused },
      { storage: storedSession('skipper') },
    )
    const response = await client.fetch(path)
    expect([response.status, await response.text()]).toEqual([status, text])
    const isSilent = expected === undefined && status === 401 && family !== 'functions'
    expect(refreshesIn(requests)).toBe(isOfToken(expected) || isSilent ? 1 : 0)
    expect(client.status().session.phase).toBe('authenticated')
  },
)

/** Refuses every key but one, like a gateway. */
function gateway(accepted: () => string, families = ['auth', 'rest', 'storage', 'functions', 'realtime']) {
  const routes: Record<string, Answer> = {}
  const guarded =
    (answer: Answer): Answer =>
    (asked, n) =>
      asked.apikey === accepted()
        ? answer(asked, n)
        : json({ message: 'Invalid API key', hint: 'Double check your API key.' }, 401)
  for (const family of families)
    for (const method of ['GET', 'POST', 'HEAD'])
      routes[`${method} /${family}/v1`] = guarded(({ path }) =>
        path.includes('grant_type=refresh_token') ? json(sessionBody('renewed')) : json([]),
      )
  return routes
}

test('a rejected key is a separate state: no refresh, no sign-out, no retry', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { client, requests } = startClient(
    gateway(() => OTHER),
    { storage: storedSession('skipper') },
  )
  const { data, error } = await client.supabase.from('vessels').select()
  expect([data, error?.message, error?.hint]).toEqual([null, 'Invalid API key', 'Double check your API key.'])
  await vi.waitFor(() => expect(client.status().key.state).toBe('rejected'))
  expect(client.status().key).toEqual({
    state: 'rejected',
    refusedBy: ['auth', 'rest'],
    refusal: 'keyRejected',
    isChecking: false,
  })
  expect(requests.filter(({ path }) => path.startsWith('/rest/v1/vessels'))).toHaveLength(1)
  expect(refreshesIn(requests)).toBe(0)
  const { session } = client.status()
  expect(session.phase === 'authenticated' && [session.token.state, session.token.paused]).toEqual([
    'fresh',
    'keyRefused',
  ])
  expect(await client.auth.refresh()).toMatchObject({ ok: false, failure: { kind: 'apiKey' } })
  expect(refreshesIn(requests)).toBe(0)
  // Nothing is asked again without a reason.
  const before = requests.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests.length).toBe(before)
})

test('an expired token is not refreshed with a rejected key: requests fail at once, and another key goes on', async () => {
  let accepted = OTHER
  const { client, requests } = startClient(
    gateway(() => accepted),
    {
      storage: storedSession('skipper', { age: 4000 }),
      timings: { tokenTimeout: 60_000 },
    },
  )
  await vi.waitFor(() => expect(client.status().key.state).toBe('rejected'))
  expect(refreshesIn(requests)).toBe(1)
  const started = performance.now()
  await expect(client.fetch('/rest/v1/vessels')).rejects.toMatchObject({
    failure: { kind: 'apiKey', code: 'keyRejected' },
  })
  expect(performance.now() - started).toBeLessThan(2_000)
  expect(client.status().session.phase).toBe('authenticated')
  expect(refreshesIn(requests)).toBe(1)
  client.replaceKey(OTHER)
  await vi.waitFor(() => expect(client.status().key.state).toBe('accepted'))
  const response = await client.fetch('/rest/v1/vessels')
  expect(response.status).toBe(200)
  expect(refreshesIn(requests)).toBe(2)
  const last = requests.at(-1)
  expect([last?.apikey, last?.authorization?.includes(KEY)]).toEqual([OTHER, false])
  // A key that is replaced on the backend once more.
  accepted = KEY
  await client.fetch('/rest/v1/vessels')
  await vi.waitFor(() => expect(client.status().key.state).toBe('accepted'))
})

test('the services that refuse the key are named when others accept it, and refreshes go on', async () => {
  const { client, requests } = startClient(
    { ...refresh, ...gateway(() => OTHER, ['rest']) },
    { storage: storedSession('skipper') },
  )
  await client.fetch('/rest/v1/vessels')
  await vi.waitFor(() => expect(client.status().key.state).toBe('rejected'))
  expect(client.status().key.refusedBy).toEqual(['rest'])
  expect(await client.auth.refresh()).toEqual({ ok: true, value: undefined })
  expect(refreshesIn(requests)).toBe(1)
})

test('an app’s own words about a key do not make the key rejected', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { client, requests } = startClient(
    { 'GET /rest/v1/rpc/partner': () => json({ message: 'Invalid API key' }, 401) },
    { storage: storedSession('skipper') },
  )
  for (let n = 0; n < 3; n++) await client.fetch('/rest/v1/rpc/partner')
  await vi.waitFor(() => expect(requests.some(({ path }) => path === '/auth/v1/settings')).toBe(true))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(client.status().key.state).toBe('accepted')
  expect(requests.filter(({ path }) => path === '/auth/v1/settings')).toHaveLength(1)
})

test('the recording has the reason of a refusal and no key', async () => {
  const { client } = startClient(
    gateway(() => OTHER),
    { storage: storedSession('skipper') },
  )
  client.replaceKey('sb_publishable_another_5555555555')
  await client.fetch('/rest/v1/vessels')
  await vi.waitFor(() => expect(client.status().key.state).toBe('rejected'))
  const text = JSON.stringify(client.recording.trace.steps)
  expect(text).toContain('"refusal":"keyRejected"')
  for (const key of [KEY, OTHER, 'sb_publishable_another_5555555555']) expect(text).not.toContain(key)
})

test('an empty key is refused', () => {
  const { client } = startClient()
  expect(() => client.replaceKey('')).toThrow(TypeError)
  expect(client.url).toBe(URL_BASE)
})
