// Columns of related rows as the grid reads them; the oracle is a left join by `pg` on the same database.
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { createChartroomClient } from '../../../src/public/index.ts'
import { memoryStorage } from '../../../src/services/client/index.ts'
import { loadSchema } from '../../../src/services/workbench/schema/index.ts'
import {
  cellOf,
  createRowReader,
  currentRelated,
  embeddingOf,
  type ForeignKey,
  keysFrom,
  keysTo,
  NOT_VISIBLE,
  readReferring,
  type RelatedColumn,
  type Row,
  relatedChoices,
  rowKey,
  scopeQuery,
  type TableInfo,
  type TableQuery,
} from '../../../src/services/workbench/table/index.ts'
import { storedRelated } from '../../../src/services/workbench/table/related.ts'
import { RowsStore } from '../../../src/services/workbench/table/rows-store.ts'
import { parseExact } from '../../../src/services/workbench/text/index.ts'
import { noticedBy } from '../../backend/rest/world.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { generateKeyedTables, ident, type KeyedTable, keyedTablesSql } from '../../harness/generated-keys.ts'
import { testSeeds } from '../../harness/volume.ts'
import postgres from 'postgres'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = new pg.Client({ connectionString: backend.databaseUrl })
await sql.connect()
afterAll(() => sql.end())
const fence = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
afterAll(() => fence.end({ timeout: 1 }))

const client = createChartroomClient({
  url: backend.url,
  key: backend.publishableKey,
  auth: { storage: memoryStorage() },
})
afterAll(() => client.dispose())
const [account] = backend.accounts
if (account === undefined) throw new Error('There is no account.')
const { error } = await client.supabase.auth.signInWithPassword(account)
if (error !== null) throw error

interface Schema {
  readonly infoOf: (table: string) => TableInfo | undefined
  readonly schemas: ReadonlyMap<string, readonly TableInfo[]>
}

async function describe(): Promise<Schema> {
  await noticedBy(backend, fence)
  const file = `${backend.url}/_chartroom/schema`
  const loaded = await loadSchema(client, 'public', { file, signal: new AbortController().signal })
  if (!loaded.ok || loaded.value.phase !== 'known') throw new Error('The schema was not loaded.')
  const { tables, schemas = new Map() } = loaded.value
  return {
    infoOf: name => tables.find(each => each.name === name),
    schemas: new Map([...schemas].map(([name, content]) => [name, content.tables])),
  }
}

const infoIn = ({ infoOf }: Schema, table: string): TableInfo => {
  const info = infoOf(table)
  if (info === undefined) throw new Error(`${table} is not listed.`)
  return info
}

const queryOf = (table: string, related: readonly RelatedColumn[]): TableQuery => ({
  schema: 'public',
  table,
  columns: [],
  filters: [],
  sorts: [],
  related,
})

/** The rows as the grid reads them. */
async function shown(info: TableInfo, query: TableQuery) {
  const store = new RowsStore(client, () => undefined)
  store.know(info)
  store.open(query)
  store.showRange(0, 100)
  await vi.waitFor(() => expect(store.state().pages.phase).not.toBe('loading'), {
    interval: 1,
    timeout: 20_000,
  })
  const { pages, relatedFailure } = store.state()
  store.close()
  expect([pages.phase, pages.failure, relatedFailure]).toEqual(['ready', undefined, undefined])
  return [...pages.rows.values()].flat()
}

/** All paths of one and two keys that a request can follow. */
const pathsOf = (info: TableInfo, { infoOf }: Schema): readonly (readonly ForeignKey[])[] =>
  keysFrom(info)
    .filter(key => 'term' in embeddingOf(info.name, key))
    .flatMap(first => {
      const next = infoOf(first.table)
      const further = next === undefined ? [] : keysFrom(next)
      return [
        [first],
        ...further.filter(key => 'term' in embeddingOf(first.table, key)).map(second => [first, second]),
      ]
    })

const columnsOf = (tables: readonly KeyedTable[], name: string): readonly string[] =>
  tables.find(table => table.name === name)?.columns.map(column => column.name) ?? []

/** The same values by a left join for each path. */
async function joined(
  tables: readonly KeyedTable[],
  table: KeyedTable,
  paths: readonly (readonly ForeignKey[])[],
) {
  const joins: string[] = []
  const selected: string[] = []
  paths.forEach((path, at) => {
    let from = 't'
    path.forEach(({ table: to, pairs }, depth) => {
      const alias = `j${at}_${depth}`
      const on = pairs.map(({ ours, theirs }) => `${from}.${ident(ours)} = ${alias}.${ident(theirs)}`)
      joins.push(`left join ${ident(to)} ${alias} on ${on.join(' and ')}`)
      from = alias
    })
    for (const column of columnsOf(tables, path.at(-1)?.table ?? ''))
      selected.push(`${from}.${ident(column)}::text`)
  })
  const keys = table.key.map(({ name }) => `t.${ident(name)}::text`)
  const { rows } = await sql.query<{ cells: (string | null)[] }>(
    `select json_build_array(${[...keys, ...selected].join(', ')}) as cells from ${ident(table.name)} t ${joins.join(' ')}`,
  )
  return rows.map(({ cells }) => JSON.stringify(cells)).toSorted()
}

