// The migration of `chartroom reports init` on the embedded backend: who may do what, counts, limits, retention.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Backend } from '../../../backend/index.ts'
import { REPORTS_DEFAULTS, reportsSchema } from '../../../src/cli/reports/schema.ts'
import type { ClientStatus } from '../../../src/machines/index.ts'
import { createMemoryOutbox, uploadUrls } from '../../../src/services/reports/outbox.ts'
import { sendFiles } from '../../../src/services/reports/send-report.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { atFileEnd } from '../../harness/endings.ts'

const TRACE = new Blob([Uint8Array.of(31, 139, 8)], { type: 'application/gzip' })

const SIGNED_OUT: ClientStatus = {
  session: { phase: 'signedOut', reason: 'never' },
  key: { state: 'accepted', refusedBy: [], isChecking: false },
  connection: { phase: 'idle', attempt: 0 },
  network: 'online',
  requests: { queued: 0, waiting: 0, sending: 0, receiving: 0 },
  channels: {},
}

let backend: Backend
let anonymous: SupabaseClient
let member: SupabaseClient
let user: SupabaseClient
let userId: string
let memberId: string
let server: SupabaseClient

beforeAll(async () => {
  const project = await mkdtemp(join(tmpdir(), 'chartroom-reports-'))
  atFileEnd(() => rm(project, { recursive: true }))
  await mkdir(join(project, 'supabase/migrations'), { recursive: true })
  await writeFile(join(project, 'supabase/config.toml'), '[auth.email]\nenable_confirmations = false\n')
  const sql = reportsSchema(REPORTS_DEFAULTS)
  await writeFile(join(project, 'supabase/migrations/20260101000000_reports.sql'), sql)
  backend = await startTestBackend({ project, databaseAccess: {} })
  server = officialClient(backend, backend.secretKey)
  anonymous = officialClient(backend)
  ;[member, user] = [officialClient(backend), officialClient(backend)]
  memberId = await signUp(member, 'member@example.test')
  userId = await signUp(user, 'user@example.test')
  const { error } = await server.from('chartroom_report_members').insert({ user_id: memberId })
  expect(error).toBeNull()
})

async function signUp(client: SupabaseClient, email: string): Promise<string> {
  const { data, error } = await client.auth.signUp({ email, password: 'harbour-demo' })
  if (error || !data.user) throw error ?? new Error('no user')
  return data.user.id
}

function report(changes: Readonly<Record<string, unknown>> = {}) {
  const id = (changes['id'] as string | undefined) ?? crypto.randomUUID()
  return {
    id,
    happened_at: '2026-11-20T10:00:00Z',
    cause: 'invariant',
    fingerprint: 'settlesOnce request',
    title: 'settlesOnce: a request settled twice',
    app_version: '1.4.0',
    system: 'chartroom',
    path: `2026-11-20/${id}`,
    trace_bytes: 3,
    ...('picture' in changes && { picture_bytes: 3 }),
    ...changes,
  }
}

const add = async (client: SupabaseClient, changes: Readonly<Record<string, unknown>> = {}) => {
  const row = report(changes)
  const { error, status } = await client.from('chartroom_reports').insert(row)
  return { ...row, error, status }
}

const attach = (client: SupabaseClient, path: string, file = 'trace.gz') =>
  client.storage
    .from('chartroom-reports')
    .upload(`${path}/${file}`, TRACE, { contentType: 'application/gzip' })

const groupOf = async (fingerprint: string) => {
  const { data, error } = await member
    .from('chartroom_report_groups')
    .select()
    .eq('fingerprint', fingerprint)
    .single()
  if (error) throw new Error(error.message)
  return data as Record<string, unknown>
}

