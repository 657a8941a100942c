// The triage of users' reports on a simulated backend: access, lists, filters, files and changes of groups.
import { expect, test } from 'vitest'
import {
  downloadFile,
  type GroupFilter,
  memberSql,
  MissingFile,
  readAccess,
  readFilter,
  readGroups,
  type ReportGroup,
  shownGroup,
  testOffer,
  TriageStore,
} from '../../../src/services/workbench/reports/index.ts'
import { mentions } from '../../../src/services/reports/words.ts'
import { daily } from '../../../src/services/workbench/reports/read-reports.ts'
import type { AnyDataClient } from '../../../src/services/workbench/rest/index.ts'
import { startClient } from '../../harness/client.ts'
import { json, type Answer } from '../../harness/fake-backend.ts'

const NOW = new Date('2026-11-20T10:00:00Z')

const group = (changes: Partial<ReportGroup> = {}): ReportGroup => ({
  fingerprint: 'invariant settlesOnce client',
  title: 'settlesOnce: a request settled twice',
  cause: 'invariant',
  status: 'open',
  fixed_in: null,
  reopened_at: null,
  notes: '',
  first_seen: '2026-11-18T10:00:00+00:00',
  last_seen: '2026-11-20T09:00:00+00:00',
  last_version: '1.4.0',
  last_note: '',
  reports: 3,
  users: 2,
  ...changes,
})

function start(routes: Readonly<Record<string, Answer>>) {
  const { client, requests } = startClient(routes)
  const database = client.with({}) as unknown as AnyDataClient
  const sent = (method: string) =>
    requests.filter(request => request.method === method && request.path.startsWith('/rest/'))
  return { client, database, sent, store: new TriageStore(client) }
}

test('members, others, and a project without the tables are distinguished', async () => {
  const access = (answer: Answer) => {
    const { database } = start({ 'GET /rest/v1/chartroom_report_members': answer })
    return readAccess(database)
  }
  const refusal = (code: string, status: number) => () => json({ code, message: 'No.' }, status)
  expect(await access(() => json([{ user_id: 'me' }]))).toBe('member')
  expect(await access(() => json([]))).toBe('notMember')
  expect(await access(refusal('42501', 403))).toBe('notMember')
  expect(await access(refusal('PGRST205', 404))).toBe('noTables')
  expect(await access(refusal('42P01', 404))).toBe('noTables')
  await expect(access(refusal('XX000', 500))).rejects.toMatchObject({ code: 'XX000' })
})

test('a page of groups comes with its counts in one request', async () => {
  const rows = Array.from({ length: 101 }, (_, n) => ({
    ...group({ fingerprint: `error ${n}` }),
    chartroom_report_counts: [
      { day: '2026-11-20', reports: 2 },
      { day: '2026-11-20', reports: 1 },
      { day: '2026-11-07', reports: 4 },
    ],
  }))
  const { database, sent } = start({ 'GET /rest/v1/chartroom_report_groups': () => json(rows) })
  const filter: GroupFilter = {
    status: 'open',
    cause: 'error',
    since: '7d',
    search: '100% *done_',
    page: 2,
  }
  const { groups, hasMore } = await readGroups(database, filter, NOW)
  expect(groups).toHaveLength(100)
  expect(hasMore).toBe(true)
  expect(groups[0]?.perDay).toEqual([4, ...Array.from({ length: 12 }, () => 0), 3])
  expect(sent('GET')).toHaveLength(1)
  const query = new URL(sent('GET')[0]?.path ?? '', 'http://x').searchParams
  expect(Object.fromEntries(query)).toMatchObject({
    status: 'eq.open',
    cause: 'eq.error',
    last_seen: 'gte.2026-11-13T10:00:00.000Z',
    or: String.raw`(title.ilike."%100\\% _done\\_%",last_note.ilike."%100\\% _done\\_%")`,
    offset: '100',
    limit: '101',
    order: 'last_seen.desc,fingerprint.asc',
    'chartroom_report_counts.day': 'gte.2026-11-07',
  })
})