testSeeds('related values are those of a left join', { some: 6, all: 300 }, async seed => {
  const tables = generateKeyedTables(seed)
  await sql.query(keyedTablesSql(tables))
  try {
    const schema = await describe()
    for (const table of tables) await checkTable(tables, table, schema)
  } finally {
    for (const { name } of tables.toReversed()) await sql.query(`drop table ${ident(name)}`)
  }
})

async function checkTable(tables: readonly KeyedTable[], table: KeyedTable, schema: Schema) {
  const info = infoIn(schema, table.name)
  const names = (keys: readonly { readonly name?: string }[]) => keys.map(({ name }) => name ?? '').toSorted()
  expect(names(keysFrom(info))).toEqual(names(table.keys))
  const paths = pathsOf(info, schema)
  const choices = paths.flatMap(path => relatedChoices(info, path, schema.infoOf))
  expect(new Set(choices.map(({ name }) => name)).size).toBe(choices.length)
  // As a layout stores them.
  const stored = JSON.parse(JSON.stringify(choices.map(storedRelated))) as RelatedColumn[]
  const related = currentRelated(info, stored, schema.infoOf)
  expect(related).toEqual(choices)
  const shownNames = [...table.key, ...related].map(({ name }) => name)
  const rows = await shown(info, queryOf(table.name, related))
  const cells = rows.map(row => JSON.stringify(shownNames.map(name => cellOf(row, { name })))).toSorted()
  const expected = await joined(tables, table, paths)
  expect(cells).toEqual(expected)
  // The own values alone are those of a row without them.
  const plain = await shown(info, queryOf(table.name, []))
  expect(rows.map(row => JSON.stringify(row))).toEqual(plain.map(row => JSON.stringify(row)))
  await checkExport(info, queryOf(table.name, related), shownNames, expected)
}

