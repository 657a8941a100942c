// `npm run projects`: which projects it finds, and what it reports of them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findProjects } from '../../scripts/projects/find.ts'
import { asTable } from '../../scripts/projects/report.ts'
import { Program } from './program.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-projects-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

async function run(...args: readonly string[]) {
  const program = new Program('scripts/projects.ts', args)
  const { code } = await program.ended
  const rows = program.output.split('\n').filter(line => line.startsWith('{'))
  return { code, output: program.output, rows: rows.map(row => JSON.parse(row) as unknown) }
}

test('projects are folders that contain `supabase` with migrations, schemas, seeds or a config', () => {
  write('many/a/supabase/config.toml', '')
  write('many/b/packages/db/supabase/migrations/1_m.sql', '')
  write('many/b/src/lib/supabase/client.ts', '')
  write('many/c/node_modules/x/supabase/config.toml', '')
  const folder = join(root, 'many')
  expect(findProjects(folder)).toEqual([join(folder, 'a'), join(folder, 'b/packages/db')])
  expect(findProjects(join(folder, 'a/supabase'))).toEqual([join(folder, 'a')])
  expect(findProjects(join(folder, 'nothing'))).toEqual([])
})

test('a row for each project: its tables by role, or the place where it stops', async () => {
  write(
    'two/good/supabase/migrations/1_m.sql',
    'create table a (id int); create table b (id int); grant select on a to anon, service_role; grant select on b to service_role;',
  )
  write('two/broken/supabase/migrations/1_m.sql', 'select 1;\n\nselect nonsense;')
  const { code, rows } = await run(join(root, 'two'), '--json')
  expect(code).toBe(1)
  expect(rows).toHaveLength(2)
  expect(rows).toContainEqual(
    expect.objectContaining({
      project: join(root, 'two/good'),
      engine: 'pglite',
      started: {
        migrations: 1,
        seeds: 0,
        notHonored: [],
        emptyExtensions: [],
        lacksGrants: 0,
        tables: [
          { table: 'public.a', service: 200, anon: 200 },
          { table: 'public.b', service: 200, anon: 401 },
        ],
      },
    }),
  )
  expect(rows).toContainEqual(
    expect.objectContaining({
      project: join(root, 'two/broken'),
      failure: {
        file: 'supabase/migrations/1_m.sql',
        line: 3,
        statement: 'select nonsense;',
        reason: 'column "nonsense" does not exist.',
      },
    }),
  )
})

test('a project that does not finish is ended, and a folder without projects is wrong usage', async () => {
  write('slow/supabase/migrations/1_m.sql', 'select pg_sleep(1000);')
  const slow = await run(join(root, 'slow'), '--json', '--seconds', '3')
  expect(slow).toMatchObject({ code: 1, rows: [{ failure: { reason: 'did not finish within 3 s' } }] })
  const none = await run(join(root, 'slow/supabase/migrations'))
  expect(none).toMatchObject({ code: 2, rows: [] })
  expect(none.output).toContain('contains a folder `supabase` with a project')
  expect((await run()).code).toBe(2)
})

test('the table has no line breaks or bars of a project', () => {
  const failure = { file: 'a|b.sql', line: 2, reason: 'x\ny', statement: 'select 1\n| 2;' }
  const table = asTable([{ project: '/p', engine: 'pglite', milliseconds: 1_500, failure }])
  expect(table.split('\n')[2]).toContain(String.raw`| stops | 1.5 | a\|b.sql:2: x y In: select 1 \| 2; |`)
})
