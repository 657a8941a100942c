// From a user's report to a failing test and back, with the command line: a bug in a machine, the report of one
// client, its test, the fix, and the bug's return in a later version.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { type AnyStateMachine, createMachine } from 'xstate'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Backend } from '../../../backend/index.ts'
import { exportCommand } from '../../../src/cli/export.ts'
import { isAtLeast } from '../../../src/cli/reports/drive.ts'
import { reportsCommand } from '../../../src/cli/reports/reports.ts'
import { createChartroomClient } from '../../../src/public/index.ts'
import { recordEverything } from '../../../src/public/devtools/recording.ts'
import { record } from '../../../src/public/devtools/recording.ts'
import { reportTo } from '../../../src/public/devtools/reports.ts'
import { createRing } from '../../../src/public/devtools/store.ts'
import { memoryStorage } from '../../../src/services/client/index.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { withBug } from '../../harness/bugged-client.ts'
import { folderForTests, runVitest } from '../../harness/child-vitest.ts'
import { runCli } from '../../harness/cli-process.ts'
import { type Ran, ran } from '../../harness/command.ts'
import { atFileEnd } from '../../harness/endings.ts'

const BUGGED = fileURLToPath(new URL('../../harness/bugged-client.ts', import.meta.url))

let backend: Backend
let project: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'chartroom-reports-'))
  atFileEnd(() => rm(project, { recursive: true }))
  const { code, out } = await ran(reportsCommand, 'init', project)
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('_chartroom_reports.sql') })
  backend = await startTestBackend({ project, databaseAccess: {} })
  vi.stubEnv('SUPABASE_URL', backend.url)
  vi.stubEnv('SUPABASE_SECRET_KEY', backend.secretKey)
  atFileEnd(() => vi.unstubAllEnvs())
})

/** A user of the app meets the bug in this version of it. */
async function meetBug(appVersion: string): Promise<string> {
  const client = createChartroomClient(backend.url, backend.publishableKey, {
    auth: { storage: memoryStorage() },
    recording: withBug(recordEverything({ invariants: false })),
  })
  onTestFinished(() => client.dispose())
  const reporter = reportTo(client, { on: ['invariant'], consent: () => true, appVersion })
  onTestFinished(() => reporter.dispose())
  const sent = new Promise<string>((resolve, reject) => {
    reporter.onSettled((id, outcome) => {
      if (outcome.kind === 'sent') resolve(id)
      else if (outcome.kind !== 'declined') reject(new Error(JSON.stringify(outcome)))
    })
  })
  await client.supabase.from('chartroom_reports').select()
  return sent
}

/** Runs a command in a separate process, which loads the machines as on a command line. */
const spawned = (...args: readonly string[]): Promise<Ran> =>
  runCli(['reports', ...args], { SUPABASE_URL: backend.url, SUPABASE_SECRET_KEY: backend.secretKey })

/** Runs reports; only other machines of Chartroom itself need a separate process, which costs seconds. */
const driven = (...flags: readonly string[]): Promise<Ran> =>
  flags.includes(BUGGED) ? spawned('drive', ...flags) : ran(reportsCommand, 'drive', ...flags)

interface Listed {
  readonly fingerprint: string
  readonly status: string
}

const jsonLines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as unknown)

