// Migrations that are skipped, and files that are no text.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../../backend/index.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-skip-'))
const running: Backend[] = []
afterEach(() => Promise.all(running.splice(0).map(backend => backend.stop())))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
function projectOf(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = join(root, String((count += 1)))
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, 'supabase', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return dir
}

async function start(project: string, options: Partial<BackendOptions> = {}): Promise<Backend> {
  const backend = await startBackend({ data: 'memory', port: 0, deno: false, project, ...options })
  running.push(backend)
  return backend
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

async function history(backend: Backend) {
  const sql = postgres(backend.databaseUrl ?? '', { max: 1 })
  try {
    return [...(await sql`select version, name from supabase_migrations.schema_migrations order by version`)]
  } finally {
    await sql.end()
  }
}

const FILES = {
  'migrations/20240101000000_boats.sql': 'create table public.boats (id int);',
  'migrations/20240102000000_failed_on_its_host.sql': 'create table public.boats (id int);',
  'migrations/20240103000000_more.sql': 'alter table public.boats add column name text;',
}
const FAILED = 'supabase/migrations/20240102000000_failed_on_its_host.sql'

test('a skipped migration is recorded as `supabase migration repair --status applied` does, and remembered', async () => {
  const project = projectOf(FILES)
  const options = { data: { dir: join(root, `data-${count}`) }, databaseAccess: {} }
  const failure = await failureOf(start(project, options))
  expect(failure).toMatchObject({ file: FAILED, line: 1, statement: 'create table public.boats (id int);' })
  const first = await start(project, { ...options, skipMigrations: ['20240102000000'] })
  expect(first.project).toMatchObject({
    migrations: ['supabase/migrations/20240103000000_more.sql'],
    skippedMigrations: [FAILED],
  })
  expect(await history(first)).toEqual([
    { version: '20240101000000', name: 'boats' },
    { version: '20240102000000', name: 'failed_on_its_host' },
    { version: '20240103000000', name: 'more' },
  ])
  await first.stop()
  for (const skipMigrations of [[], ['20240102000000']]) {
    const next = await start(project, { ...options, skipMigrations })
    expect(next.project).toMatchObject({ migrations: [], skippedMigrations: [FAILED] })
    await next.stop()
  }
})

test('a skipped migration that is reverted in the history runs at the next start', async () => {
  const project = projectOf(FILES)
  const options = { data: { dir: join(root, `data-${count}`) }, databaseAccess: {} }
  const first = await start(project, { ...options, skipMigrations: ['20240102000000'] })
  const sql = postgres(first.databaseUrl ?? '', { max: 1 })
  // `supabase migration repair --status reverted`
  await sql`delete from supabase_migrations.schema_migrations where version = '20240102000000'`
  await sql.end()
  await first.stop()
  writeFileSync(join(project, FAILED), 'create table public.rafts (id int);')
  const second = await start(project, options)
  expect(second.project).toMatchObject({ migrations: [FAILED], skippedMigrations: [] })
})

test('a version that cannot be skipped stops the start before anything runs', async () => {
  const project = projectOf(FILES)
  const options = { data: { dir: join(root, `data-${count}`) } }
  const skip = (version: string) => failureOf(start(project, { ...options, skipMigrations: [version] }))
  expect(String(await skip('20240102000001'))).toBe(
    'ProjectError: supabase/migrations: no migration has the version 20240102000001. ' +
      'Similar: 20240102000000 (failed_on_its_host), 20240101000000 (boats), 20240103000000 (more).',
  )
  expect(String(await skip('host'))).toContain('Similar: 20240102000000 (failed_on_its_host).')
  const first = await start(project, { ...options, skipMigrations: ['20240102000000'] })
  await first.stop()
  expect(String(await skip('20240101000000'))).toContain(
    'supabase/migrations/20240101000000_boats.sql was applied already, so it cannot be skipped.',
  )
})

const LATIN = Buffer.from("select 1;\nselect 'M\xf6we';\n", 'latin1')

test.each([
  ['Latin-1', LATIN, 2, 'this line is not valid UTF-8, so PostgreSQL refuses the file.'],
  ['NUL', "select 1;\n\nselect 'a\0b';", 3, 'contains a NUL character, which PostgreSQL refuses. Remove it.'],
  [
    'UTF-16 without a mark',
    Buffer.from('select 1;', 'utf16le'),
    1,
    'The file seems to be in UTF-16 without a byte order mark: save it as UTF-8.',
  ],
])('a migration with %s is refused with its line, and can be skipped', async (_, content, line, message) => {
  const file = 'supabase/migrations/1_m.sql'
  const project = projectOf({ 'migrations/1_m.sql': content, 'migrations/2_m.sql': 'select 1;' })
  const failure = await failureOf(start(project))
  expect(failure).toMatchObject({ name: 'ProjectError', file, line })
  expect(String(failure)).toContain(message)
  const backend = await start(project, { skipMigrations: ['1'] })
  expect(backend.project).toMatchObject({
    migrations: ['supabase/migrations/2_m.sql'],
    skippedMigrations: [file],
  })
})

test('a replacement character is no error', async () => {
  const backend = await start(projectOf({ 'migrations/1_m.sql': "select '\uFFFD';" }))
  expect(backend.project?.migrations).toHaveLength(1)
})
