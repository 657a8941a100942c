// The reporter over a client that is scripted: what is reported, what is not, and how it is delivered.
import { refused, renewals, stored } from '../harness/timeline.ts'
import { clientTrace, wait } from '../trace/explain/corpus/situation.ts'
import { SimulatedClock } from 'xstate'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ClientStatus } from '../../src/machines/index.ts'
import { createMemoryOutbox, type Outbox } from '../../src/services/reports/outbox.ts'
import { createReporter, type Reporter, reportTo } from '../../src/services/reports/report-to.ts'
import type { RecordedClient } from '../../src/services/client/index.ts'
import { Listeners, type Violation } from '../../src/trace/index.ts'

/** What was started without waiting has been done. */
const turns = () => new Promise(resolve => setTimeout(resolve, 5))

const START = Date.UTC(2026, 10, 20, 10)

const SIGNED_OUT: ClientStatus = {
  session: { phase: 'signedOut', reason: 'never' },
  key: { state: 'accepted', refusedBy: [], isChecking: false },
  connection: { phase: 'idle', attempt: 0 },
  network: 'online',
  requests: { queued: 0, waiting: 0, sending: 0, receiving: 0 },
  channels: {},
}

const signedInAs = (id: string): ClientStatus =>
  ({
    ...SIGNED_OUT,
    session: { phase: 'authenticated', user: { id }, token: { state: 'fresh' } },
  }) as ClientStatus

interface Sent {
  readonly path: string
  readonly access: string | undefined
  readonly body: unknown
}

/** Answers each call with the next response, or with success. */
function scriptedClient(...responses: readonly (() => Response)[]) {
  const sent: Sent[] = []
  const statuses = new Listeners<[ClientStatus]>()
  const violations = new Listeners<[Violation]>()
  const pending = [...responses]
  let status = SIGNED_OUT
  const client = {
    recording: {
      trace: { header: { system: 'chartroom', machines: {} }, actors: [], steps: [], stimuli: [] },
      download: () => Promise.resolve(new Blob(['trace'])),
      onViolation: violations.subscribe,
    },
    status: () => status,
    onStatus: statuses.subscribe,
    fetch: (path: string, init: RequestInit = {}, options: { readonly access?: string } = {}) => {
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body
      sent.push({ path, access: options.access, body })
      const respond = pending.shift() ?? (() => new Response(null, { status: 201 }))
      return Promise.resolve().then(respond)
    },
  } as unknown as RecordedClient
  return {
    client,
    sent,
    rows: () =>
      sent
        .filter(({ path }) => path.startsWith('/rest/'))
        .map(({ body }) => body as Readonly<Record<string, unknown>>),
    violate: violations.notify,
    setStatus: (next: ClientStatus) => {
      status = next
      statuses.notify(next)
    },
  }
}

interface World {
  readonly outbox?: Outbox
  readonly random?: number
  readonly now?: () => number
}

function reporterOf(
  client: RecordedClient,
  options: Partial<Parameters<typeof createReporter>[1]> = {},
  { outbox = createMemoryOutbox(), random = 0.5, now = () => START }: World = {},
) {
  const page = new EventTarget()
  const clock = new SimulatedClock()
  let ids = 0
  const reporter = createReporter(
    client,
    {
      on: [],
      recording: client.recording,
      traceparent: () => undefined,
      consent: () => true,
      sample: 1,
      budget: { reports: 20, bytes: 1_000_000 },
      appVersion: '1.4.0',
      userId: false,
      table: 'chartroom_reports',
      bucket: 'chartroom-reports',
      ...options,
    },
    {
      now,
      random: () => random,
      id: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
      outbox: Promise.resolve(outbox),
      locks: undefined,
      page,
      clock,
    },
  )
  onTestFinished(() => reporter.dispose())
  return { reporter, page, clock, outbox, outcomes: outcomesOf(reporter) }
}

function outcomesOf(reporter: Reporter) {
  const outcomes: string[] = []
  reporter.onSettled((_, outcome) => void outcomes.push('reason' in outcome ? outcome.reason : outcome.kind))
  return outcomes
}

