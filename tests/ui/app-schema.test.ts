// Tables and columns from an OpenAPI document or from rows, and rows being written.
import { describe, expect, test } from 'vitest'
import { draftOf, readDraft, toLocalTime } from '../../src/ui/app/data/draft.ts'
import { fieldType, guessTable, parseTables, rowKey, type Column } from '../../src/ui/app/data/schema.ts'

const document = {
  swagger: '2.0',
  definitions: {
    vessels: {
      required: ['id', 'name'],
      properties: {
        id: { format: 'bigint', type: 'integer', description: 'Note:\nThis is a Primary Key.<pk/>' },
        name: { format: 'text', type: 'string', description: 'As painted on the stern.' },
        rig: { format: 'public.rig', type: 'string', enum: ['sloop', 'ketch'], default: 'sloop' },
      },
    },
    berths: { properties: { code: { format: 'uuid', type: 'string', description: 'Note:\n<pk/>' } } },
  },
}

describe('parseTables', () => {
  test('tables come as one counts: the tenth after the second', () => {
    const definitions = { t10: {}, t2: {}, a: {} }
    expect(parseTables({ definitions })?.map(({ name }) => name)).toEqual(['a', 't2', 't10'])
  })

  test('reads tables by name with their columns', () => {
    expect(parseTables(document)).toEqual([
      {
        name: 'berths',
        known: true,
        columns: [
          { name: 'code', type: 'uuid', format: 'uuid', required: false, hasDefault: false, isKey: true },
        ],
      },
      {
        name: 'vessels',
        known: true,
        columns: [
          { name: 'id', type: 'integer', format: 'bigint', required: true, hasDefault: true, isKey: true },
          {
            name: 'name',
            type: 'text',
            format: 'text',
            required: true,
            hasDefault: false,
            isKey: false,
            note: 'As painted on the stern.',
          },
          {
            name: 'rig',
            type: 'enum',
            format: 'public.rig',
            required: false,
            hasDefault: true,
            isKey: false,
            options: ['sloop', 'ketch'],
          },
        ],
      },
    ])
  })

  test.each([[null], ['<html>'], [{ message: 'no' }], [{ swagger: '2.0', definitions: {} }]])(
    'tells nothing from %j',
    answer => {
      expect(parseTables(answer)).toBe(undefined)
    },
  )
})

test.each([
  ['bigint', 'integer'],
  ['smallint', 'integer'],
  ['int4', 'integer'],
  ['numeric', 'number'],
  ['double precision', 'number'],
  ['boolean', 'boolean'],
  ['timestamp with time zone', 'timestamp'],
  ['date', 'date'],
  ['jsonb', 'json'],
  ['text[]', 'json'],
  ['uuid', 'uuid'],
  ['interval', 'text'],
  ['character varying', 'text'],
])('%s is edited as %s', (format, type) => {
  expect(fieldType(format)).toBe(type)
})

test('columns are guessed from the first value of each', () => {
  const table = guessTable('notes', [
    { id: 1, at: null, done: false },
    { id: 2, at: '2026-03-01T10:00:00Z', done: true, more: { a: 1 } },
  ])
  expect(table.columns.map(({ name, type, isKey }) => [name, type, isKey])).toEqual([
    ['id', 'integer', true],
    ['at', 'timestamp', false],
    ['done', 'boolean', false],
    ['more', 'json', false],
  ])
  expect([rowKey(table, { id: 2 }), rowKey(guessTable('t', [{ a: 1 }]), { a: 1 })]).toEqual(['2', undefined])
})

const column = (name: string, type: Column['type'], part: Partial<Column> = {}): Column => ({
  name,
  type,
  format: type,
  required: false,
  hasDefault: false,
  isKey: false,
  ...part,
})
const columns = [
  column('id', 'integer', { required: true, hasDefault: true, isKey: true }),
  column('name', 'text', { required: true }),
  column('length', 'number'),
  column('afloat', 'boolean'),
  column('extra', 'json'),
  column('owner', 'uuid'),
  column('sailed', 'timestamp'),
]

describe('readDraft', () => {
  test('a new row sends what was filled in, in the types of its columns', () => {
    const draft = {
      name: ' Fulmar ',
      length: '9.5',
      afloat: 'false',
      extra: '{"a":1}',
      sailed: '2026-03-01T10:00:05Z',
    }
    expect(readDraft(columns, draft)).toEqual({
      ok: true,
      values: {
        name: ' Fulmar ',
        length: 9.5,
        afloat: false,
        extra: { a: 1 },
        sailed: '2026-03-01T10:00:05.000Z',
      },
    })
  })

  test('whole numbers beyond JavaScript stay text, so that no digit is lost', () => {
    expect(readDraft([column('n', 'integer')], { n: '9007199254740993' })).toEqual({
      ok: true,
      values: { n: '9007199254740993' },
    })
  })

  test('every wrong field is told at once', () => {
    const draft = { id: '1.5', name: '', length: 'long', extra: '{', owner: 'me', sailed: 'soon' }
    expect(readDraft(columns, draft)).toEqual({
      ok: false,
      errors: {
        id: 'This must be a whole number.',
        name: 'This must have a value.',
        length: 'This must be a number.',
        extra: 'This is not valid JSON.',
        owner: 'This must be a UUID.',
        sailed: 'This is not a time.',
      },
    })
  })

  test('an edit sends what changed alone; an emptied field means null where that is allowed', () => {
    const original = {
      id: 7,
      name: 'Fulmar',
      length: 9.5,
      afloat: true,
      extra: { a: 1 },
      sailed: '2026-03-01T10:00:05.123Z',
    }
    const draft = draftOf(columns, original)
    expect(readDraft(columns, draft, original)).toEqual({ ok: true, values: {} })
    expect(readDraft(columns, { ...draft, name: 'Petrel', length: '' }, original)).toEqual({
      ok: true,
      values: { name: 'Petrel', length: null },
    })
    expect(readDraft(columns, { ...draft, name: '' }, original)).toEqual({
      ok: false,
      errors: { name: 'This must have a value.' },
    })
  })
})

test('a time goes to its field and back without moving', () => {
  const iso = '2026-03-01T10:00:05.000Z'
  expect(new Date(toLocalTime(iso)).toISOString()).toBe(iso)
  expect(toLocalTime('2026-03-01 10:00:05+00')).toBe(toLocalTime(iso))
  expect(toLocalTime('nonsense')).toBe('')
})
