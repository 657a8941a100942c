// Names of JavaScript's built-in properties as names of tables, columns and arguments: they behave like any
// other.
import { expect, test } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { readDraft, AS_GIVEN, layColumns, readRows } from '../../src/services/workbench/table/index.ts'
import { callRest } from '../../src/services/workbench/rest/index.ts'
import { callTable } from '../../src/services/workbench/table/table-query.ts'
import { parseTables } from '../../src/services/workbench/table/schema.ts'
import { readValues } from '../../src/services/workbench/table/edits/send.ts'
import { emptyDraft, readRpc } from '../../src/services/workbench/functions/index.ts'
import { parseFunctions } from '../../src/services/workbench/functions/rpc-functions.ts'
import { column } from '../harness/column.ts'

const NAMES = ['constructor', 'prototype', '__proto__', 'toString']
const ROW = '{"constructor":"a","prototype":"b","__proto__":"c","toString":"d"}'
const names = (of: object) => Object.keys(of)

const columns = NAMES.map(name => column(name, 'text', { hasDefault: true, isKey: false }))
const parsed = (text: string): unknown => JSON.parse(text)

test('tables, columns and their rows exist under such names', async () => {
  const properties = `{"constructor":{"format":"text"},"prototype":{},"__proto__":{},"toString":{}}`
  const tables = parseTables(
    parsed(`{"definitions":{"constructor":{"properties":${properties}},"__proto__":{"properties":{}}}}`),
  )
  expect(tables?.map(table => [table.name, table.columns.map(({ name }) => name)])).toEqual([
    ['__proto__', []],
    ['constructor', NAMES],
  ])
  const client = { fetch: () => Promise.resolve(new Response(`[${ROW}]`)) } as unknown as ChartroomClient
  const call = { method: 'GET', path: '/x', query: [], headers: {} } as const
  for (const answer of [await callRest(client, call), await callTable(client, { ...call, columns })]) {
    expect(JSON.stringify(answer.ok && answer.rows)).toBe(`[${ROW}]`)
  }
})

test('they are written like any other, and left out without a value', () => {
  const values = parsed(ROW) as Record<string, string>
  const sent = readValues(values, columns)
  expect(JSON.stringify('body' in sent && sent.body)).toBe(ROW)
  const read = readDraft(columns, values)
  expect(JSON.stringify(read.ok && read.values)).toBe(ROW)
  expect(readDraft(columns, {})).toEqual({ ok: true, values: {} })
  expect(layColumns(columns, AS_GIVEN).every(({ width }) => width > 50)).toBe(true)
  const source = [{ line: 2, cells: ['a', 'b', 'c', 'd'] }]
  const { ready } = readRows(source, { columns, mapping: NAMES, empty: 'text', kind: 'csv' })
  expect(JSON.stringify(ready[0]?.values)).toBe(ROW)
})

test('so are arguments of functions', () => {
  const properties = '{"constructor":{"format":"text"},"__proto__":{"format":"text"}}'
  const post = `{"post":{"parameters":[{"schema":{"properties":${properties}}}]}}`
  const [found] = parseFunctions(parsed(`{"paths":{"/rpc/sail":${post}}}`))
  expect(found?.args.map(({ name }) => name)).toEqual(['constructor', '__proto__'])
  if (!found) return
  expect(readRpc(found, emptyDraft(found))).toEqual({ ok: true, args: {} })
  const given = { ...emptyDraft(found), texts: parsed('{"__proto__":"x"}') as Record<string, string> }
  const reading = readRpc(found, given)
  expect(reading.ok && names(reading.args)).toEqual(['__proto__'])
})
