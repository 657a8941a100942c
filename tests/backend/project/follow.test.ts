// A followed project: files that change while the backend runs, its reset, and its first user.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../../backend/index.ts'
import type { ProjectStatus } from '../../../backend/project/index.ts'
import { officialClient } from '../../harness/backend.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-follow-'))
const running: Backend[] = []
afterEach(() => Promise.all(running.splice(0).map(backend => backend.stop())))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FIRST = '20260101000000_notes.sql'
const NOTES = `create table public.notes (id bigint generated always as identity primary key, body text not null);
grant select, insert on public.notes to anon, authenticated;`

class Folder {
  readonly path = mkdtempSync(join(root, 'project-'))

  constructor(files: Readonly<Record<string, string>> = { [`migrations/${FIRST}`]: NOTES }) {
    mkdirSync(join(this.path, 'supabase'))
    for (const [name, text] of Object.entries(files)) this.write(name, text)
  }

  in(name: string): string {
    return join(this.path, 'supabase', name)
  }

  write(name: string, content: string | Buffer): void {
    mkdirSync(dirname(this.in(name)), { recursive: true })
    writeFileSync(this.in(name), content)
  }
}

async function follow(folder: Folder, options: Partial<BackendOptions> = {}): Promise<Backend> {
  const backend = await startBackend({
    data: 'memory',
    port: 0,
    project: folder.path,
    followProject: true,
    databaseAccess: {},
    ...options,
  })
  running.push(backend)
  return backend
}

function statusOf({ projectFollower }: Backend): ProjectStatus {
  const status = projectFollower?.status()
  if (!status) throw new Error('The backend follows no project.')
  return status
}

/** Waits until the state is as expected. */
const until = (backend: Backend, check: (status: ProjectStatus) => void) =>
  vi.waitFor(
    () => {
      const status = statusOf(backend)
      expect(status.phase).toBe('ready')
      check(status)
      return status
    },
    { timeout: 15_000, interval: 50 },
  )

const statesOf = ({ migrations }: ProjectStatus) =>
  Object.fromEntries(migrations.map(({ version, state }) => [version.slice(0, 8), state]))

/** As PostgreSQL answers a driver. */
async function query(backend: Backend, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: backend.databaseUrl })
  await client.connect()
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