test.each([1, 40, 100, 1_000])(
  'of a server that returns %i groups at once, a page has all of them',
  async most => {
    const all = Array.from({ length: 130 }, (_, n) => ({
      ...group({ fingerprint: `error ${n}` }),
      chartroom_report_counts: [],
    }))
    const { database } = start({
      'GET /rest/v1/chartroom_report_groups': ({ path }) => {
        const query = new URL(path, 'http://x').searchParams
        const from = Number(query.get('offset'))
        const rows = all.slice(from, from + Math.min(most, Number(query.get('limit'))))
        return Response.json(rows, {
          headers: { 'content-range': `${from}-${from + rows.length - 1}/${all.length}` },
        })
      },
    })
    const pages = await Promise.all(
      [1, 2].map(page => readGroups(database, { ...readFilter({}), page }, NOW)),
    )
    expect(pages.map(({ groups, hasMore }) => [groups.length, hasMore])).toEqual([
      [100, true],
      [30, false],
    ])
    expect(new Set(pages.flatMap(({ groups }) => groups.map(({ fingerprint }) => fingerprint))).size).toBe(
      130,
    )
  },
)

test('a filter without values lists open groups; unknown values do not restrict', () => {
  const open = { status: 'open', cause: undefined, since: undefined, search: '', page: 1 }
  expect(readFilter({})).toEqual(open)
  expect(readFilter({ status: 'x', cause: 'x', since: 'toString', q: ' ', page: -1 })).toEqual(open)
  expect(readFilter({ status: 'all', cause: 'user', since: '24h', q: ' a ', page: 3 })).toEqual({
    status: undefined,
    cause: 'user',
    since: '24h',
    search: 'a',
    page: 3,
  })
  expect(mentions('*')).toBe('title.ilike."%_%",last_note.ilike."%_%"')
  expect(daily([{ day: '2026-11-06', reports: 9 }], NOW)).toEqual(Array.from({ length: 14 }, () => 0))
})

test('a new status is shown at once and saved only if the group has not changed since', async () => {
  const saved = group({ status: 'fixed', fixed_in: '1.5.0' })
  const { store, sent } = start({ 'PATCH /rest/v1/chartroom_report_groups': () => json([saved]) })
  const saving = store.save(group(), { status: 'fixed', fixed_in: ' 1.5.0 ' })
  const state = () => store.savings().get(group().fingerprint)
  expect(shownGroup(group(), state()).status).toBe('fixed')
  expect(await saving).toBe(true)
  expect(state()).toEqual({ phase: 'saved', group: saved })
  const [request] = sent('PATCH')
  expect(request?.path).toContain('fingerprint=eq.invariant+settlesOnce+client&status=eq.open')
  expect(JSON.parse(request?.body ?? '')).toEqual({ status: 'fixed', fixed_in: '1.5.0' })
  store.settle()
  expect(state()).toBe(undefined)
})

test('a change that was not saved is taken back with its reason', async () => {
  const answers = [json([]), json({ code: '42501', message: 'No.' }, 403)]
  const { store, sent } = start({
    'PATCH /rest/v1/chartroom_report_groups': () => answers.shift() ?? json([]),
  })
  const state = () => store.savings().get(group().fingerprint)
  expect(await store.save(group(), { status: 'fixed', fixed_in: ' ' })).toBe(false)
  expect(state()).toMatchObject({ message: 'Enter the first version without the failure.' })
  expect(sent('PATCH')).toEqual([])
  expect(await store.save(group(), { status: 'ignored' })).toBe(true)
  expect(state()).toMatchObject({
    phase: 'failed',
    message: expect.stringMatching(/^Another member changed this group/) as string,
  })
  expect(shownGroup(group(), state()).status).toBe('open')
  expect(await store.save(group(), { status: 'ignored' })).toBe(false)
  expect(state()).toMatchObject({ message: 'RLS does not let you make this change to this row.' })
  store.dismiss(group().fingerprint)
  expect(state()).toBe(undefined)
})

