// Measures how long the triage of a million reports takes to open, on a PostgreSQL server.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { startBackend } from '../../../backend/index.ts'
import { REPORTS_DEFAULTS, reportsSchema } from '../../../src/cli/reports/schema.ts'
import {
  readAccess,
  readFilter,
  readGroup,
  readGroups,
  readReports,
} from '../../../src/services/workbench/reports/index.ts'
import { type Benchmark, median } from '../contract.ts'

const [MANY, FEW] = [1_000_000, 1_000]
/** Requests of each kind per sample. */
const REPEATS = 20

/** Ours is the list among a million reports, the peer among a thousand. Prints the other requests besides. */
export const reportsList: Benchmark = {
  name: 'reports-list-1m',
  unit: 'ms',
  peer: 'the same list with 1,000 reports',
  async measure(samples) {
    const peer = await latencies(FEW, samples)
    return { ours: await latencies(MANY, samples), peer }
  },
}

export const reportMinute: Benchmark = {
  name: 'report-minute',
  unit: 'ms',
  peer: 'processor time of the same minute, not recorded',
  measure: async samples => (await import('./minute.ts')).measureMinute(samples),
}

export const reportSize: Benchmark = {
  name: 'report-size',
  unit: 'kB/min',
  peer: 'the same minute recorded with every step',
  measure: async () => (await import('./minute.ts')).measureSize(),
}

async function latencies(reports: number, samples: number): Promise<readonly number[]> {
  const project = await mkdtemp(join(tmpdir(), 'chartroom-bench-'))
  const migrations = join(project, 'supabase/migrations')
  await mkdir(migrations, { recursive: true })
  await writeFile(join(project, 'supabase/config.toml'), '')
  await writeFile(join(migrations, '20260101000000_chartroom_reports.sql'), reportsSchema(REPORTS_DEFAULTS))
  const backend = await startBackend({ data: 'memory', engine: 'postgres', project, databaseAccess: {} })
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  try {
    const client = createClient(backend.url, backend.publishableKey, { auth: { autoRefreshToken: false } })
    const { error } = await client.auth.signUp({ email: 'member@example.test', password: 'member-password' })
    if (error) throw error
    await sql`insert into public.chartroom_report_members select id from auth.users`
    await fill(sql, reports)
    const filter = readFilter({})
    const now = new Date()
    const [first] = (await readGroups(client, filter, now)).groups
    if (first === undefined) throw new Error('There are no groups.')
    const requests = {
      list: () => readGroups(client, filter, now),
      'list, page 20': () => readGroups(client, { ...filter, page: 20 }, now),
      'list, search': () => readGroups(client, readFilter({ q: 'failure 17', status: 'all' }), now),
      'list, fixed': () => readGroups(client, readFilter({ status: 'fixed' }), now),
      access: () => readAccess(client),
      group: () =>
        Promise.all([readGroup(client, first.fingerprint), readReports(client, first.fingerprint, 100)]),
      'new report': () => report(client),
    }
    const lists: number[] = []
    for (const [name, request] of Object.entries(requests)) {
      const times = await timed(request, samples * REPEATS)
      if (name === 'list') lists.push(...times)
      const slowest = times[Math.floor(times.length * 0.95)] ?? NaN
      console.error(
        `${reports.toLocaleString('en')} reports, ${name}: median ${median(times).toFixed(1)} ms, p95 ${slowest.toFixed(1)} ms`,
      )
    }
    return lists
  } finally {
    await sql.end()
    await backend.stop()
    await rm(project, { recursive: true })
  }
}

/** Sorted, in milliseconds; the first request of a kind is not measured. */
async function timed(request: () => Promise<unknown>, count: number): Promise<number[]> {
  await request()
  const times: number[] = []
  for (let at = 0; at < count; at += 1) {
    const start = performance.now()
    await request()
    times.push(performance.now() - start)
  }
  return times.toSorted((a, b) => a - b)
}

async function report(client: SupabaseClient): Promise<void> {
  const id = crypto.randomUUID()
  const { error } = await client.from('chartroom_reports').insert({
    id,
    happened_at: new Date().toISOString(),
    cause: 'error',
    fingerprint: 'error 7',
    title: 'Error: failure 7',
    system: 'chartroom',
    app_version: '1.4.2',
    path: `${new Date().toISOString().slice(0, 10)}/${id}`,
    trace_bytes: 50_000,
  })
  if (error) throw error
}

/**
 * Reports of the last 90 days, of up to 5,000 failures, a few of them frequent, in six versions; groups and
 * counts as the triggers would have made them, which take most of an hour for a million rows.
 */
async function fill(sql: postgres.Sql, reports: number): Promise<void> {
  await sql.unsafe(`
    do $$
    declare month timestamptz; part text;
    begin
      for back in 1..4 loop
        month := date_trunc('month', now() at time zone 'utc') at time zone 'utc' - make_interval(months => back);
        part := 'chartroom_reports_' || to_char(month at time zone 'utc', 'YYYY_MM');
        execute format('create table public.%I partition of public.chartroom_reports for values from (%L) to (%L)',
          part, month, month + interval '1 month');
        execute format('alter table public.%I enable row level security', part);
      end loop;
    end $$;
    alter table public.chartroom_reports disable trigger user;
    insert into public.chartroom_reports
      (id, received_at, happened_at, cause, fingerprint, title, app_version, system, path, trace_bytes)
    select id, at, at, 'error', 'error ' || failure, 'Error: failure ' || failure, '1.4.' || (n % 6), 'chartroom',
      to_char(at at time zone 'utc', 'YYYY-MM-DD') || '/' || id, 50000
    from (
      select n, gen_random_uuid() as id, now() - random() * interval '89 days' as at,
        floor(5000 * random() ^ 3)::int as failure
      from generate_series(1, ${reports}) n
    ) drawn;
    alter table public.chartroom_reports enable trigger user;
    insert into public.chartroom_report_groups
      (fingerprint, title, cause, status, fixed_in, first_seen, last_seen, last_version, reports, users)
    select fingerprint, min(title), 'error', case when hashtext(fingerprint) % 3 = 0 then 'fixed' else 'open' end,
      case when hashtext(fingerprint) % 3 = 0 then '1.5.0' end, min(received_at), max(received_at), '1.4.5', count(*), 0
    from public.chartroom_reports group by fingerprint;
    insert into public.chartroom_report_counts
    select fingerprint, (received_at at time zone 'utc')::date, app_version, count(*)
    from public.chartroom_reports group by 1, 2, 3;
    analyze`)
}
