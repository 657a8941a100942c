// Operations over all rows, on a real database with SQL as the oracle, and on servers that break the rules: a part is
// never reported as the whole.
import postgres from 'postgres'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import type { CatalogTable } from '../../src/services/access/catalog.ts'
import type { ReviewContext } from '../../src/services/access/context.ts'
import { readTable } from '../../src/services/access/review-table.ts'
import type { AccessAccount, AccessRequest } from '../../src/services/access/types.ts'
import { createRowExport, rowExportState } from '../../src/services/workbench/jobs/index.ts'
import { RowsStore } from '../../src/services/workbench/table/rows-store.ts'
import { scopeQuery, createRowReader, type TableQuery } from '../../src/services/workbench/table/index.ts'
import {
  ALL_RIGHTS,
  parseTables,
  type Row,
  type TableInfo,
} from '../../src/services/workbench/table/schema.ts'
import { startTestBackend } from '../harness/backend.ts'
import { column } from '../harness/column.ts'

type Fetch = ChartroomClient['fetch']

const backend = await startTestBackend({ databaseAccess: {} })
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
afterAll(() => sql.end({ timeout: 1 }))

const onBackend: Fetch = (path, init) =>
  fetch(`${backend.url}${path}`, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), apikey: backend.secretKey },
  })

const limitTo = (rows: number) =>
  sql.unsafe(`alter role authenticator set pgrst.db_max_rows = '${rows}'; notify pgrst, 'reload config'`)

/** The table as the backend describes it. */
async function described(name: string): Promise<TableInfo> {
  const answer = await onBackend('/rest/v1/', { headers: { accept: 'application/openapi+json' } })
  const info = parseTables(await answer.json())?.find(each => each.name === name)
  if (info === undefined) throw new Error(`There is no table ${name}.`)
  return info
}

const queryOf = (table: string): TableQuery => ({
  schema: 'public',
  table,
  columns: [],
  filters: [],
  sorts: [],
})

/** Exports the whole table. */
async function exported(info: TableInfo, send: Fetch = onBackend, part: Partial<TableQuery> = {}) {
  const rows: Row[] = []
  const query = scopeQuery({ ...queryOf(info.name), ...part }, info, 'matching')
  const reader = createRowReader({ query, info })
  const job = createRowExport({
    fetch: send,
    reader,
    take: read => void rows.push(...read),
    expected: undefined,
  })
  const state = () => rowExportState(job.actor.getSnapshot())
  await vi.waitFor(() => expect(['done', 'failed']).toContain(state().phase), 60_000)
  return { rows, state, job, reader }
}

const KEYS = [
  ['an integer', 'k int primary key', 'i'],
  ['text with quotes', 'k text primary key', `'Pipe 1/2" no ' || lpad(i::text, 5, '0')`],
  ['text with everything', 'k text primary key', `'a,(b).c:"' || chr(92) || i || '" & %=+'`],
  [
    'two columns with quotes',
    'k text, l text, primary key (k, l)',
    `'x"' || i % 3, chr(92) || lpad(i::text, 4, '0')`,
  ],
  ['two plain columns', 'k int, l text, primary key (k, l)', `i % 7, 'n ' || i`],
  ['none', 'k int', 'i'],
] as const

