// Responses of the auth server to a refresh token, and how they are handled.
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../src/services/client/index.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json, sessionBody } from '../harness/fake-backend.ts'

const REFRESH = 'POST /auth/v1/token?grant_type=refresh_token'

/** Signed in, with one refresh requested. */
async function refreshed(answer: () => Response | Promise<Response>) {
  const storage = memoryStorage()
  const { client } = startClient({ ...signIn, [REFRESH]: answer }, { storage })
  await client.auth.signInWithPassword(credentials)
  const result = await client.auth.refresh()
  return {
    result,
    session: client.status().session,
    stored: await storage.getItem('sb-harbour-auth-token'),
  }
}

const cut = () =>
  new Response(
    new ReadableStream({
      start: controller => controller.error(new TypeError('network error')),
    }),
    { headers: { 'content-type': 'application/json' } },
  )

describe('a response without a session neither ends nor replaces the current one', () => {
  test.each([
    ['a page', () => new Response('<h1>Welcome to the harbour wifi</h1>', { status: 200 }), 'server'],
    ['JSON of something else', () => json({ ok: true }), 'server'],
    ['a session without an expiry', () => json({ ...sessionBody('x'), expires_in: undefined }), 'server'],
    ['a body that breaks off', cut, 'network'],
    ['a gateway error', () => new Response('', { status: 502 }), 'server'],
  ])('%s', async (_, answer, kind) => {
    const { result, session, stored } = await refreshed(answer)
    expect(result).toMatchObject({ ok: false, failure: { kind } })
    expect(session).toMatchObject({ phase: 'authenticated', token: { state: 'delayed' } })
    expect(stored).toContain('refresh-first-0123456789')
  })
})

test('429: waits as long as a date in Retry-After says', async () => {
  const headers = {
    date: 'Sun, 01 Mar 2026 12:00:00 GMT',
    'retry-after': 'Sun, 01 Mar 2026 12:00:42 GMT',
  }
  const { session } = await refreshed(() => json({ message: 'slow down' }, 429, headers))
  expect(session).toMatchObject({
    phase: 'authenticated',
    token: { state: 'delayed', failure: { kind: 'rateLimit', retryAfter: 42 } },
  })
  if (session.phase !== 'authenticated') throw new Error(session.phase)
  expect(session.token.retryAt).toBeGreaterThan(session.token.receivedAt + 41_900)
})
