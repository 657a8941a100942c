// A trace shows the cause: the fault that hit a request is recorded in its events and replayed with them.
import { afterAll, expect, test } from 'vitest'
import { createChartroomClient } from '../../../src/public/index.ts'
import { recordEverything } from '../../../src/public/devtools/recording.ts'
import { checkInvariants } from '../../../src/public/devtools/assertions.ts'
import { readTrace, systems, verify } from '../../../src/public/devtools/replay.ts'
import { faultIdOf } from '../../../src/services/client/requests/responses.ts'
import { memoryStorage } from '../../../src/services/client/index.ts'
import { startOwnBackend } from '../../harness/backend.ts'

const backend = await startOwnBackend()
const timings = { backoffMin: 5, backoffMax: 10 }
const client = createChartroomClient({
  url: backend.url,
  key: backend.publishableKey,
  auth: { storage: memoryStorage() },
  timings,
  recording: recordEverything(),
})
afterAll(() => client.dispose())
const [account = { email: '', password: '' }] = backend.accounts

/** The recorded events of a type so far. */
function events(type: string) {
  return client.recording.trace.stimuli
    .map(({ event }) => event)
    .filter(
      (event): event is { type: string } =>
        typeof event === 'object' && event !== null && 'type' in event && event.type === type,
    )
}

test('requests and auth calls name the fault that hit them; the recording replays exactly', async () => {
  backend.faults.add(
    { id: 'gate', when: { path: '/auth/v1/token', nth: 1 }, do: { code: 'over_request_rate_limit' } },
    { id: 'stale', do: { session: 'reused' } },
    { id: 'busy', when: { path: '/rest/v1/vessels', nth: 1 }, do: { status: 503 } },
    { id: 'refused', when: { path: '/rest/v1/vessels', nth: 2 }, do: { code: '42501' } },
  )
  const failure = { kind: 'rateLimit', code: 'over_request_rate_limit', status: 429, faultId: 'gate#1' }
  expect(await client.auth.signInWithPassword(account)).toMatchObject({ ok: false, failure })
  expect(await client.auth.signInWithPassword(account)).toMatchObject({ ok: true })
  await client.supabase.from('vessels').select()
  await client.auth.refresh()
  expect(events('send.answered')).toEqual([
    { type: 'send.answered', status: 503, faultId: 'busy#1', bytes: 103 },
    { type: 'send.answered', status: 403, faultId: 'refused#1', refusal: 'byApp', bytes: 98 },
  ])
  expect(events('refresh.failed')).toMatchObject([
    { failure: { code: 'refresh_token_already_used', faultId: 'stale#1' } },
  ])
  const read = await readTrace(new Uint8Array(await (await client.recording.download()).arrayBuffer()))
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(verify(read.trace, systems)).toMatchObject({ outcome: 'exact' })
  expect(checkInvariants(read.trace)).toEqual([])
  const settled = read.trace.steps
    .map(step => JSON.stringify(step))
    .filter(view => view.includes('refused#1'))
  expect(settled.length).toBeGreaterThan(1)
})

test.each([
  ['late#2', 'late#2'],
  ['squall.delays#12, tide.requests#1', 'squall.delays#12'],
  [undefined, undefined],
  ['', undefined],
  ['late', undefined],
  [`${'x'.repeat(65)}#1`, undefined],
  ['eyJhbGciOi.secret token#1', undefined],
])('from the header %j only an id is accepted: %j', (header, id) => {
  const headers = header === undefined ? {} : { 'x-chartroom-fault': header }
  expect(faultIdOf(new Response(null, { headers }))).toBe(id)
})