const violation: Violation = {
  t: 12,
  invariant: 'settlesOnce',
  seq: 7,
  actor: 'client/requests/request.12',
  why: 'It settled 2 times.',
}

test('a report of the user: its row, then its files, without a user id', async () => {
  const { client, sent, rows } = scriptedClient()
  const { reporter, outcomes } = reporterOf(client)
  const picture = new Blob(['picture'], { type: 'image/webp' })
  const outcome = await reporter.report({
    note: 'It hangs. Token: sb_secret_abcdefghijklmnopqrstuvwx',
    picture,
  })
  expect(outcome).toEqual({ kind: 'stored', id: '00000000-0000-4000-8000-000000000001' })
  await vi.waitFor(() => expect(outcomes).toEqual(['sent']))
  const folder = '2026-11-20/00000000-0000-4000-8000-000000000001'
  expect(sent.map(({ path, access }) => [path, access])).toEqual([
    ['/rest/v1/chartroom_reports', 'public'],
    [`/storage/v1/object/chartroom-reports/${folder}/trace.gz`, 'public'],
    [`/storage/v1/object/chartroom-reports/${folder}/page.webp`, 'public'],
  ])
  const [first] = rows()
  const { note, ...row } = first ?? {}
  expect(note).toMatch(/^It hangs\. Token: /)
  expect(note).not.toContain('abcdefghijklmnop')
  expect(row).toEqual({
    id: '00000000-0000-4000-8000-000000000001',
    happened_at: '2026-11-20T10:00:00.000Z',
    cause: 'user',
    fingerprint: 'user',
    title: 'The recording shows no problem',
    app_version: '1.4.0',
    system: 'chartroom',
    path: folder,
    trace_bytes: 5,
    picture: 'page.webp',
    picture_bytes: 7,
  })
  expect(await reporter.pending()).toBe(0)
})

test('the user id is sent only if it is allowed, and as that user', async () => {
  const { client, sent, rows, setStatus } = scriptedClient()
  setStatus(signedInAs('u1'))
  const { reporter, outcomes } = reporterOf(client)
  await reporter.report()
  await reporter.report({ withUser: true })
  await vi.waitFor(() => expect(outcomes).toHaveLength(2))
  expect(rows().map(row => row['user_id'])).toEqual([undefined, 'u1'])
  expect(sent.filter(({ path }) => path.startsWith('/rest/')).map(({ access }) => access)).toEqual([
    'public',
    'user',
  ])
})

test('if the session has ended in the meantime, the report is sent without the user', async () => {
  const { client, rows, setStatus } = scriptedClient(() =>
    Response.json({ message: 'JWT expired' }, { status: 401 }),
  )
  setStatus(signedInAs('u1'))
  const { reporter, outcomes } = reporterOf(client)
  await reporter.report({ withUser: true })
  await vi.waitFor(() => expect(outcomes).toEqual(['sent']))
  expect(rows().map(row => row['user_id'])).toEqual(['u1', undefined])
})

test('automatic reports: an error, a rejection, a session that ended, a broken invariant', async () => {
  const { client, rows, setStatus, violate } = scriptedClient()
  const { page, outcomes } = reporterOf(client, { on: ['error', 'signedOut', 'invariant'] })
  page.dispatchEvent(Object.assign(new Event('error'), { error: new TypeError('No row 17 for "Ada"') }))
  page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'offline' }))
  setStatus(signedInAs('u1'))
  setStatus({ ...SIGNED_OUT, session: { phase: 'signedOut', reason: 'remoteRevoked' } } as ClientStatus)
  violate(violation)
  await vi.waitFor(() => expect(outcomes).toEqual(['sent', 'sent', 'sent', 'sent']))
  expect(rows().map(({ cause, title }) => [cause, title])).toEqual([
    ['error', 'TypeError: No row N for "…"'],
    ['error', 'Error: offline'],
    ['signedOut', 'Signed out: remoteRevoked'],
    ['invariant', 'settlesOnce: It settled N times.'],
  ])
  expect(rows()[3]).toMatchObject({ fingerprint: 'invariant settlesOnce request' })
})

