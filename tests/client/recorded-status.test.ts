// The status at a step of a recording: the same that the client reported then, from its steps alone.
import { expect, test } from 'vitest'
import { recordedStatus } from '../../src/services/client/recorded-status.ts'
import type { ClientStatus } from '../../src/machines/index.ts'
import type { TraceSource } from '../../src/trace/index.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json } from '../harness/fake-backend.ts'

const latestIn =
  ({ steps, actors }: Pick<TraceSource, 'steps' | 'actors'>, at: number) =>
  (path: string) =>
    steps.slice(0, at + 1).findLast(({ actor }) => actors[actor]?.path === path)

test('equals what the client reported at each of its changes', async () => {
  const refused = json({ code: 'invalid_credentials', message: 'No' }, 400)
  let isRefused = true
  const { client } = startClient({
    'POST /auth/v1/token?grant_type=password': () => {
      note()
      return isRefused ? refused.clone() : signIn['POST /auth/v1/token?grant_type=password']()
    },
    'GET /rest/v1/vessels': () => json([]),
  })
  const { trace } = client.recording
  const seen: { readonly at: number; readonly status: ClientStatus }[] = []
  const note = () => seen.push({ at: trace.steps.length - 1, status: client.status() })
  client.onStatus(note)
  await client.auth.signInWithPassword(credentials)
  isRefused = false
  await client.auth.signInWithPassword(credentials)
  client.channel('bridge')
  await client.supabase.from('vessels').select()
  note()
  await client.auth.signOut()
  note()
  expect(new Set(seen.map(({ status }) => status.session.phase))).toEqual(
    new Set(['signedOut', 'authenticating', 'authenticated']),
  )
  expect(seen.some(({ status }) => 'bridge' in status.channels)).toBe(true)
  for (const { at, status } of seen) expect(recordedStatus(latestIn(trace, at))).toEqual(status)
})

test('is unknown before the first step of the client', () => {
  expect(recordedStatus(() => undefined)).toBe(undefined)
})
