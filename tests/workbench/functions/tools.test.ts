// Saved queries and database functions.
import { expect, test } from 'vitest'
import { parseFunctions, type RpcFunction } from '../../../src/services/workbench/functions/rpc-functions.ts'
import {
  emptyDraft,
  NULL,
  readRpc,
  rpcSpec,
  type RpcDraft,
  rowsIn,
} from '../../../src/services/workbench/functions/index.ts'
import {
  aboutQuery,
  renamed,
  toSave,
  withSaved,
  type TableQuery,
} from '../../../src/services/workbench/table/index.ts'
import { parseExact } from '../../../src/services/workbench/text/index.ts'

test('queries are saved by name, without the scroll position', () => {
  const query: TableQuery = {
    schema: 'public',
    table: 'vessels',
    columns: ['name'],
    filters: [{ column: 'rig', operator: 'eq', value: 'ketch', negate: true }],
    sorts: [{ column: 'name', direction: 'desc' }],
    range: { from: 100, to: 150 },
  }
  const { range: _, ...rest } = query
  const one = toSave('b', query)
  expect(one).toEqual({ name: 'b', query: rest })
  expect(aboutQuery(one.query)).toBe('vessels: rig not eq ketch · by name ↓ · name')
  const both = withSaved(withSaved([one], toSave('a10', query)), toSave('a2', query))
  expect(both.map(({ name }) => name)).toEqual(['a2', 'a10', 'b'])
  expect(renamed(both, 'a2', 'b').map(({ name }) => name)).toEqual(['a10', 'b'])
})

const document = {
  paths: {
    '/vessels': { get: {} },
    '/rpc/tides': {
      get: {},
      post: {
        summary: 'High and low water.',
        parameters: [
          {
            name: 'args',
            schema: {
              required: ['port'],
              properties: {
                port: { format: 'bigint', type: 'integer' },
                days: { format: 'integer[]', type: 'array' },
                kind: { format: 'public.kind', enum: ['high', 'low'] },
                note: { format: 'text', description: 'For the log.' },
              },
            },
          },
        ],
      },
    },
    '/rpc/ping': { post: {} },
  },
}

test('functions come from the OpenAPI document, with their arguments', () => {
  const [ping, tides] = parseFunctions(document)
  expect(ping).toEqual({ name: 'ping', about: '', isReading: false, args: [] })
  expect([tides?.name, tides?.about, tides?.isReading]).toEqual(['tides', 'High and low water.', true])
  expect(tides?.args.map(({ name, type, hasDefault }) => [name, type, hasDefault])).toEqual([
    ['port', 'integer', false],
    ['days', 'array', true],
    ['kind', 'enum', true],
    ['note', 'text', true],
  ])
  expect(parseFunctions({ swagger: '2.0' })).toEqual([])
})

test('a form becomes arguments, or reports errors by argument', () => {
  const tides = parseFunctions(document)[1] as RpcFunction
  const draft = (texts: RpcDraft['texts'], more: Partial<RpcDraft> = {}) =>
    readRpc(tides, { ...emptyDraft(tides), texts, ...more })
  expect(draft({})).toEqual({ ok: false, errors: { port: 'This argument has no default: enter a value.' } })
  expect(draft({ port: 'x', kind: 'ebb' })).toEqual({
    ok: false,
    errors: { port: 'This must be a whole number.', kind: 'This must be one of high, low.' },
  })
  const read = draft({ port: '9007199254740993', days: '[1,2]', note: '', kind: NULL })
  expect(JSON.stringify(read)).toBe(
    '{"ok":true,"args":{"port":9007199254740993,"days":[1,2],"kind":null,"note":""}}',
  )
  if (!read.ok) throw new Error('it can be read')
  const path = '/rest/v1/rpc/tides'
  // A query cannot express null: left out it would mean the default.
  expect(rpcSpec('tides', 'GET', read.args)).toEqual({ method: 'POST', path, body: read.args })
  const { kind: _, ...said } = read.args
  expect(rpcSpec('tides', 'GET', said)).toEqual({
    method: 'GET',
    path,
    query: [
      ['port', '9007199254740993'],
      ['days', '{"1","2"}'],
      ['note', ''],
    ],
  })
  expect(draft({}, { mode: 'json', json: '[1]' })).toMatchObject({ ok: false })
  expect(draft({}, { mode: 'json', json: '' })).toEqual({ ok: true, args: {} })
})

test('a response is shown as a table if it has rows', () => {
  expect(rowsIn(parseExact('[{"a":1},{"b":null}]'))).toEqual([{ a: 1 }, { b: null }])
  for (const text of ['[]', '[1]', '{"a":1}', '7', '[12345678901234567890]', '[[1]]'])
    expect(rowsIn(parseExact(text))).toBeUndefined()
})