async function groups(): Promise<Listed[]> {
  const { code, out, err } = await ran(reportsCommand, 'list', '--status', 'all', '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return jsonLines(out) as Listed[]
}

test('a report becomes a test, which fails before the fix and passes after; the failure returns', async () => {
  const id = await meetBug('1.0.0')
  expect(await groups()).toMatchObject([
    { fingerprint: 'invariant settlesOnce client', status: 'open', reports: 1, last_version: '1.0.0' },
  ])
  const listed = await ran(reportsCommand, 'list')
  expect(listed.out).toMatch(/OPEN.* settlesOnce: Request N settled without being open/)

  // The test, with the machines that have the bug.
  const folder = await folderForTests('report')
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'report.test.ts')
  const written = await spawned('test', id, '--out', file, '--machines', BUGGED)
  expect(written).toMatchObject({ code: 0, err: '' })
  const text = await readFile(file, 'utf8')
  expect(text.split('\n').length).toBeLessThanOrEqual(80)
  expect(text).toMatch(/\.toKeepInvariants\(\)/)
  // The fix.
  const fixed = text.replace(/, systems\)/, ')').replace(/^import \{ systems \}.*\n/m, '')
  await writeFile(join(folder, 'fixed.test.ts'), fixed)
  const { output } = await runVitest(folder)
  expect(output).toMatch(/settlesOnce at step \d+, client: Request .+ settled without being open/)
  expect(output).toMatch(/FAIL +report\.test\.ts/)
  expect(output).toMatch(/✓ fixed\.test\.ts \(1 test\)/)
  expect(output).toMatch(/Tests +1 failed \| 1 passed \(2\)/)

  // Against the builds before and after the fix.
  const drive = async (...flags: string[]) => {
    const { code, out } = await driven('--json', ...flags)
    return { code, results: jsonLines(out) }
  }
  expect(await drive('--machines', BUGGED, '--enter', '1.0.0')).toMatchObject({
    code: 0,
    results: [{ id, outcome: 'fails', change: null }],
  })
  expect(await drive('--enter', '1.1.0')).toMatchObject({
    code: 0,
    results: [{ outcome: 'passes', change: 'fixes' }],
  })
  const back = await driven('--machines', BUGGED, '--annotations', 'github')
  expect(back).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^BRINGS BACK {2}settlesOnce: Request N settled/m) as string,
  })
  expect(back.err).toMatch(
    /^::error title=chartroom reports%3A brings back an incident::settlesOnce: Request N settled/m,
  )

  // Closed in the version that fixes it; a user with an old version reports it again, then one with a new one.
  await drive('--machines', BUGGED, '--enter', '1.0.0')
  expect(await groups()).toMatchObject([{ status: 'open' }])
  expect(await drive('--enter', '1.0.0', '--close')).toMatchObject({ results: [{ status: 'open' }] })
  await drive('--machines', BUGGED, '--enter', '1.0.0')
  expect(await drive('--enter', '1.1.0', '--close')).toMatchObject({
    code: 0,
    results: [{ outcome: 'passes', change: 'fixes', status: 'fixed' }],
  })
  expect(await groups()).toMatchObject([{ status: 'fixed', fixed_in: '1.1.0' }])
  const server = officialClient(backend, backend.secretKey)
  await meetBug('1.0.0')
  expect(await groups()).toMatchObject([{ status: 'fixed', reports: 2 }])
  await meetBug('1.2.0')
  expect(await groups()).toMatchObject([{ status: 'open', reports: 3 }])

  // Files whose report was removed.
  await server.from('chartroom_reports').delete().eq('id', id)
  expect(await ran(reportsCommand, 'clean', '--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringContaining(id) as string,
  })
  expect((await ran(reportsCommand, 'clean')).out).toBe('1 file removed.\n')
  expect((await ran(reportsCommand, 'clean')).out).toBe('0 files removed.\n')
})