test('a session that ended is titled by the reason that the recording shows', async () => {
  const { client, rows, setStatus } = scriptedClient()
  const trace = clientTrace([stored(-5), renewals(refused('session_not_found'))], wait(2_000))
  const recording = { ...client.recording, trace }
  const { outcomes } = reporterOf({ ...client, recording } as RecordedClient, { on: ['signedOut'] })
  setStatus(signedInAs('u1'))
  setStatus({ ...SIGNED_OUT, session: { phase: 'signedOut', reason: 'remoteRevoked' } } as ClientStatus)
  await vi.waitFor(() => expect(outcomes).toEqual(['sent']))
  const title =
    'You were signed out because the refresh of the token was refused: the session was ended on the server (session_not_found).'
  expect(rows()).toMatchObject([{ title, fingerprint: 'signedOut remoteRevoked' }])
})

test('not reported: what the user did, resources that do not load, and what `on` does not name', async () => {
  const { client, sent, setStatus, violate } = scriptedClient()
  const { page, reporter } = reporterOf(client, { on: ['signedOut'] })
  setStatus(signedInAs('u1'))
  for (const reason of ['userLocal', 'userGlobal', 'otherTab'] as const) {
    setStatus({ ...SIGNED_OUT, session: { phase: 'signedOut', reason } } as ClientStatus)
    setStatus(signedInAs('u1'))
  }
  page.dispatchEvent(Object.assign(new Event('error'), { error: new Error('x') }))
  violate(violation)
  await turns()
  expect(sent).toEqual([])
  expect(await reporter.pending()).toBe(0)
  reporterOf(client, { on: ['error'] }).page.dispatchEvent(new Event('error'))
  await turns()
  expect(sent).toEqual([])
})

test('the same failure is reported once a day', async () => {
  let now = START
  const { client, violate } = scriptedClient()
  const { outcomes } = reporterOf(client, { on: ['invariant'] }, { now: () => now })
  violate(violation)
  await vi.waitFor(() => expect(outcomes).toEqual(['sent']))
  violate({ ...violation, seq: 90, actor: 'client/requests/request.31' })
  await vi.waitFor(() => expect(outcomes).toEqual(['sent', 'repeated']))
  now += 86_400_000
  violate(violation)
  await vi.waitFor(() => expect(outcomes).toEqual(['sent', 'repeated', 'sent']))
})

test('without consent, outside of the sample and beyond the budget nothing is captured', async () => {
  const { client, sent, violate } = scriptedClient()
  const cases = [
    [reporterOf(client, { on: ['invariant'], consent: () => Promise.resolve(false) }), 'consent'],
    [reporterOf(client, { on: ['invariant'], sample: 0.1 }, { random: 0.2 }), 'notSampled'],
    [reporterOf(client, { on: ['invariant'], budget: { reports: 0, bytes: 1 } }), 'budget'],
  ] as const
  violate(violation)
  for (const [{ outcomes, reporter }, reason] of cases) {
    await vi.waitFor(() => expect(outcomes).toEqual([reason]))
    expect(await reporter.pending()).toBe(0)
  }
  expect(sent).toEqual([])
  // A user's own report needs neither a sample nor consent.
  const asked = reporterOf(client, { sample: 0, consent: () => false })
  expect(await asked.reporter.report()).toMatchObject({ kind: 'stored' })
})

test('a browser stays within its bytes per day', async () => {
  const { client } = scriptedClient()
  const { reporter } = reporterOf(client, { budget: { reports: 9, bytes: 10 } })
  const outcomes = [await reporter.report(), await reporter.report(), await reporter.report()]
  expect(outcomes.map(outcome => ('reason' in outcome ? outcome.reason : outcome.kind))).toEqual([
    'stored',
    'stored',
    'budget',
  ])
})