const post = (backend: Backend, path: string, body?: unknown) =>
  fetch(`${backend.url}/_chartroom/project${path}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('a new migration is applied while the backend runs, in UTF-16, and REST serves its table', async () => {
  const folder = new Folder()
  const backend = await follow(folder)
  expect(statesOf(statusOf(backend))).toEqual({ 20260101: 'applied' })
  const sql = 'create table public.tags (name text primary key); grant select on public.tags to anon;'
  folder.write('migrations/20260102000000_tags.sql', Buffer.from(`\uFEFF${sql}`, 'utf16le'))
  const { migrations, lastApplied } = await until(backend, status =>
    expect(statesOf(status)).toEqual({ 20260101: 'applied', 20260102: 'applied' }),
  )
  expect(lastApplied?.files).toEqual(['supabase/migrations/20260102000000_tags.sql'])
  expect(Date.parse(migrations[1]?.appliedAt ?? '')).toBeGreaterThan(
    Date.parse(migrations[0]?.appliedAt ?? ''),
  )
  expect(await officialClient(backend).from('tags').select()).toMatchObject({ error: null, data: [] })
  expect(
    await query(backend, 'select version from supabase_migrations.schema_migrations order by 1'),
  ).toEqual(['20260101000000', '20260102000000'])
})

test('a refused migration is reported with its line, and applied once its file is corrected', async () => {
  const folder = new Folder()
  const backend = await follow(folder)
  folder.write('migrations/20260102000000_tags.sql', '-- Tags.\ncreate table public.tags (\n  name txt\n);\n')
  const { failure } = await until(backend, status => expect(status.failure).not.toBeNull())
  expect(failure).toMatchObject({
    file: 'supabase/migrations/20260102000000_tags.sql',
    line: 3,
    message: 'type "txt" does not exist.',
    excerpt: expect.arrayContaining([{ line: 3, text: '  name txt' }]) as unknown,
  })
  expect(statesOf(statusOf(backend))).toEqual({ 20260101: 'applied', 20260102: 'pending' })
  // The backend goes on.
  expect((await officialClient(backend).from('notes').insert({ body: 'still here' })).error).toBeNull()
  folder.write('migrations/20260102000000_tags.sql', 'create table public.tags (name text);')
  await until(backend, status => {
    expect(status.failure).toBeNull()
    expect(statesOf(status)).toEqual({ 20260101: 'applied', 20260102: 'applied' })
  })
  expect(await query(backend, "select to_regclass('public.tags')::text")).toEqual(['tags'])
})

test('a refused migration does not stop the start, and an invalid config keeps the backend running', async () => {
  const folder = new Folder({ [`migrations/${FIRST}`]: NOTES, 'migrations/20260102000000_bad.sql': 'creat;' })
  const backend = await follow(folder)
  expect(statusOf(backend).failure).toMatchObject({
    file: 'supabase/migrations/20260102000000_bad.sql',
    line: 1,
  })
  expect((await officialClient(backend).from('notes').select()).error).toBeNull()
  rmSync(folder.in('migrations/20260102000000_bad.sql'))
  folder.write('config.toml', '[api\n')
  const { failure } = await until(backend, status => expect(status.failure?.file).toMatch(/config\.toml$/))
  expect(failure?.line).toBe(1)
  folder.write('config.toml', '[auth]\nminimum_password_length = 12\n')
  const { changedSections } = await until(backend, status => expect(status.failure).toBeNull())
  expect(changedSections).toEqual(['auth'])
})

test('changed, renamed and deleted files, and seeds, are distinguished from what was applied', async () => {
  const folder = new Folder({
    [`migrations/${FIRST}`]: NOTES,
    'migrations/20260102000000_tags.sql': 'create table public.tags (name text);',
    'migrations/20260103000000_gone.sql': 'create table public.gone (name text);',
    'seed.sql': "insert into public.notes (body) values ('one');",
  })
  const backend = await follow(folder)
  folder.write(`migrations/${FIRST}`, `${NOTES}\n-- changed`)
  renameSync(folder.in('migrations/20260102000000_tags.sql'), folder.in('migrations/20260104000000_tags.sql'))
  rmSync(folder.in('migrations/20260103000000_gone.sql'))
  folder.write('seed.sql', "insert into public.notes (body) values ('two');")
  const { seeds, failure } = await until(backend, status =>
    expect(statesOf(status)).toEqual({
      20260101: 'changed',
      20260102: 'missing',
      20260103: 'missing',
      20260104: 'renamed',
    }),
  )
  expect({ seeds, failure }).toEqual({
    seeds: [{ file: 'supabase/seed.sql', state: 'changed' }],
    failure: null,
  })
  expect(await query(backend, 'select body from public.notes')).toEqual(['one'])
})

test('folders that are created later, and a file that is written in several steps, are applied once', async () => {
  const folder = new Folder({})
  const backend = await follow(folder)
  expect(statusOf(backend).migrations).toEqual([])
  const changes: number[] = []
  backend.projectFollower?.subscribe(() => changes.push(statusOf(backend).revision))
  const file = folder.in('migrations/20260101000000_steps.sql')
  folder.write('migrations/20260101000000_steps.sql', 'create table public.steps (id int);\n')
  const end = performance.now() + 1_000
  while (performance.now() < end) await appendFile(file, '-- A step.\n')
  await appendFile(file, 'insert into public.steps values (1);')
  await until(backend, status => expect(statesOf(status)).toEqual({ 20260101: 'applied' }))
  expect(await query(backend, 'select id from public.steps')).toEqual([1])
  // The start of the work and its end.
  expect(changes).toHaveLength(2)
})

test.each(['memory', 'disk'])(
  'a reset of data in %s applies all files again with the same keys',
  async place => {
    const folder = new Folder({
      [`migrations/${FIRST}`]: NOTES,
      'seed.sql': "insert into public.notes (body) values ('seeded');",
    })
    const data = place === 'memory' ? place : { dir: join(folder.path, '..', 'data') }
    const backend = await follow(folder, { data })
    const client = officialClient(backend)
    const account = { email: 'ann@example.test', password: 'secret-123' }
    expect((await client.auth.signUp(account)).error).toBeNull()
    await client.from('notes').insert({ body: 'mine' })
    folder.write('config.toml', '[auth]\nminimum_password_length = 12\n')
    folder.write(`migrations/${FIRST}`, `${NOTES}\ncreate table public.more (id int);`)
    await until(backend, status => expect(statesOf(status)).toEqual({ 20260101: 'changed' }))

    expect((await post(backend, '/reset')).status).toBe(200)
    const { failure, resets, changedSections, hasUsers } = statusOf(backend)
    expect({ failure, resets, changedSections, hasUsers }).toEqual({
      failure: null,
      resets: 1,
      changedSections: [],
      hasUsers: false,
    })
    const after = officialClient(backend)
    expect((await after.from('notes').select('body')).data).toEqual([{ body: 'seeded' }])
    expect((await after.auth.signInWithPassword(account)).error?.code).toBe('invalid_credentials')
    expect((await after.auth.signUp(account)).error?.code).toBe('weak_password')
    // Still followed.
    folder.write('migrations/20260105000000_last.sql', 'create table public.last (id int);')
    await until(backend, status =>
      expect(statesOf(status)).toEqual({ 20260101: 'applied', 20260105: 'applied' }),
    )
  },
)

test('a reset with an invalid config.toml deletes nothing', async () => {
  const folder = new Folder()
  const backend = await follow(folder)
  const client = officialClient(backend)
  await client.from('notes').insert({ body: 'mine' })
  folder.write('config.toml', '[api\n')
  const response = await post(backend, '/reset')
  expect([response.status, await response.json()]).toEqual([
    409,
    { message: expect.stringContaining('config.toml:1') as string },
  ])
  expect((await client.from('notes').select('body')).data).toEqual([{ body: 'mine' }])
})

test('the first user is created confirmed; a trigger of the project refuses one in its own words', async () => {
  const folder = new Folder({
    [`migrations/${FIRST}`]: `${NOTES}
create function public.on_user() returns trigger language plpgsql security definer as $$
begin
  if new.email like '%@refused.test' then raise exception 'No users of refused.test'; end if;
  return new;
end $$;
create trigger on_user after insert on auth.users for each row execute function public.on_user();`,
    'config.toml': '[auth.email]\nenable_confirmations = true\n',
  })
  const backend = await follow(folder)
  const refused = await post(backend, '/users', { email: 'a@refused.test', password: 'secret-123' })
  expect([refused.status, await refused.json()]).toEqual([
    500,
    {
      message: expect.stringMatching(
        /^No users of refused\.test\. PL\/pgSQL function .*on_user\(\) line 3/,
      ) as string,
    },
  ])
  expect(await query(backend, 'select count(*)::int from auth.users')).toEqual([0])
  const account = { email: 'ann@example.test', password: 'secret-123' }
  expect((await post(backend, '/users', account)).status).toBe(201)
  expect(statusOf(backend).hasUsers).toBe(true)
  expect((await officialClient(backend).auth.signInWithPassword(account)).error).toBeNull()
  // Auth's own refusals are passed on.
  const again = await post(backend, '/users', account)
  expect([again.status, await again.json()]).toEqual([
    422,
    { message: 'A user with this email address has already been registered' },
  ])
  expect((await post(backend, '/users', { email: '', password: '' })).status).toBe(400)
})

test('a waiting request ends with the next change; the state has no key and no password', async () => {
  const folder = new Folder()
  const backend = await follow(folder)
  const read = async (query: string) =>
    (await (await fetch(`${backend.url}/_chartroom/project${query}`)).json()) as ProjectStatus
  const first = await read('')
  const next = read(`?since=${first.revision}&wait=20`)
  folder.write('migrations/20260102000000_tags.sql', 'create table public.tags (name text);')
  expect((await next).revision).not.toBe(first.revision)
  const text = JSON.stringify(await read(''))
  for (const secret of [backend.secretKey, backend.publishableKey, backend.databaseUrl ?? ''])
    expect(text).not.toContain(secret)
})

test.each(['', '/reset', '/users'])('%j is refused for pages of other origins', async path => {
  const backend = await follow(new Folder())
  const response = await fetch(`${backend.url}/_chartroom/project${path}`, {
    method: path === '' ? 'GET' : 'POST',
    headers: { origin: 'http://localhost:3000' },
  })
  expect(response.status).toBe(403)
  expect(statusOf(backend).resets).toBe(0)
})

test('it is refused for another host name, and without a followed project', async () => {
  const folder = new Folder()
  const backend = await follow(folder)
  const status = await new Promise<number | undefined>(resolve => {
    const { port } = new URL(backend.url)
    sendRequest(
      { port, path: '/_chartroom/project', headers: { host: 'evil.test', origin: 'http://evil.test' } },
      response => {
        response.resume()
        resolve(response.statusCode)
      },
    ).end()
  })
  expect(status).toBe(403)
  const plain = await follow(folder, { followProject: false })
  expect((await fetch(`${plain.url}/_chartroom/project`)).status).toBe(404)
})

test('a skipped migration is shown as such, and stays skipped after a reset', async () => {
  const folder = new Folder({
    [`migrations/${FIRST}`]: NOTES,
    'migrations/20260102000000_host.sql': 'creat;',
  })
  const backend = await follow(folder, { skipMigrations: ['20260102000000'] })
  expect(statesOf(statusOf(backend))).toEqual({ 20260101: 'applied', 20260102: 'skipped' })
  await backend.projectFollower?.reset()
  expect(statesOf(statusOf(backend))).toEqual({ 20260101: 'applied', 20260102: 'skipped' })
})