test('notes stay typed until they are saved, and never replace those of another member', async () => {
  let notes = 'by another member'
  const { store, sent } = start({
    'GET /rest/v1/chartroom_report_groups': () => json([{ notes }]),
    'PATCH /rest/v1/chartroom_report_groups': ({ body }) =>
      json([group({ notes: (JSON.parse(body) as { readonly notes: string }).notes })]),
  })
  const draft = () => store.drafts().get(group().fingerprint)
  store.edit(group(), 'mine')
  expect(await store.save(group(), { notes: 'mine' })).toBe(true)
  expect(sent('PATCH')).toEqual([])
  expect(draft()).toBe('mine')
  notes = ''
  expect(await store.save(group(), { notes: 'mine' })).toBe(true)
  expect(sent('PATCH')).toHaveLength(1)
  expect(draft()).toBe(undefined)
})

test('only a missing object is a recording that has not arrived; other refusals keep their reason', async () => {
  const path = '2026-11-20/3f2a9c1e-0000-4000-8000-000000000000'
  const failureOf = async (body: object, status = 400) => {
    const { database } = start({
      [`GET /storage/v1/object/chartroom-reports/${path}/trace.gz`]: () => json(body, status),
    })
    const error: unknown = await downloadFile(database, { path }, 'trace.gz').catch(
      (caught: unknown) => caught,
    )
    return [error instanceof MissingFile, error instanceof Error && error.message]
  }
  const missing = { statusCode: '404', error: 'not_found', message: 'Object not found' }
  const arrives = expect.stringMatching(/^The recording of this report has not arrived/) as string
  expect(await failureOf({ ...missing, code: 'NoSuchKey' })).toEqual([true, arrives])
  expect(await failureOf(missing)).toEqual([true, arrives])
  const bucket = { statusCode: '404', error: 'Bucket not found', message: 'Bucket not found' }
  expect(await failureOf({ ...bucket, code: 'NoSuchBucket' })).toEqual([false, 'Bucket not found'])
  const expired = { statusCode: '403', error: 'Unauthorized', message: '"exp" claim timestamp check failed' }
  expect(await failureOf({ ...expired, code: 'InvalidJWT' })).toEqual([false, expired.message])
  expect(await failureOf({}, 404)).toEqual([false, expect.any(String)])
})

test('texts to copy', () => {
  expect(memberSql("o'hara@x.test")).toContain("where email = 'o''hara@x.test';")
})

test('the way to a test depends on the machines, the damage and the replay', () => {
  const report = {
    id: '3f2a9c1e-0000-4000-8000-000000000000',
    system: 'chartroom',
    cause: 'invariant',
  } as const
  const verdict = (outcome: 'fails' | 'passes' | 'unusable') => ({
    verdict: { outcome, summary: 'so it is' },
  })
  const url = 'https://x.test'
  const command =
    'npm run -s chartroom -- reports test 3f2a9c1e-0000-4000-8000-000000000000 --url https://x.test --out tests/report-3f2a9c1e.test.ts'
  expect(testOffer(report, verdict('fails'), url)).toEqual({
    kind: 'command',
    command,
    about: 'It writes a test that fails until the failure is fixed.',
  })
  expect(testOffer(report, verdict('passes'), url)).toMatchObject({ kind: 'command', command })
  expect(testOffer({ ...report, system: 'till' }, verdict('unusable'), url)).toMatchObject({
    kind: 'command',
    command: `${command} --machines src/machines.ts`,
  })
  const none = (why: string) => ({ kind: 'none', why })
  expect(testOffer(report, verdict('unusable'), url)).toEqual(
    none('The recording can’t be replayed with this build: so it is.'),
  )
  expect(testOffer(report, { ...verdict('passes'), damage: 'line 7' }, url)).toEqual(
    none('What is left of the damaged recording ends before the failure.'),
  )
  expect(testOffer(report, { ...verdict('fails'), damage: 'line 7' }, url)).toMatchObject({ kind: 'command' })
  expect(testOffer({ ...report, cause: 'error' }, { ...verdict('fails'), noTest: 'No.' }, url)).toEqual(
    none('No.'),
  )
})
