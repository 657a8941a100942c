// The official suites: how each runs against our backend, and which tests need unsupported features.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { startBackend, type Backend, type BackendOptions } from '../../backend/index.ts'
import { withRootMounts } from './auth-mount.ts'
import { runJest, type TestOutcome } from './jest.ts'
import { runIn } from './run.ts'
import { runRuntime, type RUNTIMES } from './runtimes.ts'

/** Folders of the checkouts, with their dependencies installed. */
export interface Checkouts {
  /** supabase/supabase-js, with its packages built. */
  readonly supabaseJs: string
  /** supabase/realtime. */
  readonly realtime: string
  /** Path of the `bun` executable. */
  readonly bun: string
}

export interface SuiteResult {
  readonly name: string
  /** Tests that need a server and only supported features. */
  readonly counted: readonly TestOutcome[]
  /** Tests of features that are unsupported by design. */
  readonly excluded: readonly TestOutcome[]
  /** Tests that pass without a server. */
  readonly serverless: readonly TestOutcome[]
}

export type Suite = (checkouts: Checkouts) => Promise<SuiteResult>

/** Both suites expect the API on this port. */
export const API_PORT = 54_321
const DATABASE_PORT = 54_322

/** auth-js: a run without a server shows which tests need one. */
async function authJs({ supabaseJs }: Checkouts): Promise<SuiteResult> {
  const folder = join(supabaseJs, 'packages/core/auth-js')
  const suite = ['--config', 'jest.config.cli.js']
  const alone = await runJest(folder, suite)
  const needServer = new Set(alone.filter(test => !test.passed).map(test => test.name))
  const cli = await withBackend({ project: join(folder, 'test') }, () => runJest(folder, suite))
  const docker = await withRootMounts(() => runJest(folder, ['--config', 'jest.config.docker.js']))
  const served = [...cli.filter(test => needServer.has(test.name)), ...docker]
  return {
    name: 'auth-js, tests that need a server',
    counted: served,
    excluded: [],
    serverless: cli.filter(test => !needServer.has(test.name)),
  }
}

/** storage-js: the whole suite, twice, since most of it needs no server. */
async function storageJs({ supabaseJs }: Checkouts): Promise<SuiteResult> {
  const folder = join(supabaseJs, 'packages/core/storage-js')
  const alone = await runJest(folder, [])
  const needServer = new Set(alone.filter(test => !test.passed).map(test => test.name))
  const served = await withBackend({ project: join(folder, 'test') }, () => runJest(folder, []))
  return {
    name: 'storage-js, tests that need a server',
    counted: served.filter(test => needServer.has(test.name)),
    excluded: [],
    serverless: served.filter(test => !needServer.has(test.name)),
  }
}

/** PostgREST 12 is another server. */
const ANOTHER_SERVER = '--testPathIgnorePatterns=test/v12/'
const NEEDS_POSTGIS = /geojson/i

/** postgrest-js: the whole suite; about a fifth of it needs no server. */
async function postgrestJs({ supabaseJs }: Checkouts): Promise<SuiteResult> {
  const folder = join(supabaseJs, 'packages/core/postgrest-js')
  const project = withoutPostgis(join(folder, 'test'))
  try {
    const all = await withBackend({ project }, () => runJest(folder, [ANOTHER_SERVER]))
    return {
      name: 'postgrest-js',
      counted: all.filter(test => !NEEDS_POSTGIS.test(test.name)),
      excluded: all.filter(test => NEEDS_POSTGIS.test(test.name)),
      serverless: [],
    }
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

/** A copy of the suite's project in which the one column of PostGIS is text. */
function withoutPostgis(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'chartroom-compatibility-'))
  cpSync(join(folder, 'supabase'), join(copy, 'supabase'), { recursive: true })
  const migrations = join(copy, 'supabase/migrations')
  for (const name of readdirSync(migrations)) {
    const file = join(migrations, name)
    const text = readFileSync(file, 'utf8')
    const plain = text
      .replaceAll(/create extension if not exists postgis[^;]*;/gi, '')
      .replaceAll(/extensions\.geometry\(point, \d+\)/gi, 'text')
    writeFileSync(file, plain)
  }
  return copy
}

async function supabaseJs({ supabaseJs: checkout }: Checkouts): Promise<SuiteResult> {
  const folder = join(checkout, 'packages/core/supabase-js')
  const counted = await withBackend({ project: folder }, () => runJest(folder, ['test/integration.test.ts']))
  return { name: 'supabase-js, integration.test.ts', counted, excluded: [], serverless: [] }
}

/** supabase-js on another runtime. */
const onRuntime =
  (name: keyof typeof RUNTIMES): Suite =>
  async ({ supabaseJs: checkout, bun }) => {
    const folder = join(checkout, 'packages/core/supabase-js')
    const counted = await runRuntime(name, folder, { bun }, withBackend)
    return { name: `supabase-js, ${name}`, counted, excluded: [], serverless: [] }
  }

const checkSchema = v.object({
  suites: v.record(
    v.string(),
    v.object({
      tests: v.array(v.object({ name: v.string(), passed: v.boolean(), error: v.optional(v.string()) })),
    }),
  ),
})

/** realtime: its end-to-end check. */
async function realtimeCheck({ realtime, bun }: Checkouts): Promise<SuiteResult> {
  const folder = join(realtime, 'test/e2e')
  const options = { project: folder, databaseAccess: { port: DATABASE_PORT } }
  const { stdout, output } = await withBackend(options, backend => {
    const keys = ['--publishable-key', backend.publishableKey, '--secret-key', backend.secretKey]
    const urls = ['--url', backend.url, '--db-url', backend.databaseUrl ?? '']
    return runIn(folder, bun, ['realtime-check.ts', '--env', 'local', '--json', ...urls, ...keys])
  })
  const parsed = v.safeParse(checkSchema, parseJson(stdout))
  if (!parsed.success)
    throw new Error(`The check wrote no report. Its output ends with:\n${output.slice(-2_000)}`)
  const counted = Object.entries(parsed.output.suites).flatMap(([suite, { tests }]) =>
    tests.map(({ name, passed, error }) => ({ name: `${suite}: ${name}`, passed, reason: error })),
  )
  return { name: 'realtime, realtime-check.ts', counted, excluded: [], serverless: [] }
}

/** Sorted by duration, shortest first. */
export const SUITES: Readonly<Record<string, Suite>> = {
  'supabase-js': supabaseJs,
  deno: onRuntime('Deno'),
  bun: onRuntime('Bun'),
  'auth-js': authJs,
  'storage-js': storageJs,
  'postgrest-js': postgrestJs,
  realtime: realtimeCheck,
  next: onRuntime('Next.js'),
  expo: onRuntime('Expo'),
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function withBackend<T>(
  options: Partial<BackendOptions>,
  work: (backend: Backend) => Promise<T>,
): Promise<T> {
  // The local stack of these revisions exposes new tables.
  const exposed = { autoExposeNewTables: true }
  const backend = await startBackend({ data: 'memory', port: API_PORT, keys: 'cli', ...exposed, ...options })
  try {
    return await work(backend)
  } finally {
    await backend.stop()
  }
}
