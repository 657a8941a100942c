// Edits of a result against PostgreSQL: a changed key, repeated rows, undo, and what a recording contains.
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createSqlApi, hasRows, ResultEdits } from '../../../src/services/workbench/sql/index.ts'
import type { AnyJob } from '../../../src/services/workbench/jobs/index.ts'
import { startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const client = new pg.Client({ connectionString: backend.databaseUrl })
await client.connect()
afterAll(() => client.end())
await client.query(`create table public.ports (id int primary key, name text);
  create table public.boats (id int primary key, port int references public.ports on update cascade, name text);
  insert into public.ports values (1, 'Secret harbor'), (2, 'Other');
  insert into public.boats values (1, 1, 'Gull'), (2, 1, 'Tern'), (3, null, 'Lost')`)
const api = createSqlApi((path, init) =>
  fetch(new URL(path instanceof Request ? path.url : path, backend.url), init),
)

async function openResult(sql: string) {
  const id = crypto.randomUUID()
  const script = { id, sql, as: 'owner', mode: 'run', maxRows: 100, limitMs: 10_000 } as const
  const { statements } = await api.run(script, new AbortController().signal)
  const result = statements.find(hasRows)
  if (!result) throw new Error('The script has no rows.')
  const jobs: AnyJob[] = []
  const edits = new ResultEdits(result, {
    send: edit => api.edit({ as: 'owner', ...edit }),
    onBegun: job => jobs.push(job),
  })
  return { edits, jobs }
}

const stored = async (sql: string) =>
  (await client.query({ text: sql, rowMode: 'array' })).rows as (string | number | null)[][]
async function isSaved(edits: ResultEdits) {
  await expect.poll(() => edits.state().edits.length).toBe(0)
}

test('a repeated row changes in all its places, also its key, and undo finds it by the new key', async () => {
  const { edits, jobs } = await openResult(
    'select b.name as boat, p.id, p.name from boats b left join ports p on p.id = b.port order by b.id',
  )
  const shown = () => edits.statement().rows.map(([, id, name]) => [id, name])
  edits.change('Changed id', [[1, 'id', '9']])
  // Waits for the one before it, which changes the key.
  edits.change('Changed name', [[0, 'name', 'Hidden cove']])
  await isSaved(edits)
  await expect
    .poll(() => stored('select * from ports order by id'))
    .toEqual([
      [2, 'Other'],
      [9, 'Hidden cove'],
    ])
  expect(shown()).toEqual([
    ['9', 'Hidden cove'],
    ['9', 'Hidden cove'],
    [null, null],
  ])
  // The outer join has no row there, and the boats have no key in the result.
  expect([edits.canEdit(2, 'name'), edits.canEdit(0, 'boat')]).toEqual([false, false])
  edits.undo()
  edits.undo()
  await expect
    .poll(() => stored('select * from ports order by id'))
    .toEqual([
      [1, 'Secret harbor'],
      [2, 'Other'],
    ])
  await isSaved(edits)
  expect(shown()[0]).toEqual(['1', 'Secret harbor'])
  expect(jobs).toHaveLength(1)
  const recording = JSON.stringify(jobs[0]?.recording.trace.steps)
  expect(recording).toContain('write.saved')
  expect(recording).not.toMatch(/Secret|Hidden/)
})

test('a value that is set back before it is sent needs no write', async () => {
  const { edits } = await openResult('select id, name from ports order by id')
  edits.change('Changed name', [[0, 'name', 'Secret harbor']])
  expect(edits.state().canUndo).toBe(false)
  await client.query(`update ports set name = 'theirs' where id = 2`)
  edits.change('Changed name', [[1, 'name', 'mine']])
  await expect.poll(() => edits.state().edits[0]?.state.at).toBe('conflict')
  edits.discard(edits.state().edits[0]?.id ?? 0)
  await isSaved(edits)
  expect(edits.cellAt(1, 'name')).toBe('theirs')
  expect(await stored('select name from ports where id = 2')).toEqual([['theirs']])
})