test('an unreachable backend: the report waits, longer each time, and is not lost with the tab', async () => {
  const down = () => Promise.reject(new TypeError('Failed to fetch')) as never
  const outbox = createMemoryOutbox()
  const first = scriptedClient(down, () => new Response('busy', { status: 503 }), down)
  const { reporter, clock, outcomes } = reporterOf(first.client, {}, { outbox })
  await reporter.report()
  const attemptsAre = (count: number) =>
    vi.waitFor(async () => expect((await outbox.list()).map(({ attempts }) => attempts)).toEqual([count]))
  await attemptsAre(1)
  clock.increment(2_499)
  await turns()
  expect(first.sent).toHaveLength(1)
  clock.increment(2_501)
  await attemptsAre(2)
  clock.increment(10_000)
  await attemptsAre(3)
  reporter.dispose()
  expect(outcomes).toEqual([])

  const second = scriptedClient()
  const later = reporterOf(second.client, {}, { outbox })
  await vi.waitFor(() => expect(later.outcomes).toEqual(['sent']))
  expect(second.sent).toHaveLength(2)
})

test('the device is online again: delivered at once', async () => {
  const { client } = scriptedClient(() => Promise.reject(new TypeError('Failed to fetch')) as never)
  const { reporter, page, outbox, outcomes } = reporterOf(client)
  await reporter.report()
  await vi.waitFor(async () => expect((await outbox.list())[0]?.attempts).toBe(1))
  await vi.waitFor(() => {
    page.dispatchEvent(new Event('online'))
    expect(outcomes).toEqual(['sent'])
  })
})

test('an attempt whose answer was lost: the backend knows the row and the file', async () => {
  const { client } = scriptedClient(
    () => Response.json({ code: '23505', message: 'This report was received before.' }, { status: 409 }),
    () => Response.json({ statusCode: '409', error: 'Duplicate', message: 'exists' }, { status: 400 }),
  )
  const { reporter, outcomes } = reporterOf(client)
  await reporter.report()
  await vi.waitFor(() => expect(outcomes).toEqual(['sent']))
})

test('a report that the backend refuses is dropped, and the next one is delivered', async () => {
  const { client } = scriptedClient(() =>
    Response.json({ code: '23514', message: 'violates check' }, { status: 400 }),
  )
  const { reporter, outcomes } = reporterOf(client)
  await reporter.report()
  await reporter.report()
  await vi.waitFor(() => expect(outcomes).toEqual(['refused', 'sent']))
  expect(await reporter.pending()).toBe(0)
})

test('a recording that cannot be read is reported as lost, and later reports work', async () => {
  const { client } = scriptedClient()
  const download = vi.fn<typeof client.recording.download>(client.recording.download)
  download.mockRejectedValueOnce(new Error('out of memory'))
  const { reporter } = reporterOf({ ...client, recording: { ...client.recording, download } })
  expect(await reporter.report()).toMatchObject({ kind: 'lost', failure: { kind: 'bug' } })
  expect(await reporter.report()).toMatchObject({ kind: 'stored' })
})

test('reports that no backend accepted for seven days are dropped', async () => {
  let now = START
  const outbox = createMemoryOutbox()
  const down = () => new Response('', { status: 503 })
  const { client, sent } = scriptedClient(down)
  const { reporter, clock } = reporterOf(client, {}, { outbox, now: () => now })
  await reporter.report()
  await vi.waitFor(async () => expect((await outbox.list())[0]?.attempts).toBe(1))
  now += 8 * 86_400_000
  clock.increment(10_000)
  await vi.waitFor(async () => expect(await outbox.list()).toEqual([]))
  expect(sent).toHaveLength(1)
})