test('a large file continues where it was interrupted, also after the tab was closed', async () => {
  const content = new Uint8Array(15_000_000).map((_, at) => (at * 31) >> 3)
  const picture = new Blob([content], { type: 'image/png' })
  const { id, path, error } = await add(anonymous, {
    fingerprint: 'large',
    picture: 'page.png',
    picture_bytes: content.length,
  })
  expect(error).toBeNull()
  const outbox = createMemoryOutbox()
  await outbox.put({
    id,
    cause: { kind: 'user', fingerprint: 'large', title: '' },
    happenedAt: '2026-11-20T10:00:00Z',
    appVersion: '1',
    system: 'chartroom',
    note: '',
    withUser: false,
    trace: TRACE,
    picture,
    attempts: 0,
  })
  let sent = 0
  const attempt = async (isLost: (part: number) => boolean) => {
    const report = await outbox.get(id)
    if (!report) throw new Error('the report is gone')
    let parts = 0
    const send = async (to: string, init: RequestInit = {}) => {
      const size = init.method === 'PATCH' && init.body instanceof Blob ? init.body.size : 0
      if (size > 0 && isLost(++parts)) throw new TypeError('Failed to fetch')
      sent += size
      const headers = new Headers(init.headers)
      headers.set('apikey', backend.publishableKey)
      return fetch(`${backend.url}${to}`, { ...init, headers })
    }
    const client = { fetch: send, status: () => SIGNED_OUT }
    const place = { table: 'chartroom_reports', bucket: 'chartroom-reports' }
    const urlStorage = uploadUrls(outbox, id)
    return sendFiles({ client, place, report, signal: new AbortController().signal, urlStorage })
  }
  expect(await attempt(part => part === 2)).toMatchObject({ type: 'part.failed' })
  expect(await attempt(() => false)).toEqual({ type: 'part.sent' })
  expect(sent).toBe(content.length)
  expect((await outbox.get(id))?.uploads).toEqual({})
  const { data } = await member.storage.from('chartroom-reports').download(`${path}/page.png`)
  expect(Buffer.from(await (data ?? new Blob()).arrayBuffer()).equals(content)).toBe(true)
})

test('anyone reports with the publishable key, and only members read it', async () => {
  const { id, path, error } = await add(anonymous, { fingerprint: 'read' })
  expect(error).toBeNull()
  expect((await attach(anonymous, path)).error).toBeNull()
  for (const table of [
    'chartroom_reports',
    'chartroom_report_groups',
    'chartroom_report_counts',
    'chartroom_report_members',
  ]) {
    expect((await anonymous.from(table).select()).error?.code).toBe('42501')
    expect((await user.from(table).select()).data).toEqual([])
    expect((await member.from(table).select()).data).not.toEqual([])
  }
  const file = (client: SupabaseClient) =>
    client.storage.from('chartroom-reports').download(`${path}/trace.gz`)
  expect((await file(anonymous)).data).toBeNull()
  expect((await file(user)).data).toBeNull()
  expect((await file(member)).data?.size).toBe(3)
  const { data } = await member.from('chartroom_reports').select('id, app_version, user_id').eq('id', id)
  expect(data).toEqual([{ id, app_version: '1.4.0', user_id: null }])
})

test('a user reports as themself or without an id, never as another user', async () => {
  expect((await add(user, { user_id: userId })).error).toBeNull()
  expect((await add(user, { user_id: memberId })).error?.code).toBe('42501')
  expect((await add(anonymous, { user_id: userId })).error?.code).toBe('42501')
})

test('what members decide cannot be written by users, nor when a report is added', async () => {
  const { id } = await add(anonymous, { fingerprint: 'decided' })
  for (const client of [anonymous, user]) {
    expect((await add(client, { driven_outcome: 'passes' })).error?.code).toBe('42501')
    expect((await add(client, { received_at: '2020-01-01T00:00:00Z' })).error?.code).toBe('42501')
    await client.from('chartroom_report_groups').update({ status: 'ignored' }).eq('fingerprint', 'decided')
    await client.from('chartroom_reports').update({ driven_outcome: 'passes' }).eq('id', id)
    await client.from('chartroom_reports').delete().eq('id', id)
    await client.from('chartroom_report_members').insert({ user_id: userId })
  }
  expect(await groupOf('decided')).toMatchObject({ status: 'open', reports: 1 })
  expect((await member.from('chartroom_reports').select('driven_outcome').eq('id', id)).data).toEqual([
    { driven_outcome: null },
  ])
  const entered = await member
    .from('chartroom_reports')
    .update({ driven_outcome: 'fails' })
    .eq('id', id)
    .select('id')
  expect(entered.data).toEqual([{ id }])
  // Members do not change what was reported.
  expect((await member.from('chartroom_reports').update({ note: 'other' }).eq('id', id)).error?.code).toBe(
    '42501',
  )
  expect((await member.from('chartroom_report_members').insert({ user_id: userId })).error?.code).toBe(
    '42501',
  )
})

