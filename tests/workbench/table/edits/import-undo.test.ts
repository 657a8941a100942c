// Undo of imports in a real database: it deletes the rows that the import added, and no other row.
import postgres from 'postgres'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { createRowImport, type OnDuplicate } from '../../../../src/services/workbench/jobs/index.ts'
import { fetchOfUser, userOf } from '../../../../src/services/workbench/storage/index.ts'
import { NO_DRAFTS } from '../../../../src/services/workbench/table/edits/drafts.ts'
import { ALL_RIGHTS, type TableInfo, TableSession } from '../../../../src/services/workbench/table/index.ts'
import { startTestBackend } from '../../../harness/backend.ts'
import { watchedClient } from '../../../harness/client.ts'
import { memoryStorage } from '../../../../src/services/client/index.ts'
import { column } from '../../../harness/column.ts'
import { inHand } from '../../../harness/edit-store.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
afterAll(() => sql.end({ timeout: 1 }))

const INFO: TableInfo = {
  name: 'buoys',
  columns: [
    column('id', 'bigint', { isKey: true, hasDefault: true }),
    column('name', 'text'),
    column('depth', 'numeric'),
  ],
  rights: ALL_RIGHTS,
  isKnown: true,
}

beforeEach(async () => {
  await sql.unsafe(`
    drop table if exists buoys;
    create table buoys (id bigint primary key, name text, depth numeric);
    insert into buoys values (9007199254740993, 'old', 1.10);
    alter table buoys enable row level security;
    create policy everything on buoys using (true) with check (true);
    grant all on buoys to authenticated, service_role;
  `)
})

const names = async () =>
  (await sql<{ name: string }[]>`select name from buoys order by id`).map(row => row.name)

/** Imports rows and returns the session, to undo it. */
async function imported(rows: readonly string[], onDuplicate: OnDuplicate = 'skip') {
  const client = watchedClient({ url: backend.url, key: backend.publishableKey, storage: memoryStorage() })
  const [account] = backend.accounts
  if (account === undefined) throw new Error('There is no account.')
  const { error } = await client.supabase.auth.signInWithPassword(account)
  if (error !== null) throw error
  const session = new TableSession(
    client,
    userOf(client),
    { schema: 'public', table: 'buoys' },
    {
      drafts: inHand(NO_DRAFTS, () => undefined),
      onKept: () => undefined,
      onPending: () => undefined,
      onBegun: () => undefined,
      onOrdered: () => undefined,
      onClosed: () => undefined,
      onOpened: () => undefined,
      onUnseen: () => undefined,
    },
  )
  session.know(INFO)
  const undo = session.importing()
  const job = createRowImport({
    fetch: fetchOfUser(client),
    schema: 'public',
    table: 'buoys',
    columns: ['id', 'name', 'depth'],
    rows,
    isWhole: false,
    onDuplicate,
    keys: ['id'],
    returning: undo?.returning,
  })
  await vi.waitFor(() => expect(job.actor.getSnapshot().status).toBe('done'), 20_000)
  return { session, job, entry: undo?.ended(job.addedRows()) }
}

/** Sends the deletion at once. @returns the failures that remain */
async function undone({ history, deletions }: TableSession): Promise<readonly string[]> {
  history.undo()
  for (const { id } of deletions.list()) deletions.send(id)
  const states = () => deletions.list().map(({ state }) => state)
  await vi.waitFor(() => expect(states().filter(({ at }) => at === 'sending')).toEqual([]), 10_000)
  return states().flatMap(state => (state.at === 'refused' ? [state.failure.message] : []))
}

const FILE = [
  '{"id":9007199254740993,"name":"existed","depth":2}',
  '{"id":9007199254740995,"name":"new","depth":"1.10"}',
  '{"id":9007199254740997,"name":"newer","depth":null}',
]

test('rows that existed before stay, also beside keys that JavaScript would round', async () => {
  const { session, job, entry } = await imported(FILE)
  expect(await names()).toEqual(['old', 'new', 'newer'])
  expect([job.addedRows().length, entry?.title]).toEqual([2, 'Import of 2 rows into buoys'])
  await sql`insert into buoys values (9007199254740996, 'between', 1)`
  expect(await undone(session)).toEqual([])
  expect(await names()).toEqual(['old', 'between'])
})

test('rows that changed since are kept until a retry, and deleted ones are left out', async () => {
  const { session } = await imported(FILE)
  await sql`update buoys set depth = 7 where name = 'new'`
  expect(await undone(session)).toEqual([
    '1 row changed after the import and was kept. Retry to delete it as well.',
  ])
  expect(await names()).toEqual(['old', 'new'])
  for (const { id } of session.deletions.list()) session.deletions.send(id)
  await vi.waitFor(() => expect(session.deletions.list()).toEqual([]), 10_000)
  expect(await names()).toEqual(['old'])
})

test('rows that may not be deleted are reported and stay', async () => {
  const { session } = await imported(FILE)
  await sql.unsafe(`
    drop policy everything on buoys;
    create policy reading on buoys for select using (true);
    create policy deleting on buoys for delete using (name <> 'newer');
  `)
  expect(await undone(session)).toEqual([
    'Some rows were not deleted: they still exist, so a row policy or a trigger keeps them.',
  ])
  expect(await names()).toEqual(['old', 'newer'])
})

test('an import of rows that the user may not read is written, and can’t be undone', async () => {
  await sql.unsafe(`
    drop policy everything on buoys;
    create policy adding on buoys for insert with check (true);
  `)
  const { job, entry } = await imported(FILE.slice(1), 'refuse')
  expect(await names()).toEqual(['old', 'new', 'newer'])
  expect([job.addedRows(), entry]).toEqual([[], undefined])
  expect(job.actor.getSnapshot().context.unreturned).toBe(2)
})

test('a deletion of more rows than fit in one request is undone whole', async () => {
  await sql`insert into buoys select n, 'many', n from generate_series(1, 200) n`
  const { session } = await imported([])
  const rows = Array.from({ length: 200 }, (_, at) => ({ id: String(at + 1), name: 'many' }))
  session.deleteRows(rows)
  session.history.undo()
  expect(session.deletions.list()).toEqual([])
  session.history.redo()
  const [again] = session.deletions.list()
  expect(again?.rows.size).toBe(200)
  session.undo(again?.id ?? 0)
  expect(await names()).toHaveLength(201)
})