describe('an export has the rows that SQL selects', () => {
  test.each(KEYS.flatMap(key => [1, 7, 50, 1_000].map(most => [...key, most] as const)))(
    'with %s as the key (%s, %s), %i rows per response',
    async (_words, defined, values, most) => {
      const count = most === 1 ? 23 : most === 7 ? 40 : most === 50 ? 120 : 2_500
      await sql.unsafe(`drop table if exists part; create table part (${defined}, v text);
        grant all on part to service_role;
        insert into part select ${values}, 'v' || i from generate_series(1, ${count}) i`)
      await limitTo(most)
      const { rows, state } = await exported(await described('part'))
      expect(state()).toMatchObject({ phase: 'done', read: count, total: count })
      const expected = await sql<{ v: string }[]>`select v from part`
      expect(rows.map(row => String(row['v'])).toSorted()).toEqual(expected.map(({ v }) => v).toSorted())
    },
    60_000,
  )

  test('with a sort column that has nulls and quotes', async () => {
    await sql.unsafe(`drop table if exists part; create table part (k int primary key, v text);
      grant all on part to service_role;
      insert into part select i, nullif('q"' || i % 5, 'q"0') from generate_series(1, 90) i`)
    await limitTo(7)
    const info = await described('part')
    const { rows, state } = await exported(info, onBackend, { sorts: [{ column: 'v', direction: 'asc' }] })
    expect(state()).toMatchObject({ phase: 'done', read: 90, total: 90 })
    const expected = await sql<{ k: number }[]>`select k from part order by v, k`
    expect(rows.map(row => Number(row['k'])).toSorted((a, b) => a - b)).toEqual(
      expected.map(({ k }) => k).toSorted((a, b) => a - b),
    )
  }, 60_000)

  test('also where rows of a child table have the same key', async () => {
    await sql.unsafe(`drop table if exists animals cascade; create table animals (id int primary key, v text);
      create table dogs (breed text) inherits (animals); grant all on animals, dogs to service_role;
      insert into animals select i, 'a' || i from generate_series(1, 30) i;
      insert into dogs select i, 'd' || i from generate_series(1, 30) i`)
    await limitTo(7)
    const { rows, state } = await exported(await described('animals'))
    const expected = await sql<{ v: string }[]>`select v from animals`
    const read = rows.map(row => String(row['v'])).toSorted()
    // Without a snapshot of the whole, the export is complete or says what it lacks.
    const isWhole =
      read.join() ===
      expected
        .map(({ v }) => v)
        .toSorted()
        .join()
    const { phase, failure } = state()
    expect(phase === 'done' ? isWhole : failure?.message.includes(`${read.length} of 60 rows`)).toBe(true)
    expect(new Set(read).size).toBe(read.length)
  }, 60_000)

  test('rows that are added and removed during an export are no false alarm', async () => {
    await sql.unsafe(`drop table if exists part; create table part (k int primary key, v text);
      grant all on part to service_role; insert into part select i * 10, 'v' || i from generate_series(1, 60) i`)
    await limitTo(10)
    let page = 0
    const busy: Fetch = async (path, init) => {
      page += 1
      if (init?.method === 'GET' && page > 1) {
        await sql`insert into part values (${page}, 'before'), (${1_000 + page}, 'after') on conflict do nothing`
        await sql`delete from part where k = ${page * 10} or k = ${610 - page * 10}`
      }
      return onBackend(path, init)
    }
    const info = await described('part')
    const { rows, state } = await exported(info, busy)
    expect(state().phase).toBe('done')
    const keys = rows.map(row => Number(row['k']))
    expect(new Set(keys).size).toBe(keys.length)
    const left = await sql<{ k: number }[]>`select k from part where k % 10 = 0`
    expect(left.filter(({ k }) => !keys.includes(k))).toEqual([])
  }, 60_000)
})

describe('the grid', () => {
  test.each([
    [1, 12],
    [50, 120],
    [100, 250],
    [99, 250],
  ])(
    'with %i rows per response shows all of %i rows',
    async (most, count) => {
      await sql.unsafe(`drop table if exists part; create table part (k int primary key, v text);
      grant all on part to service_role; insert into part select i, 'v' || i from generate_series(1, ${count}) i`)
      await limitTo(most)
      const info = await described('part')
      const send: Fetch = (path, init, options) => {
        options?.onStart?.('r')
        return onBackend(path, init)
      }
      const store = new RowsStore({ fetch: send } as unknown as ChartroomClient, () => undefined)
      store.know(info)
      store.open({ ...queryOf('part'), sorts: [{ column: 'k', direction: 'asc' }] })
      const shown = () => {
        store.showRange(0, count)
        const { rows, total, isExact } = store.state().pages
        return {
          keys: [...rows]
            .toSorted(([a], [b]) => a - b)
            .flatMap(([, page]) => page.map(row => Number(row['k']))),
          total,
          isExact,
        }
      }
      const all = await sql<{ k: number }[]>`select k from part order by k`
      await vi.waitFor(
        () => expect(shown()).toEqual({ keys: all.map(({ k }) => k), total: count, isExact: true }),
        30_000,
      )
      store.close()
    },
    60_000,
  )
})