test('a report that is sent again is refused as known, and counted once', async () => {
  const first = await add(anonymous, { fingerprint: 'twice' })
  const again = await add(anonymous, { id: first.id, fingerprint: 'twice' })
  expect([again.status, again.error?.code]).toEqual([409, '23505'])
  expect(await groupOf('twice')).toMatchObject({ reports: 1 })
})

test('files belong to a report, are added once, and only those that it announced', async () => {
  const { path } = await add(anonymous, { picture: 'page.webp' })
  const unknown = `2026-11-20/${crypto.randomUUID()}`
  expect((await attach(anonymous, path)).error).toBeNull()
  expect((await attach(anonymous, path)).error).not.toBeNull()
  expect((await attach(anonymous, unknown)).error?.message).toMatch(/row-level security/)
  expect((await attach(anonymous, path, 'page.png')).error?.message).toMatch(/row-level security/)
  expect((await attach(anonymous, path, 'page.webp')).error).toBeNull()
  const replaced = await anonymous.storage
    .from('chartroom-reports')
    .upload(`${path}/trace.gz`, TRACE, { upsert: true, contentType: 'application/gzip' })
  expect(replaced.error).not.toBeNull()
  const { data } = await anonymous.storage.from('chartroom-reports').remove([`${path}/trace.gz`])
  expect(data).toEqual([])
})

test('malformed reports are refused', async () => {
  const malformed = [
    { cause: 'other' },
    { fingerprint: '' },
    { title: 'x'.repeat(301) },
    { note: 'x'.repeat(5001) },
    { path: '../secret' },
    { path: `2026-11-20/${crypto.randomUUID()}` },
    { picture: 'page.svg' },
    { trace_id: 'not hexadecimal' },
    { trace_bytes: REPORTS_DEFAULTS.bytes + 1 },
  ]
  for (const changes of malformed)
    expect({ changes, code: (await add(anonymous, changes)).error?.code }).toEqual({ changes, code: '23514' })
})

test('groups count reports, users and versions, and reopen for a report of the fixed version or a later one', async () => {
  const fingerprint = 'group'
  await add(user, { fingerprint, user_id: userId, app_version: '1.2.0' })
  await add(user, { fingerprint, user_id: userId, app_version: '1.10.0' })
  await add(anonymous, { fingerprint, app_version: '1.10.0' })
  expect(await groupOf(fingerprint)).toMatchObject({
    reports: 3,
    users: 1,
    last_version: '1.10.0',
    status: 'open',
  })
  const { data } = await member
    .from('chartroom_report_counts')
    .select('app_version, reports')
    .eq('fingerprint', fingerprint)
  expect(data).toHaveLength(2)
  expect(data).toContainEqual({ app_version: '1.10.0', reports: 2 })

  const decide = (values: object) =>
    member.from('chartroom_report_groups').update(values).eq('fingerprint', fingerprint)
  expect((await decide({ status: 'fixed' })).error?.code).toBe('23514')
  const statusAfter = async (fixedIn: string, version: string) => {
    expect((await decide({ status: 'fixed', fixed_in: fixedIn })).error).toBeNull()
    await add(anonymous, { fingerprint, app_version: version })
    return (await groupOf(fingerprint))['status']
  }
  expect(await statusAfter('1.11.0', '1.9.9')).toBe('fixed')
  expect(await statusAfter('1.11.0', '1.11.0')).toBe('open')
  expect(await statusAfter('1.11', '2.0.0-beta.1')).toBe('fixed')
  expect(await statusAfter('v1.11.0', '2.0.0')).toBe('open')
  expect(await statusAfter('9f2c1ab', '10.0.0')).toBe('fixed')
  expect(await statusAfter('9f2c1ab', '9f2c1ab')).toBe('open')
  expect(await statusAfter('1.0.0', '99999999999999999999.0')).toBe('fixed')
})

