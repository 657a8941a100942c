// Saved queries, rows as several people see them, and functions of the database.
import { expect, test } from 'vitest'
import { parseFunctions, type RpcFunction } from '../../src/ui/app/data-tools/rpc/rpc-functions.ts'
import {
  emptyDraft,
  NULL,
  readRpc,
  rpcSpec,
  type RpcDraft,
} from '../../src/ui/app/data-tools/rpc/rpc-draft.ts'
import { rowsIn } from '../../src/ui/app/data-tools/rpc/rpc-answer.ts'
import { aboutQuery, renamed, toSave, withSaved } from '../../src/ui/app/data-tools/saved/saved-queries.ts'
import { compareSeen, seenSummary } from '../../src/ui/app/data-tools/seen-by/compare.ts'
import { parseExact } from '../../src/ui/app/json/exact-json.ts'
import { ALL_RIGHTS } from '../../src/ui/app/data/schema.ts'
import type { TableQuery } from '../../src/ui/app/data/table-query.ts'
import { ID_COLUMN } from '../harness/column.ts'

const info = { name: 't', columns: [ID_COLUMN], rights: ALL_RIGHTS, known: true }

test('rows stand beside each other in one order, with gaps and with what differs', () => {
  const row = (n: number, v: unknown = 'same') => ({ id: n, v })
  const compared = compareSeen(info, [[row(1), row(3)], [row(1, 'other'), row(2), row(3)], undefined])
  expect(
    compared.map(({ key, rows, differs, isPartly }) => [
      key,
      rows.map(one => one?.['v']),
      [...differs],
      isPartly,
    ]),
  ).toEqual([
    ['1', ['same', 'other', undefined], ['v'], false],
    ['2', [undefined, 'same', undefined], [], true],
    ['3', ['same', 'same', undefined], [], false],
  ])
})

test('large keys that JavaScript takes for one are told apart; rows without a key too', () => {
  const rows = (text: string) => parseExact(text) as Record<string, unknown>[]
  const big = compareSeen(info, [rows('[{"id":9007199254740992}]'), rows('[{"id":9007199254740993}]')])
  expect(big.map(({ key }) => key)).toEqual(['9007199254740993', '9007199254740992'])
  const bare = { ...info, columns: [] }
  const twice = compareSeen(bare, [rows('[{"a":1},{"a":1}]'), rows('[{"a":1}]')])
  expect(twice.map(({ isPartly }) => isPartly)).toEqual([false, true])
})

test('queries are kept by name, without where somebody had scrolled to', () => {
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

test('a form becomes arguments, or says by argument what is wrong', () => {
  const tides = parseFunctions(document)[1] as RpcFunction
  const draft = (texts: RpcDraft['texts'], more: Partial<RpcDraft> = {}) =>
    readRpc(tides, { ...emptyDraft(tides), texts, ...more })
  expect(draft({})).toEqual({ ok: false, errors: { port: 'This argument has no default: give it a value.' } })
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
  // A query can't say null: left out it would mean the default.
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

test('an answer is a table where it has rows', () => {
  expect(rowsIn(parseExact('[{"a":1},{"b":null}]'))).toEqual([{ a: 1 }, { b: null }])
  for (const text of ['[]', '[1]', '{"a":1}', '7', '[12345678901234567890]', '[[1]]'])
    expect(rowsIn(parseExact(text))).toBeUndefined()
})

test('“Seen by…” claims nothing about answers that are not there', () => {
  const row = (n: number) => ({ id: n })
  const both = compareSeen(info, [[row(1)], [row(1)]])
  expect([
    seenSummary([], ['refused', 'refused']),
    seenSummary(both, ['seen', 'refused']),
    seenSummary([], ['seen', 'asking']),
    seenSummary([], ['seen']),
    seenSummary([], ['seen', 'seen']),
    seenSummary(both, ['seen', 'seen']),
    seenSummary(compareSeen(info, [[row(1)], []]), ['seen', 'seen']),
  ]).toEqual([
    'There are no two answers to compare.',
    'There are no two answers to compare.',
    'Asking…',
    'Choose at least two to compare.',
    'Nobody sees any of these rows.',
    'All of them see the same.',
    '1 row not everybody sees',
  ])
})