test('reports of strangers do not close a failure: only the report that failed, run again, does', async () => {
  const id = await meetBug('2.0.0')
  const fingerprint = 'invariant settlesOnce client'
  const drive = async (...flags: string[]) => {
    const { out } = await driven('--json', '--status', 'open', ...flags)
    return jsonLines(out) as { readonly id: string; readonly outcome: string; readonly status: string }[]
  }
  const anonymous = officialClient(backend)
  const strangers = Array.from({ length: 3 }, () => crypto.randomUUID())
  const addHarmless = async (appVersion: string) => {
    const recording = record(harmless, { steps: false })
    recording.start()
    recording.stop()
    const trace = new Blob([recording.lines().join('\n')], { type: 'application/gzip' })
    for (const stranger of strangers.splice(0, 3)) {
      const path = `2026-11-20/${stranger}`
      const row = { id: stranger, fingerprint, path, system: 'harmless', title: 'x', app_version: appVersion }
      const { error } = await anonymous.from('chartroom_reports').insert({
        ...row,
        happened_at: new Date().toISOString(),
        cause: 'invariant',
        trace_bytes: trace.size,
      })
      expect(error).toBeNull()
      const sent = await anonymous.storage.from('chartroom-reports').upload(`${path}/trace.gz`, trace)
      expect(sent.error).toBeNull()
    }
  }

  // Never run is not failed.
  expect(await drive('--enter', '2.0.1', '--close')).toContainEqual(
    expect.objectContaining({ id, outcome: 'passes', change: null, status: 'open' }),
  )
  expect(await drive('--machines', BUGGED, '--enter', '2.0.0')).toContainEqual(
    expect.objectContaining({ id, outcome: 'fails' }),
  )
  await addHarmless('')
  // The three newest reports are the strangers'; the one that failed is run again, too, and still fails.
  const unchanged = await drive('--machines', BUGGED, '--enter', '2.0.1', '--close')
  expect(unchanged.length).toBeGreaterThanOrEqual(4)
  expect(unchanged).toContainEqual(expect.objectContaining({ id, outcome: 'fails', status: 'open' }))
  expect(await groups()).toContainEqual(expect.objectContaining({ fingerprint, status: 'open' }))

  // Rows are read to their end from a project that returns one at a time.
  const sql = postgres(backend.databaseUrl ?? '', { max: 1 })
  onTestFinished(() => sql.end())
  const setMost = async (most: string, isEnough: (rows: number) => boolean) => {
    await sql.unsafe(`alter role authenticator ${most}; notify pgrst, 'reload config'`)
    const server = officialClient(backend, backend.secretKey)
    await vi.waitFor(async () => {
      const { data } = await server.from('chartroom_reports').select('id')
      expect(isEnough(data?.length ?? 0)).toBe(true)
    })
  }
  await setMost("set pgrst.db_max_rows = '1'", rows => rows === 1)
  expect((await ran(reportsCommand, 'clean', '--dry-run')).out).not.toContain(id)
  await setMost('reset pgrst.db_max_rows', rows => rows > 1)
})

const harmless = createMachine({ id: 'harmless' })

/** The machine of an app: its bug is a refund of something that was not sold. */
const tillModule = (amount: string) => `
import { assign, setup } from 'xstate'
type Sale = { readonly amount: number }
type TillEvent = { readonly type: 'sell'; readonly sale: Sale } | { readonly type: 'refund' | 'close' | 'open' }
export const till = setup({
  types: { context: {} as { readonly sales: readonly Sale[]; readonly total: number }, events: {} as TillEvent },
  actions: {
    add: assign(({ context, event }) =>
      event.type === 'sell'
        ? { sales: [...context.sales, event.sale], total: context.total + event.sale.amount }
        : {},
    ),
    refund: assign(({ context: { sales, total } }) => ({ sales: sales.slice(0, -1), total: total - ${amount} })),
  },
}).createMachine({
  id: 'till',
  context: { sales: [], total: 0 },
  initial: 'open',
  states: {
    open: { on: { sell: { actions: 'add' }, refund: { actions: 'refund' }, close: 'closed' } },
    closed: { on: { open: 'open' } },
  },
})
`
const WITH_BUG = 'sales.at(-1)!.amount'
const WITHOUT_BUG = '(sales.at(-1)?.amount ?? 0)'