test('a group has what a user wrote last, until the report with it is removed', async () => {
  const fingerprint = 'user request callFailing: send.answered 503'
  const words = async () => (await groupOf(fingerprint))['last_note']
  const note = async (text: string) => add(anonymous, { cause: 'user', fingerprint, note: text })
  await note('Nothing is saved.')
  const second = await note(`It hangs. ${'x'.repeat(600)}`)
  await note('')
  expect(second.error).toBeNull()
  expect(await words()).toBe(`It hangs. ${'x'.repeat(490)}`)
  expect((await anonymous.from('chartroom_report_groups').select('last_note')).data ?? []).toEqual([])
  const changed = await member
    .from('chartroom_report_groups')
    .update({ last_note: 'x' })
    .eq('fingerprint', fingerprint)
  expect(changed.error?.code).toBe('42501')
  await server.from('chartroom_reports').delete().eq('id', second.id)
  expect(await words()).toBe('Nothing is saved.')
  await server.from('chartroom_reports').delete().eq('fingerprint', fingerprint)
  expect(await words()).toBe('')
})

test('old reports are removed with their counts, and partitions are made in advance', async () => {
  const sql = postgres(backend.databaseUrl ?? '', { max: 1 })
  onTestFinished(() => sql.end())
  const row = (at: Date) => ({
    ...report({ fingerprint: `from ${at.toISOString().slice(0, 10)}` }),
    received_at: at.toISOString(),
  })
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const rows = [row(daysAgo(200)), row(daysAgo(91)), row(daysAgo(89))]
  // Without triggers, which would enter the current time.
  const insert = (values: typeof rows) =>
    sql.begin(async within => {
      await within`set local session_replication_role = replica`
      await within`insert into chartroom_reports ${within(values)}`
    })
  await insert(rows)
  await sql`select chartroom_private.maintain_reports()`
  const kept = await sql`select id from chartroom_reports where fingerprint like 'from %'`
  expect(kept.map(({ id }) => id as string)).toEqual([rows[2]?.id])
  const partitions = await sql`
    select relname from pg_class where relname ~ '^chartroom_reports_[0-9]' and relkind = 'r' order by 1`
  expect(partitions).toHaveLength(3)

  // Reports that arrived before the partition of their month was made move into it.
  const next = new Date()
  next.setUTCMonth(next.getUTCMonth() + 1, 3)
  const part = `chartroom_reports_${next.toISOString().slice(0, 7).replace('-', '_')}`
  await sql`drop table ${sql(part)}`
  const early = row(next)
  await insert([early])
  const placeOf = async (id: string) => {
    const found = await sql`select tableoid::regclass::text as place from chartroom_reports where id = ${id}`
    return found.map(({ place }) => place as string)
  }
  expect(await placeOf(early.id)).toEqual(['chartroom_reports_rest'])
  await sql`select chartroom_private.maintain_reports()`
  expect(await placeOf(early.id)).toEqual([part])
  // And its rows are as private as the others'.
  expect((await user.from(part).select()).error?.code).toMatch(/42501|PGRST205/)
  expect((await server.rpc('chartroom_reports_maintain')).error).toBeNull()
  for (const client of [anonymous, user, member])
    expect((await client.rpc('chartroom_reports_maintain')).error?.code).toMatch(/42501|PGRST202/)
})

