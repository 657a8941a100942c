// Inserts that the engine cannot run are refused with a reason before they reach it.
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
await sql`create table public.bulk (a int, b int, c int, d text)`
await sql`notify pgrst, 'reload schema'`

const headers = { apikey: backend.secretKey, 'content-type': 'application/json', prefer: 'return=minimal' }

async function insert(body: string, more: Record<string, string> = {}) {
  const response = await fetch(`${backend.url}/rest/v1/bulk`, {
    method: 'POST',
    headers: { ...headers, ...more },
    body,
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const rowsOf = (rows: number, row: object) => JSON.stringify(Array.from({ length: rows }, () => row))
const csv = (rows: number, head: string, line: string) => `${head}\n${`${line}\n`.repeat(rows)}`
const count = async () => Number((await sql`select count(*) from public.bulk`)[0]?.['count'])

test.each([
  ['rows', () => rowsOf(50_000, { a: 1 }), {}],
  ['one row more than allowed', () => rowsOf(20_001, { a: 1 }), {}],
  ['values', () => rowsOf(8_192, { a: 1, b: 2, c: 3, d: '4' }), {}],
  ['values that wrap around 16 bits', () => rowsOf(17_000, { a: 1, b: 2, c: 3, d: '4' }), {}],
  [
    'values of rows with different columns',
    () =>
      JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ [['a', 'b', 'c', 'd'][n % 4] ?? 'a']: 1 }))),
    {},
  ],
  ['rows of CSV', () => csv(50_000, 'a', '1'), { 'content-type': 'text/csv' }],
  ['values of CSV', () => csv(17_000, 'a,b,c,d', '1,2,3,"x\n,y"'), { 'content-type': 'text/csv' }],
])('too many %s are refused with 413', async (_name, body, more) => {
  const before = await count()
  expect(await insert(body(), more)).toMatchObject({
    status: 413,
    body: {
      code: '54000',
      message: expect.stringMatching(/^The request has too many values: \d+ rows with \d+ columns$/),
    },
  })
  expect(await count()).toBe(before)
})

test.each([
  ['rows', () => rowsOf(20_000, { a: 1 }), 20_000],
  ['values', () => rowsOf(8_191, { a: 1, b: 2, c: 3, d: '4' }), 8_191],
])(
  'as many %s as are allowed are inserted',
  async (_name, body, rows) => {
    const before = await count()
    expect((await insert(body())).status).toBe(201)
    expect(await count()).toBe(before + rows)
  },
  60_000,
)

test('the end', () => sql.end())