test("an error in a machine of the app's own becomes a test, and closes itself once it is fixed", async () => {
  const folder = await folderForTests('own')
  onTestFinished(() => rm(folder, { recursive: true }))
  // Both versions, for one run of vitest.
  const [machines, fixedMachines] = ['before', 'after'].map(name => join(folder, name, 'till.ts')) as [
    string,
    string,
  ]
  for (const [to, expression] of [
    [machines, WITH_BUG],
    [fixedMachines, WITHOUT_BUG],
  ] as const) {
    await mkdir(dirname(to))
    await writeFile(to, tillModule(expression))
  }
  const { till } = (await import(pathToFileURL(machines).href)) as { readonly till: AnyStateMachine }

  // The app records its own machine, and has a client that is not recorded.
  const client = createChartroomClient(backend.url, backend.publishableKey, {
    auth: { storage: memoryStorage() },
  })
  onTestFinished(() => client.dispose())
  const recording = record(till, { steps: false })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const reporter = reportTo(client, {
    recording: createRing(recording, { minutes: 5 }),
    consent: () => true,
    appVersion: '2.0.0',
    traceparent: () => `${traceId}-b7ad6b7169203331-1`,
  })
  onTestFinished(() => reporter.dispose())
  const sent = new Promise<string>((resolve, reject) => {
    reporter.onSettled((id, outcome) =>
      outcome.kind === 'sent' ? resolve(id) : reject(new Error(JSON.stringify(outcome))),
    )
  })
  recording.actor.subscribe({ error: error => void reporter.report({ error }) })
  recording.start()
  const send = (event: object) => recording.actor.send(event as never)
  for (let amount = 1; amount <= 30; amount++) send({ type: 'sell', sale: { amount } })
  for (let times = 0; times <= 30; times++) send({ type: 'refund' })
  const id = await sent

  const listed = await ran(reportsCommand, 'list', '--search', 'undefined')
  expect(listed.out).toMatch(/OPEN.* TypeError: Cannot read properties of undefined \(reading "…"\)/)
  // Found by the trace id of another tool, and exported as a part of that trace.
  const file = join(folder, 'report.trace.gz')
  expect(await ran(reportsCommand, 'get', traceId, '--out', file)).toMatchObject({ code: 0, err: '' })
  const signal = ['--to', 'otlp', '--signal', 'traces']
  const { out: spans } = await ran(exportCommand, file, ...signal, '--machines', machines)
  expect(spans).toContain(`"traceId":"${traceId}"`)
  expect(spans).toContain('"parentSpanId":"b7ad6b7169203331","name":"till"')

  // Without its machines, the result says which flag is missing.
  expect(
    jsonLines((await ran(reportsCommand, 'drive', '--json', '--search', 'undefined')).out),
  ).toMatchObject([
    {
      id,
      outcome: 'unusable',
      summary: expect.stringMatching(/"till" are unknown; .* --machines FILE/) as string,
    },
  ])
  const test = join(folder, 'before/refund.test.ts')
  const written = await ran(reportsCommand, 'test', id, '--out', test, '--machines', machines)
  expect(written).toMatchObject({ code: 0, err: '' })
  const text = await readFile(test, 'utf8')
  expect(text.split('\n').length).toBeLessThanOrEqual(80)
  // Of 61 inputs, one is left.
  expect(text.match(/external to till/g)).toHaveLength(1)
  for (const name of ['refund.test.ts', 'refund.trace.gz'])
    await cp(join(folder, 'before', name), join(folder, 'after', name))
  const { output } = await runVitest(folder)
  expect(output).toMatch(/till: Must never happen: the root is error/)
  expect(output).toMatch(/FAIL +before\/refund\.test\.ts/)
  expect(output).toMatch(/✓ after\/refund\.test\.ts \(1 test\)/)
  expect(output).toMatch(/Tests +1 failed \| 1 passed \(2\)/)

  const drive = (from: string, ...flags: string[]) =>
    ran(reportsCommand, 'drive', '--json', '--search', 'undefined', '--machines', from, ...flags)
  const failing = await drive(machines, '--enter', '2.0.0')
  expect(jsonLines(failing.out)).toMatchObject([{ id, outcome: 'fails', change: null }])
  const fixed = await drive(fixedMachines, '--enter', '2.1.0', '--close')
  expect(jsonLines(fixed.out)).toMatchObject([{ outcome: 'passes', change: 'fixes', status: 'fixed' }])
})