test('one tab delivers at a time', async () => {
  const outbox = createMemoryOutbox()
  const { client, sent } = scriptedClient()
  let isTaken = true
  const locks = {
    request: (_: string, __: unknown, held: (lock: unknown) => unknown) =>
      Promise.resolve(held(isTaken ? null : {})),
  } as unknown as LockManager
  const clock = new SimulatedClock()
  const options = {
    on: [],
    recording: client.recording,
    traceparent: () => undefined,
    consent: () => true,
    sample: 1,
    budget: { reports: 9, bytes: 999 },
    appVersion: '',
    userId: false,
    table: 't',
    bucket: 'b',
  }
  const world = {
    now: () => START,
    random: () => 0.5,
    id: () => 'one',
    outbox: Promise.resolve(outbox),
    locks,
    page: undefined,
    clock,
  }
  const reporter = createReporter(client, options, world)
  onTestFinished(() => reporter.dispose())
  await reporter.report()
  await turns()
  expect(sent).toEqual([])
  // The other tab was closed before it had delivered.
  isTaken = false
  clock.increment(300_000)
  await vi.waitFor(() => expect(sent).toHaveLength(2))
})

test('an error that the app caught is grouped by it, and needs consent like an automatic report', async () => {
  const { client, rows } = scriptedClient()
  const { reporter, outcomes } = reporterOf(client)
  const error = new RangeError('No row 17')
  expect(await reporter.report({ error, note: 'in the list' })).toMatchObject({ kind: 'stored' })
  expect(await reporter.report({ error })).toEqual({ kind: 'declined', reason: 'repeated' })
  await vi.waitFor(() => expect(outcomes).toContain('sent'))
  expect(rows()).toMatchObject([{ cause: 'error', title: 'RangeError: No row N', note: 'in the list' }])
  const asked = reporterOf(client, { consent: () => false })
  expect(await asked.reporter.report({ error })).toEqual({ kind: 'declined', reason: 'consent' })
})

test("a report contains the recording of the app's own machines, and names the trace of the moment", async () => {
  const { client, rows, sent } = scriptedClient()
  const contexts: unknown[] = []
  const recording = {
    trace: { header: { system: 'till' } },
    file: (context: unknown) => {
      contexts.push(context)
      return Promise.resolve(Uint8Array.of(1, 2))
    },
  }
  let now = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const { reporter, page, outcomes } = reporterOf(client, {
    recording,
    on: ['error'],
    traceparent: () => {
      if (now === '') throw new Error('no tracing')
      return now
    },
  })
  page.dispatchEvent(Object.assign(new Event('error'), { error: new Error('x') }))
  now = 'no id'
  await reporter.report()
  now = ''
  await reporter.report()
  await vi.waitFor(() => expect(outcomes).toEqual(['sent', 'sent', 'sent']))
  expect(rows().map(row => [row['system'], row['trace_id']])).toEqual([
    ['till', '0af7651916cd43dd8448eb211c80319c'],
    ['till', undefined],
    ['till', undefined],
  ])
  expect(contexts).toEqual([
    { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    { traceparent: undefined },
    { traceparent: undefined },
  ])
  const file = sent.find(({ path }) => path.endsWith('trace.gz'))?.body as Blob
  expect([file.type, file.size]).toEqual(['application/gzip', 2])
})

test('options that cannot work are refused', async () => {
  const recorded = scriptedClient().client
  const bare = { ...recorded, recording: undefined } as unknown as RecordedClient
  expect(() => reportTo(bare)).toThrow(/create it with `recording: recordEverything/)
  const options = { on: ['invariant'], consent: () => true, recording: recorded.recording } as const
  expect(() => reportTo(bare, options)).toThrow(/the client is not recorded/)
  expect(() => reportTo(recorded, { on: ['error'] })).toThrow(/need `consent`/)
  expect(() => reportTo(recorded, { sample: 2 })).toThrow(/from 0 to 1/)
  const { reporter } = reporterOf(recorded)
  await expect(reporter.report({ note: 'x'.repeat(5_001) })).rejects.toThrow(
    'The note has 5001 characters; 5000 are allowed.',
  )
  await expect(reporter.report({ picture: new Blob(['<svg>'], { type: 'image/svg+xml' }) })).rejects.toThrow(
    /"image\/svg\+xml"/,
  )
})