/** What is stored, counted by PostgreSQL, after the limits of the day were set to what is left plus this. */
async function withLeft(left: { readonly reports?: number; readonly bytes?: number }) {
  const sql = postgres(backend.databaseUrl ?? '', { max: 1 })
  onTestFinished(() => sql.end())
  const stored = async () => {
    const [row] =
      await sql`select count(*)::int as reports, coalesce(sum(trace_bytes + picture_bytes), 0)::int as bytes
      from chartroom_reports where received_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'`
    return row as unknown as { readonly reports: number; readonly bytes: number }
  }
  await sql`insert into chartroom_private.usage values ((now() at time zone 'utc')::date, 0, 0) on conflict do nothing`
  await sql`update chartroom_private.settings set
    per_day = (select reports from chartroom_private.usage) + ${left.reports ?? 100_000},
    bytes_per_day = (select bytes from chartroom_private.usage) + ${left.bytes ?? 100_000_000}`
  return { before: await stored(), stored }
}

const refusal = { status: 429, error: { code: 'PT429' } }

test('reports beyond the limit of the day are refused with 429, one by one', async () => {
  const { before, stored } = await withLeft({ reports: 2 })
  expect([await add(anonymous), await add(anonymous), await add(anonymous)]).toMatchObject([
    { status: 201 },
    { status: 201 },
    {
      ...refusal,
      error: { message: expect.stringMatching(/^The limit of \d+ reports or \d+ bytes per day is reached/) },
    },
  ])
  expect((await stored()).reports - before.reports).toBe(2)
})

test('many rows of one statement are not more than the limit', async () => {
  const { before, stored } = await withLeft({ reports: 5 })
  const rows = (count: number) => Array.from({ length: count }, () => report())
  for (const count of [3_000, 6])
    expect(await anonymous.from('chartroom_reports').insert(rows(count))).toMatchObject(refusal)
  expect(await anonymous.from('chartroom_reports').insert(rows(5))).toMatchObject({ status: 201 })
  expect(await anonymous.from('chartroom_reports').insert(rows(1))).toMatchObject(refusal)
  expect((await stored()).reports - before.reports).toBe(5)
})

test('concurrent requests are not more than the limit', async () => {
  const { before, stored } = await withLeft({ reports: 5 })
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => add(anonymous)))).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([
    ...Array<number>(5).fill(201),
    ...Array<number>(15).fill(429),
  ])
  expect((await stored()).reports - before.reports).toBe(5)
})

test('the bytes of a day are limited, in one statement and in concurrent requests, with those of pictures', async () => {
  const { before, stored } = await withLeft({ bytes: 10_000 })
  const large = { trace_bytes: 3_000, picture: 'page.png', picture_bytes: 1_000 }
  expect(await anonymous.from('chartroom_reports').insert([1, 2, 3].map(() => report(large)))).toMatchObject(
    refusal,
  )
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => add(anonymous, large)))).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429])
  expect((await add(anonymous, { trace_bytes: 2_001 })).status).toBe(429)
  expect((await add(anonymous, { trace_bytes: 2_000 })).status).toBe(201)
  expect((await stored()).bytes - before.bytes).toBe(10_000)
})

test('files are no larger than their report says', async () => {
  await withLeft({})
  const { path } = await add(anonymous, { trace_bytes: 2 })
  expect((await attach(anonymous, path)).error?.message).toMatch(/row-level security/)
  const fitting = await add(anonymous, { trace_bytes: 3 })
  expect((await attach(anonymous, fitting.path)).error).toBeNull()
})

test('the same report sent several times at once is stored once', async () => {
  await withLeft({})
  const id = crypto.randomUUID()
  const fingerprint = 'at once'
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => add(anonymous, { id, fingerprint })))).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
  expect(await groupOf(fingerprint)).toMatchObject({ reports: 1 })
})

test('a time that no clock of a device shows is replaced by that of the receipt', async () => {
  await withLeft({})
  for (const time of ['infinity', '-infinity', '4000-01-01 BC', '290000-01-01', '2016-01-01T00:00:00Z']) {
    const { id, error } = await add(anonymous, { happened_at: time })
    expect(error).toBeNull()
    const { data } = await member
      .from('chartroom_reports')
      .select('happened_at, received_at')
      .eq('id', id)
      .single()
    expect(data?.happened_at).toBe(data?.received_at)
  }
})