test("a user's report of a client that records no steps is titled by what a replay of it explains", async () => {
  const fault = 'busy'
  backend.faults.add({
    id: fault,
    when: { path: '/rest/v1/chartroom_reports', method: 'PATCH' },
    do: { status: 503 },
  })
  onTestFinished(() => void backend.faults.clear(fault))
  const client = createChartroomClient(backend.url, backend.publishableKey, {
    auth: { storage: memoryStorage() },
    recording: recordEverything({ steps: false, ring: { minutes: 5 } }),
  })
  onTestFinished(() => client.dispose())
  const reporter = reportTo(client)
  onTestFinished(() => reporter.dispose())
  const settled = new Promise<string>((resolve, reject) => {
    reporter.onSettled((id, { kind }) => (kind === 'sent' ? resolve(id) : reject(new Error(kind))))
  })
  await client.supabase.from('chartroom_reports').update({ note: '' }).eq('id', crypto.randomUUID())
  await reporter.report({ note: 'Saving does nothing. I tried (it) "twice", really.' })
  const id = await settled
  expect((await ran(reportsCommand, 'list', '--search', 'I tried (it) "TWICE"')).out).toMatch(
    /OPEN.* {2}Saving does nothing\.\n {2}PATCH \/rest\/v1\/chartroom_reports failed because the server failed \(503\)\./,
  )
  // The test fails with the inputs that were recorded, until the machines do not fail on them.
  const folder = await folderForTests('user')
  onTestFinished(() => rm(folder, { recursive: true }))
  const written = await ran(reportsCommand, 'test', id, '--out', join(folder, 'user.test.ts'))
  expect(written).toMatchObject({ code: 0, err: '' })
  expect(await readFile(join(folder, 'user.test.ts'), 'utf8')).toContain(
    "const failed = { src: 'request', entered: 'answered', context: { status: 503 } } as const",
  )
})

test('versions are compared as the tables do', () => {
  const later = ['1.2.0', '1.10', 'v2', '1.1.0+build.5', '1.1.0', 'abc']
  expect(later.filter(version => isAtLeast(version, '1.1.0'))).toEqual([
    '1.2.0',
    '1.10',
    'v2',
    '1.1.0+build.5',
    '1.1.0',
  ])
  expect(['1.1', '1.0.9', '1.1.0-beta.1', ''].filter(version => isAtLeast(version, '1.1.0'))).toEqual([])
  expect(isAtLeast('1.1.0', '1.1')).toBe(true)
  expect(isAtLeast('abc', 'abc')).toBe(true)
})

test('errors name what is missing or wrong, and what to do', async () => {
  const wrong = async (...args: string[]) => {
    const { code, err } = await ran(reportsCommand, ...args)
    return { code, first: err.split('\n')[0] }
  }
  expect(await wrong('init', project)).toEqual({
    code: 2,
    first: expect.stringMatching(/exists: this project has the migration\.$/),
  })
  expect(await wrong('init', project, '--days', '0')).toEqual({
    code: 2,
    first: expect.stringMatching(/--days must be a whole number/),
  })
  expect(await wrong('lst')).toEqual({ code: 2, first: 'Unknown command "lst". Did you mean "list"?' })
  expect(await wrong('list', '--since', 'yesterday')).toEqual({
    code: 2,
    first: expect.stringMatching(/^--since must be a number with h, d or w/),
  })
  expect(await wrong('get', '17')).toEqual({
    code: 2,
    first: expect.stringMatching(/^"17" is no id of a report, and no trace id/),
  })
  expect(await wrong('get', '00000000-0000-4000-8000-000000000000')).toEqual({
    code: 2,
    first: 'There is no report 00000000-0000-4000-8000-000000000000.',
  })
  expect(await wrong('test', '00000000-0000-4000-8000-000000000000')).toEqual({
    code: 2,
    first: '--out is missing. Name the file of the test.',
  })
  expect(await wrong('list', '--url', 'ftp://x')).toEqual({
    code: 2,
    first: '--url must be an http or https URL, not "ftp://x".',
  })
  expect(await wrong('drive', '--close')).toEqual({
    code: 2,
    first: '--close needs --enter, the version in which the failures are fixed.',
  })
  vi.stubEnv('SUPABASE_SECRET_KEY', '')
  expect(await wrong('list')).toEqual({
    code: 2,
    first: 'The secret key is missing. Set the environment variable SUPABASE_SECRET_KEY.',
  })
  vi.stubEnv('SUPABASE_SECRET_KEY', backend.secretKey)
  expect(await wrong('list', '--url', 'http://127.0.0.1:9')).toEqual({
    code: 2,
    first: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 can't be reached: /),
  })
}, 60_000)