describe('a server that breaks the rules', () => {
  const info: TableInfo = {
    name: 'part',
    isKnown: true,
    rights: ALL_RIGHTS,
    columns: [column('id', 'integer', { required: true }), column('v')],
  }
  const all = Array.from({ length: 25 }, (_, n) => ({ id: n + 1, v: `v${n + 1}` }))
  const page = (rows: readonly object[], total: number | '*') =>
    Response.json(rows, { headers: { 'content-range': `0-1/${total}` } })
  const isCount = (init: RequestInit | undefined) => init?.method === 'HEAD'
  const limited = (path: string, rows: readonly Row[], most: number) => {
    const { searchParams: query } = new URL(path, 'http://x')
    const after = Number(/^gt\.(\d+)$/.exec(query.get('id') ?? '')?.[1] ?? 0)
    const from = Number(query.get('offset'))
    const limit = Math.min(Number(query.get('limit')), most)
    return { after, rows: rows.filter(row => Number(row['id']) > after).slice(from, from + limit) }
  }
  const server =
    (total: (n: number) => number | '*', read: (path: string) => readonly object[]): Fetch =>
    (path, init) =>
      Promise.resolve(isCount(init) ? page([], total(1)) : page(read(path), total(0)))

  test('which understands no condition is read by offset', async () => {
    const send = server(
      () => 25,
      path => {
        const { after, rows } = limited(path, all, 10)
        return after > 0 ? [] : rows
      },
    )
    const { rows, state, reader } = await exported(info, send)
    expect([state().phase, rows.length, reader.hasCounted()]).toEqual(['done', 25, true])
  })

  test('which always returns the first page ends, and says what is missing', async () => {
    let requests = 0
    const send = server(
      () => 25,
      () => {
        requests += 1
        return all.slice(0, 10)
      },
    )
    const { rows, state } = await exported(info, send)
    expect([state().phase, state().failure?.message, rows.length]).toEqual([
      'failed',
      '10 of 25 rows were read. The backend did not return the others, or other users were writing to the table.',
      10,
    ])
    expect(requests).toBeLessThan(8)
  })

  test('which returns the first page of a table without a key forever, and does not count, ends', async () => {
    const bare = { ...info, columns: info.columns.map(each => ({ ...each, isKey: false })) }
    const { state } = await exported(
      bare,
      server(
        () => '*',
        () => all.slice(0, 10),
      ),
    )
    expect([state().phase, state().total]).toEqual(['done', undefined])
  })

  test('which does not count is read to an empty page, and the whole is not claimed', async () => {
    const send = server(
      () => '*',
      path => limited(path, all, 10).rows,
    )
    const { rows, state } = await exported(info, send)
    expect([state().phase, state().total, rows.length]).toEqual(['done', undefined, 25])
  })

  test.each([
    ['42501', 403],
    ['57014', 500],
  ])('which refuses to count with %s is read without', async (code, status) => {
    const send: Fetch = (path, init) =>
      Promise.resolve(
        new Headers(init?.headers).get('prefer') === 'count=exact' && (isCount(init) || code === '57014')
          ? Response.json({ code, message: 'no' }, { status })
          : page(limited(path, all, 10).rows, '*'),
      )
    const { rows, state } = await exported(info, send)
    expect([state().phase, state().total, rows.length]).toEqual(['done', undefined, 25])
  })

  test('whose pages shrink is read to the end', async () => {
    let most = 10
    const send = server(
      () => 25,
      path => limited(path, all, Math.max(1, (most -= 3))).rows,
    )
    const { rows, state } = await exported(info, send)
    expect([state().phase, rows.map(row => Number(row['id']))]).toEqual(['done', all.map(({ id }) => id)])
  })

  test('which skips rows once is read again, and has them then', async () => {
    let pages = 0
    const send = server(
      () => 25,
      path => {
        pages += 1
        const { rows } = limited(path, all, 10)
        return pages === 2 ? rows.slice(3) : rows
      },
    )
    const { rows, state } = await exported(info, send)
    expect([state().phase, new Set(rows.map(row => Number(row['id']))).size, rows.length]).toEqual([
      'done',
      25,
      25,
    ])
  })
})

describe('an access review', () => {
  const account: AccessAccount = { name: 'ann', userId: undefined }
  const table = {
    schema: 'public',
    name: 'part',
    columns: [{ name: 'k', type: 'integer', isKey: true }],
  } as unknown as CatalogTable
  const context = {
    send: async (_: AccessAccount, { method, path, headers }: AccessRequest) => {
      const answer = await onBackend(path, { method, headers })
      const text = await answer.text()
      return { status: answer.status, text, header: (name: string) => answer.headers.get(name) }
    },
  } as unknown as ReviewContext

  test.each([
    [1, 9],
    [50, 120],
    [100, 100],
    [700, 1_300],
  ])(
    'with %i rows per response reads %i rows, and counts those beyond a thousand',
    async (most, count) => {
      await sql.unsafe(`drop table if exists part; create table part (k int primary key);
      grant all on part to service_role; insert into part select generate_series(1, ${count})`)
      await limitTo(most)
      const { rows, total } = await readTable(context, table, account)
      const expected = await sql<{ k: number }[]>`select k from part order by k limit 1000`
      expect([rows.map(row => Number(row['k'])), total]).toEqual([expected.map(({ k }) => k), count])
    },
    60_000,
  )

  test('on a server that ignores the offset counts no row twice, and says what is missing', async () => {
    const rows = JSON.stringify([{ k: 1 }, { k: 2 }])
    const header = (name: string) => (name === 'content-range' ? '0-1/5' : null)
    const send = vi.fn<ReviewContext['send']>().mockResolvedValue({ status: 206, text: rows, header })
    const read = await readTable({ ...context, send }, table, account)
    expect([read.rows.length, read.total, send.mock.calls.length]).toEqual([2, 5, 2])
  })
})
