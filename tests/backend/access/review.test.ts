// A review changes nothing, tries no writes where they would be kept, and is honest about everything else.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { accessCommand } from '../../../src/cli/access.ts'
import { ran } from '../../harness/command.ts'
import { startProject } from './project.ts'

const project = await startProject()
const { sql, access, folder, url } = project
afterEach(() => vi.unstubAllEnvs())
const snapshot = join(folder, 'access.snapshot.json')
await access('--out', snapshot)
/** Most of a review is writes. */
const reads = (...args: readonly string[]) => access('--reads-only', ...args)

/** Every row of every table, with its version: a write that was kept would make a new one. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'storage', 'net') order by 1`
  const contents = tables.map(
    async ({ name }) =>
      [
        name,
        await sql.unsafe(`select ctid::text, xmin::text, t::text from ${name} t order by ctid`),
      ] as const,
  )
  return Object.fromEntries(await Promise.all(contents))
}

test('all tables and files are the same after a review', async () => {
  const before = await everything()
  expect(Object.keys(before)).toContain('public.notes')
  const { code, out } = await access()
  expect(code).toBe(0)
  expect(out).toMatch(/notes +select +refused +own +own/)
  expect(out).toMatch(/profiles +select +refused +all; without email +all; without email/)
  expect(out).toMatch(/ +update +refused +own; only handle +own; only handle/)
  expect(await everything()).toEqual(before)
})

test('changes are printed with the rows that prove them and the policy', async () => {
  await sql.unsafe('alter policy "own" on invoices using (true)')
  const { code, out } = await access('--check', snapshot)
  expect(code).toBe(1)
  expect(out).toContain(
    `WIDER invoices: select as mate
  before: own rows only (mate 1)
  now:    all rows (mate 1, skipper 1)
  proof:  id=2 (skipper), id=1 (mate)
  cause?  policy "own" on invoices for select to authenticated using true
`,
  )
  expect(out).toContain('2 changes since')
  const markdown = await reads('--check', snapshot, '--markdown')
  expect([markdown.code, markdown.out]).toEqual([
    1,
    expect.stringContaining('\n## Changes\n\n```\nWIDER invoices'),
  ])
  const shown = await reads('--check', snapshot, '--show-rows')
  expect(shown.out).toContain('id=2 (skipper) {"id":2,')
  await sql.unsafe('alter policy "own" on invoices using (owner = auth.uid())')
})

test('Markdown, and JSON without a snapshot', async () => {
  const { out } = await reads('--markdown')
  expect(out).toContain(
    '| Resource | Operation | anonymous | skipper | mate |\n| --- | --- | --- | --- | --- |\n',
  )
  expect(out).toContain('| notes | select | refused | own | own |\n')
  const json = JSON.parse((await reads('--json')).out) as {
    readonly snapshot: { readonly writes: boolean; readonly tables: Record<string, unknown> }
    readonly findings: unknown[]
  }
  expect([json.snapshot.writes, json.findings]).toEqual([false, []])
  expect(json.snapshot.tables).toMatchObject({
    notes: { mate: { select: { reach: 'own', rows: { mate: 2 } }, delete: { reach: 'untried' } } },
  })
})

test('a backend that does not roll back is only read, and the output mentions it', async () => {
  const end = (value: string) =>
    sql.unsafe(`alter role authenticator set pgrst.db_tx_end = '${value}'; notify pgrst, 'reload config'`)
  await end('commit')
  const before = await everything()
  const { code, out } = await access()
  expect(code).toBe(0)
  expect(out).toContain('Reads only: this backend does not roll back writes, so none was tried.')
  expect(out).toMatch(/ +insert +not tried +not tried +not tried/)
  expect(await everything()).toEqual(before)
  const checked = await access('--check', snapshot)
  expect([checked.code, checked.err]).toEqual([2, expect.stringContaining('The snapshot has writes')])
  const unchanged = await reads('--check', snapshot)
  expect([unchanged.code, unchanged.out]).toEqual([0, expect.stringContaining('0 changes')])
  await end('commit-allow-override')
})

const accounts = (content: unknown): string => {
  const file = join(folder, 'some.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const HOST = ['--url', 'http://127.0.0.1:1', '--key', 'k']
const ALICE = { name: 'alice', email: 'skipper@harbour.test' }

test.each([
  [['--key', 'k'], '--url must be the base URL'],
  [['--url', 'http://example.test', '--key', 'k'], '--url must begin with https://'],
  [['--url', 'http://127.0.0.1:1?apikey=x', '--key', 'k'], '--url must not contain a key'],
  [['--url', 'http://127.0.0.1:1', '--account', 'a=a@b.c'], '--key is missing'],
  [['--url', 'http://127.0.0.1:1', '--account', 'a=a@b.c', '--key', 'sb_secret_x'], '--key is a secret key'],
  [['--url', 'http://127.0.0.1:1', '--key', 'k'], 'No account was given'],
  [[...HOST, '--account', 'skipper'], '--account must be NAME=EMAIL'],
  [[...HOST, '--account', 'anonymous=a@b.c'], 'that of the anonymous role'],
  [[...HOST, '--account', 'a=a@b.c', '--account', 'a=d@e.f'], 'Two accounts have the name "a"'],
  [[...HOST, '--accounts', 'missing.json'], "--accounts missing.json can't be read: no such file"],
  [['--check', 'missing.json'], "--check missing.json can't be read: no such file"],
  [['--json', '--markdown'], '--json and --markdown exclude each other'],
  [['--acount', 'x'], 'Did you mean "--account"?'],
])('%j: %s', async (args, problem) => {
  const { code, err } = await ran(accessCommand, ...args)
  expect([code, err]).toEqual([2, expect.stringContaining(problem)])
})

test.each([
  ['{', 'is not valid JSON'],
  [{ accounts: [{ ...ALICE, password: 'x' }] }, 'must not contain a password or a token'],
  [{ accounts: [{ name: '1' }] }, 'accounts.0.name must begin with a letter'],
  [{ accounts: [], users: 1 }, 'users is not a known setting'],
  [{ accounts: [] }, 'No account was given'],
  [{ accounts: [{ name: 'alice' }] }, 'The account alice has neither email nor tokenFrom'],
  [{ accounts: [ALICE] }, 'Set CHARTROOM_PASSWORD_ALICE to the password of alice'],
  [{ accounts: [{ ...ALICE, passwordFrom: 'PW' }] }, 'Set PW to the password of alice'],
  [{ accounts: [{ ...ALICE, tokenFrom: 'T' }] }, 'The account alice has tokenFrom'],
])('a file of accounts: %j', async (content, problem) => {
  const { code, err } = await ran(
    accessCommand,
    '--url',
    url,
    '--key',
    'sb_publishable_x',
    '--accounts',
    accounts(content),
  )
  expect([code, err]).toEqual([2, expect.stringContaining(problem)])
})

test('passwords sign in, and the sessions end', async () => {
  vi.stubEnv('CHARTROOM_PASSWORD_SKIPPER', 'harbour-demo')
  vi.stubEnv('CHARTROOM_KEY', project.key)
  const sessions = async () => (await sql`select count(*)::int as count from auth.sessions`)[0]?.['count']
  const before = await sessions()
  const args = ['--url', url, '--account', 'skipper=skipper@harbour.test', '--reads-only']
  const { code, out, err } = await ran(accessCommand, ...args)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/notes +select +refused +own\n/)
  expect(await sessions()).toBe(before)
  vi.stubEnv('CHARTROOM_PASSWORD_SKIPPER', 'wrong')
  const wrong = await ran(accessCommand, ...args)
  expect([wrong.code, wrong.err]).toEqual([
    2,
    'Access could not be reviewed. Sign-in as skipper (skipper@harbour.test) was refused with status 400: Invalid login credentials.\n',
  ])
})

test('other accounts than those of the snapshot are refused', async () => {
  const file = join(folder, 'other.json')
  writeFileSync(file, readFileSync(snapshot, 'utf8').replaceAll('skipper', 'captain'))
  const { code, err } = await access('--check', file)
  expect([code, err]).toEqual([2, expect.stringContaining('The snapshot is of the accounts')])
  writeFileSync(file, '{"format":"chartroom-access"}')
  expect((await access('--check', file)).err).toContain('it is not an access snapshot')
})

test('an unreachable host, and a backend that does not describe itself', async () => {
  vi.stubEnv('T', `x.${btoa('{"sub":"1"}')}.x`)
  const file = accounts({ accounts: [{ name: 'alice', tokenFrom: 'T' }] })
  const gone = await ran(accessCommand, '--url', 'http://127.0.0.1:1', '--key', 'k', '--accounts', file)
  expect([gone.code, gone.err]).toEqual([2, expect.stringContaining("http://127.0.0.1:1 can't be reached")])
  const server = createServer((_request, response) => response.writeHead(404).end('{}'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const args = ['--url', `http://127.0.0.1:${port}`, '--key', 'k', '--accounts', file]
  const hosted = await ran(accessCommand, ...args)
  server.close()
  expect([hosted.code, hosted.err]).toEqual([
    2,
    expect.stringContaining('Set CHARTROOM_SECRET_KEY, or add --schema'),
  ])
})

test('a backend that stops confirming the rollback ends the review', async () => {
  const real = globalThis.fetch
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const response = await real(input, init)
    if (init.method !== 'POST' || !input.includes('/rest/v1/notes')) return response
    const headers = new Headers(response.headers)
    headers.delete('preference-applied')
    return new Response(response.body, { status: response.status, headers })
  })
  const { code, err } = await access()
  vi.unstubAllGlobals()
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('did not confirm that it rolled back POST on notes'),
  ])
})

test('with the secret key, rows count that no account sees', async () => {
  await sql`insert into posts (author, title) values (gen_random_uuid(), 'of a third user')`
  await sql.unsafe(`alter policy "read" on posts using (title not like '%third%')`)
  expect((await reads()).out).toMatch(/posts +select +none +all +all\n/)
  vi.stubEnv('CHARTROOM_SECRET_KEY', project.secretKey)
  const { out } = await reads()
  expect(out).toMatch(/^ +anonymous +skipper +mate$/m)
  expect(out).toMatch(/posts +select +none +some +some\n/)
})
