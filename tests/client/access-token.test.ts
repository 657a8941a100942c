// The option `accessToken`: third-party tokens as explicit states, with expiry, refresh and failures.
import { expect, test, vi } from 'vitest'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { fakeSockets } from '../harness/fake-socket.ts'
import { json } from '../harness/fake-backend.ts'
import { startClient } from '../harness/client.ts'

const base64url = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')

let made = 0
/** A token of the user, valid for some seconds; each is different. */
const tokenOf = (sub: string, seconds = 3600) => {
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub, iat: now, exp: now + seconds, jti: String(++made) }
  return `${base64url({ alg: 'RS256' })}.${base64url(claims)}.c2lnbmF0dXJl`
}

/** As PostgREST rejects a token. */
const REJECTED = {
  code: 'PGRST301',
  details: null,
  hint: null,
  message: 'JWT cryptographic operation failed',
}

type Ask = () => Promise<string | null>

const bearers = (requests: readonly { readonly authorization: string | null }[]) =>
  requests.map(({ authorization }) => authorization)

test('the token is awaited, cached, and shown as the session of its user', async () => {
  const token = tokenOf('anna')
  const accessToken = vi.fn<Ask>(async () => {
    await new Promise(done => setTimeout(done, 5))
    return token
  })
  const { client, requests } = startClient({}, { accessToken })
  await Promise.all([client.fetch('/rest/v1/a'), client.supabase.from('b').select()])
  await client.fetch('/rest/v1/c')
  expect(bearers(requests)).toEqual(Array.from({ length: 3 }, () => `Bearer ${token}`))
  expect(accessToken).toHaveBeenCalledTimes(1)
  expect(client.status().session).toMatchObject({ phase: 'authenticated', user: { id: 'anna' } })
})

test('null is anonymous, and the user is noticed when there is one', async () => {
  const answers = [null, null, tokenOf('anna'), tokenOf('berta'), null]
  let n = 0
  const { client, requests } = startClient({}, { accessToken: () => Promise.resolve(answers[n] ?? null) })
  for (const [index, answer] of answers.entries()) {
    n = index
    await client.auth.refresh()
    await client.fetch('/rest/v1/a')
    expect(requests.at(-1)?.authorization).toBe(answer ? `Bearer ${answer}` : `Bearer ${requests[0]?.apikey}`)
  }
  expect(client.status().session.phase).toBe('signedOut')
})

test('a failure is the failure of the request, and nothing is sent', async () => {
  const accessToken = vi.fn<Ask>(() => Promise.reject(new Error('secret detail')))
  const { client, requests } = startClient({}, { accessToken })
  const { error } = await client.supabase.from('a').select()
  expect(error?.message).toContain('`accessToken` function failed')
  expect(JSON.stringify(error)).not.toContain('secret detail')
  await expect(client.fetch('/rest/v1/a')).rejects.toMatchObject({
    failure: { kind: 'auth', code: 'access_token_failed' },
  })
  expect(requests).toEqual([])
  const token = tokenOf('anna')
  accessToken.mockImplementation(() => Promise.resolve(token))
  await client.fetch('/rest/v1/a')
  expect(bearers(requests)).toEqual([`Bearer ${token}`])
})

test('after a 401 about the token, the function is asked again, and the request sent once more', async () => {
  const [first, second] = [tokenOf('anna'), tokenOf('anna')]
  let token = first
  const { client, requests } = startClient(
    {
      'GET /rest/v1/a': asked => {
        token = second
        return asked.authorization === `Bearer ${second}` ? json([]) : json(REJECTED, 401)
      },
    },
    { accessToken: () => Promise.resolve(token) },
  )
  expect((await client.fetch('/rest/v1/a')).status).toBe(200)
  expect(bearers(requests)).toEqual([`Bearer ${first}`, `Bearer ${second}`])
})

test('a server that rejects the same token again: its 401 is passed on without waiting', async () => {
  const token = tokenOf('anna')
  const { client, requests } = startClient(
    { 'GET /rest/v1/a': () => json(REJECTED, 401) },
    { accessToken: () => Promise.resolve(token) },
  )
  expect((await client.fetch('/rest/v1/a')).status).toBe(401)
  expect(requests).toHaveLength(2)
})

test('a token is renewed before it expires', async () => {
  const accessToken = vi.fn<Ask>(() => Promise.resolve(tokenOf('anna', 3)))
  const { client } = startClient({}, { accessToken })
  await expect.poll(() => accessToken.mock.calls.length, { timeout: 8_000 }).toBeGreaterThan(2)
  expect(client.status().session.phase).toBe('authenticated')
})

test('channels join with the token', async () => {
  const { WebSocket, sockets } = fakeSockets()
  const token = tokenOf('anna')
  const { client } = startClient({}, { WebSocket, accessToken: () => Promise.resolve(token) })
  client.channel('deck')
  await expect
    .poll(() => sockets[0]?.sent.find(frame => frame[3] === 'phx_join')?.[4])
    .toMatchObject({
      access_token: token,
    })
})

test('auth belongs to the service', () => {
  const { client } = startClient({}, { accessToken: () => Promise.resolve(null) })
  expect(() => client.supabase.auth.getSession).toThrow('accessToken option')
  expect(() => client.auth.signInWithPassword).toThrow('`accessToken` option')
})

test('the token is in no trace, and the recording is replayed exactly', async () => {
  const tokens = [tokenOf('anna'), tokenOf('anna')]
  let n = 0
  const { client } = startClient(
    { 'GET /rest/v1/a': (_, count) => json([], count === 1 ? 401 : 200) },
    { accessToken: () => Promise.resolve(tokens[n++] ?? tokens[1] ?? null) },
  )
  await client.fetch('/rest/v1/a')
  const file = await client.recording.download()
  const read = await readTrace(new Uint8Array(await file.arrayBuffer()))
  if (read.kind !== 'trace') throw new Error(read.message)
  for (const token of tokens) expect(JSON.stringify(read.trace)).not.toContain(token)
  expect(verify(read.trace, systems)).toMatchObject({ outcome: 'exact', compared: read.trace.steps.length })
})
