// The hostile set through a real database: read and rewritten by the grid, exported and imported, unchanged.
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cellOf,
  readCell,
  readTsv,
  writeTsv,
  ALL_RIGHTS,
  type Row,
  type TableInfo,
  scopeQuery,
  createRowReader,
} from '../../src/services/workbench/table/index.ts'
import { exactRow, selectOf } from '../../src/services/workbench/table/exact-select.ts'
import { CsvReader } from '../../src/services/workbench/table/csv.ts'
import { createExportWriter, rowsOfPage } from '../../src/services/workbench/table/export/export-format.ts'
import { parseExact } from '../../src/services/workbench/text/index.ts'
import { readRows, toSource, type SourceRow } from '../../src/services/workbench/table/import/read-rows.ts'
import { startTestBackend } from '../harness/backend.ts'
import { HOSTILE } from './data-hostile.ts'
import { column } from '../harness/column.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
afterAll(() => sql.end({ timeout: 1 }))

const formats = [...new Set(HOSTILE.map(([, format]) => format))]
const columns = [column('id', 'integer'), ...formats.map((format, at) => column(`c ${at}`, format))]
const nameOf = (format: string) => `c ${formats.indexOf(format)}`

const rest = (method: string, query: string, body?: unknown) =>
  call(`/rest/v1/hostile?${query}`, method, body)

const call = async (path: string, method = 'GET', body?: unknown): Promise<string> => {
  const answer = await fetch(`${backend.url}${path}`, {
    method,
    headers: { apikey: backend.secretKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect([answer.ok, answer.ok || text]).toEqual([true, true])
  return text
}

beforeAll(async () => {
  const defined = formats.map((format, at) => `"c ${at}" ${format}`).join(', ')
  await sql.unsafe(
    `create table hostile (id int primary key, ${defined}); grant all on hostile to service_role`,
  )
  for (const [at, [, format, text]] of HOSTILE.entries())
    await sql.unsafe(`insert into hostile (id, "${nameOf(format)}") values (${at}, $1::text::${format})`, [
      text,
    ])
})

/** Names of the values that differ, in the rows whose numbers are higher by this offset. */
const changed = async (by: number): Promise<readonly string[]> => {
  const same = formats
    .map((_, at) => `a."c ${at}"::text is not distinct from b."c ${at}"::text`)
    .join(' and ')
  const rows = await sql.unsafe<{ id: number; same: boolean }[]>(
    `select a.id, b.id is not null and ${same} as same from hostile a left join hostile b on b.id = a.id + ${by} where a.id < 1000`,
  )
  expect(rows).toHaveLength(HOSTILE.length)
  return rows.filter(({ same }) => !same).map(({ id }) => HOSTILE[id]?.[0] ?? '')
}

test('what the grid shows is copied, pasted and written', async () => {
  const query = new URLSearchParams({ select: selectOf(columns), id: 'lt.1000' })
  const rows = (JSON.parse(await rest('GET', query.toString())) as Row[]).map(row => exactRow(columns, row))
  for (const row of rows) {
    const [cells = []] = readTsv(writeTsv([columns.map(each => cellOf(row, each))]))
    const body = columns.map((each, at) => {
      const reading = readCell(each, cells[at] ?? null)
      return [each.name, 'value' in reading ? reading.value : reading] as const
    })
    await rest('POST', '', { ...Object.fromEntries(body), id: Number(row['id']) + 1_000 })
  }
  expect(await changed(1_000)).toEqual([])
})

const imported = async (
  by: number,
  kind: 'csv' | 'json',
  names: readonly string[],
  rows: readonly SourceRow[],
) => {
  const { ready, problems } = readRows(rows, { columns, mapping: names, empty: 'null', kind })
  expect(problems).toEqual([])
  for (const { values } of ready) await rest('POST', '', { ...values, id: Number(values['id']) + by })
  expect(await changed(by)).toEqual([])
}

test('what is exported as CSV is imported', async () => {
  const names = columns.map(({ name }) => name)
  const writer = createExportWriter('csv', names, columns)
  writer.addRows(rowsOfPage(await rest('GET', 'id=lt.1000')))
  const reader = new CsvReader(',')
  const lines = [...reader.push(await writer.file().text()), ...reader.end()]
  await imported(2_000, 'csv', names, toSource(lines, true).rows)
})

test('what is exported as JSON is imported', async () => {
  const writer = createExportWriter('json', [], columns)
  writer.addRows(rowsOfPage(await rest('GET', 'id=lt.1000')))
  const rows = parseExact(await writer.file().text()) as Row[]
  const names = columns.map(({ name }) => name)
  await imported(
    3_000,
    'json',
    names,
    rows.map((row, at) => ({ line: at + 1, cells: names.map(name => row[name]) })),
  )
})

const boats = {
  name: 'boats',
  isKnown: true,
  rights: ALL_RIGHTS,
  columns: [column('id', 'integer'), column('built', 'integer'), column('name', 'text')],
} satisfies TableInfo

test.each([
  ['the key alone', []],
  ['a column with nulls and ties, ascending', [{ column: 'built', direction: 'asc' }]],
  ['the same, descending', [{ column: 'built', direction: 'desc' }]],
  ['texts, then numbers', ['name', 'built'].map(each => ({ column: each, direction: 'asc' as const }))],
] as const)('an export by %s has every row once, despite concurrent writes', async (_words, sorts) => {
  await sql.unsafe(`drop table if exists boats`)
  await sql.unsafe(`create table boats (id int primary key, built int, name text); grant all on boats to service_role;
    insert into boats select id, nullif(id % 4, 0), nullif(chr(97 + id % 3), 'c') from generate_series(1, 12) id`)
  const query = { schema: 'public', table: 'boats', columns: ['name'], filters: [], sorts }
  const reader = createRowReader({ query: scopeQuery(query, boats, 'matching'), info: boats, size: 3 })
  const names: unknown[] = []
  const ids: number[] = []
  for (let more = true; more;) {
    const isCounting = reader.isCounting()
    const { method, path, headers } = reader.next()
    const answer = await fetch(`${backend.url}${path}`, {
      method,
      headers: { ...headers, apikey: backend.secretKey },
    })
    const total = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1]
    const rows = isCounting ? [] : rowsOfPage(await answer.text())
    const step = reader.take({ rows, total: total === undefined ? undefined : Number(total) })
    more = !step.isLast
    expect(step.missing).toBe(0)
    ids.push(...rows.map(row => Number(row['id'])))
    names.push(...step.rows)
    // Rows that were read are deleted, and others inserted before and after.
    const [gone, at] = [ids.at(-2) ?? 0, ids.length]
    if (rows.length === 0 || at > 12) continue
    await sql`delete from boats where id = ${gone}`
    await sql`insert into boats values (${-at}, -1, ''), (${-at - 100}, 99, 'A')`
  }
  const first = ids.filter(id => id > 0)
  expect([first.toSorted((a, b) => a - b), new Set(ids).size]).toEqual([
    Array.from({ length: 12 }, (_, at) => at + 1),
    ids.length,
  ])
  expect([reader.hasCounted(), names.length, Object.keys(names[0] ?? {})]).toEqual([
    false,
    ids.length,
    ['name'],
  ])
})