/** Values of JSON columns are JSON in a file. */
const asJson = (cell: string | null): string | null => {
  try {
    return cell !== null && /^[[{"]/.test(cell) ? JSON.stringify(JSON.parse(cell)) : cell
  } catch {
    return cell
  }
}

async function checkExport(
  info: TableInfo,
  query: TableQuery,
  names: readonly string[],
  expected: readonly string[],
) {
  const reader = createRowReader({ query: scopeQuery({ ...query, columns: names }, info, 'matching'), info })
  const read: string[] = []
  for (let isLast = false; !isLast;) {
    const { path, headers, method } = reader.next()
    const response = await client.fetch(path, { method, headers })
    const text = await response.text()
    expect([path, response.ok, text]).toEqual([path, true, text])
    const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
    const step = reader.take({
      rows: method === 'HEAD' ? [] : (parseExact(text) as Row[]),
      total: total === undefined ? undefined : Number(total),
    })
    isLast = step.isLast
    for (const row of step.rows) {
      expect(Object.keys(row).toSorted()).toEqual([...names].toSorted())
      read.push(JSON.stringify(names.map(name => asJson(cellOf(row, { name })))))
    }
  }
  const plain = expected.map(row => JSON.stringify((JSON.parse(row) as (string | null)[]).map(asJson)))
  expect(read.toSorted()).toEqual(plain.toSorted())
}

const HARBOR = `
  create table quays (id int primary key, name text, is_open boolean not null default true);
  alter table quays enable row level security;
  create policy p on quays for select using (is_open);
  create table berths (id int primary key, quay int references quays, next int references berths, note text);
  create table calls (
    id int primary key, berth int constraint came references berths, left_to int constraint went references berths
  );
  create view berth_names as select id, note from berths;
  insert into quays values (1, 'North', true), (2, 'Navy', false);
  insert into berths values (10, 1, null, 'a'), (11, 2, 10, 'b'), (12, null, 11, null);
  insert into calls values (1, 10, 11), (2, 11, null), (3, null, 12), (4, 12, 12);
`

test('hidden rows, sorts, writes and referring rows', async () => {
  await sql.query(HARBOR)
  const schema = await describe()
  const calls = infoIn(schema, 'calls')
  const keyOf = (table: string, name: string) =>
    keysFrom(infoIn(schema, table)).find(key => key.name === name)
  const [came, went, quay] = [
    keyOf('calls', 'came'),
    keyOf('calls', 'went'),
    keyOf('berths', 'berths_quay_fkey'),
  ]
  if (came === undefined || went === undefined || quay === undefined) throw new Error('Keys are missing.')
  const choose = (path: readonly ForeignKey[], column: string) => {
    const found = relatedChoices(calls, path, schema.infoOf).find(each => each.column === column)
    if (found === undefined) throw new Error(`There is no column ${column}.`)
    return found
  }
  const related = [choose([came], 'note'), choose([went], 'note'), choose([came, quay], 'name')]
  const query = queryOf('calls', related)
  const names = related.map(({ name }) => name)
  expect(names).toEqual(['berth › note', 'left_to › note', 'berth › quay › name'])
  const sorted = async (column: string, direction: 'asc' | 'desc') => {
    const rows = await shown(calls, { ...query, sorts: [{ column, direction }] })
    return rows.map(row => [row['id'], ...names.map(name => row[name])])
  }
  // What a policy hides is neither null nor empty.
  expect(await sorted('id', 'asc')).toEqual([
    [1, 'a', 'b', 'North'],
    [2, 'b', null, NOT_VISIBLE],
    [3, null, null, null],
    [4, null, null, null],
  ])
  const byNote = await sql.query<{ id: number }>(
    'select c.id from calls c left join berths b on b.id = c.berth order by b.note desc nulls first, c.id desc',
  )
  expect((await sorted('berth › note', 'desc')).map(([id]) => id)).toEqual(byNote.rows.map(({ id }) => id))
  // The values of another row go with the key, and come with the next read.
  const store = new RowsStore(client, () => undefined)
  store.know(calls)
  store.open({ ...query, sorts: [{ column: 'id', direction: 'asc' }] })
  store.showRange(0, 100)
  await vi.waitFor(() => expect(store.state().pages.phase).toBe('ready'))
  const row = store.loaded('2')
  if (row === undefined) throw new Error('The row is not loaded.')
  await sql.query('update calls set berth = 10 where id = 2')
  store.replaced(rowKey(calls, row) ?? '', { ...row, berth: 10 })
  expect(store.loaded('2')?.['berth › note']).toBeUndefined()
  await vi.waitFor(() => expect(store.loaded('2')?.['berth › note']).toBe('a'))
  store.close()
  // Referring rows, by each of two keys, and of a view that shows none.
  const cells = new Map([['id', '12']])
  const cellIn = (column: string) => cells.get(column) ?? null
  const incoming = keysTo({ schema: 'public', table: 'berths' }, schema.schemas)
  const counts: Record<string, number> = {}
  for (const each of incoming) {
    const answer = await readReferring(client, each, cellIn, new AbortController().signal)
    if (!answer.ok) throw new Error(answer.failure.message)
    expect(answer.value.isExact).toBe(true)
    counts[each.key.name ?? ''] = answer.value.count
  }
  const count = async (column: string, table: string) =>
    Number(
      (await sql.query<{ n: string }>(`select count(*) n from ${table} where ${column} = 12`)).rows[0]?.n,
    )
  expect(counts).toEqual({
    came: await count('berth', 'calls'),
    went: await count('left_to', 'calls'),
    berths_next_fkey: await count('next', 'berths'),
  })
  expect(schema.infoOf('berth_names')?.kind).toBe('view')
})

test('without the right to read the other table, the rows are shown without it', async () => {
  await sql.query(`
    create table secrets (id int primary key, text text);
    create table holders (id int primary key, secret int references secrets);
    insert into secrets values (1, 'x'); insert into holders values (1, 1), (2, null);
  `)
  const schema = await describe()
  const holders = infoIn(schema, 'holders')
  const related = relatedChoices(holders, keysFrom(holders), schema.infoOf)
  expect(related.map(({ name }) => name)).toEqual(['secret › id', 'secret › text'])
  await sql.query('revoke all on secrets from authenticated')
  const store = new RowsStore(client, () => undefined)
  store.know(holders)
  store.open({ ...queryOf('holders', related), sorts: [{ column: 'secret › text', direction: 'asc' }] })
  store.showRange(0, 100)
  await vi.waitFor(() => expect(store.state().pages.phase).toBe('ready'))
  const { pages, relatedFailure } = store.state()
  store.close()
  expect(relatedFailure?.message).toMatch(/secrets/)
  // By the key, since the other table's column is not there to sort by.
  const rows = (pages.rows.get(0) ?? []).map(row => [row['id'], row['secret'], row['secret › text']])
  expect(rows).toHaveLength(2)
  expect(rows).toEqual(
    expect.arrayContaining([
      [1, 1, undefined],
      [2, null, undefined],
    ]),
  )
})

test('a key to another schema, or to the same table by several columns, is not embedded', () => {
  const pairs = [
    { ours: 'a', theirs: 'x' },
    { ours: 'b', theirs: 'y' },
  ]
  expect(embeddingOf('t', { table: 'u', schema: 'other', pairs })).toHaveProperty('reason')
  expect(embeddingOf('t', { table: 't', pairs })).toHaveProperty('reason')
  expect(embeddingOf('t', { table: 'u', pairs })).toEqual({ term: 'u' })
  expect(embeddingOf('t', { name: 'inner', table: 'u', pairs })).toEqual({ term: 'u!"inner"' })
  expect(embeddingOf('t', { table: 't', name: 'k', pairs: pairs.slice(0, 1) })).toEqual({ term: 'a' })
})
