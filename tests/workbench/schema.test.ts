// Tables and columns from an OpenAPI document or from rows, and row drafts.
import { describe, expect, test } from 'vitest'
import { draftOf, readDraft } from '../../src/services/workbench/table/index.ts'
import {
  ALL_RIGHTS,
  fieldType,
  guessTable,
  parseTables,
  readOnlyReason,
  rowKey,
  type Column,
} from '../../src/services/workbench/table/schema.ts'

const document = {
  swagger: '2.0',
  definitions: {
    vessels: {
      description: 'All vessels in port.',
      required: ['id', 'name'],
      properties: {
        id: { format: 'bigint', type: 'integer', description: 'Note:\nThis is a Primary Key.<pk/>' },
        name: { format: 'text', type: 'string', description: 'As painted on the stern.' },
        rig: { format: 'public.rig', type: 'string', enum: ['sloop', 'ketch'], default: 'sloop' },
      },
    },
    berths: {
      properties: {
        code: { format: 'uuid', type: 'string', description: 'Note:\n<pk/>' },
        vessel: {
          format: 'bigint',
          type: 'integer',
          description: "Note:\nThis is a Foreign Key to `vessels.id`.<fk table='vessels' column='id'/>",
        },
      },
    },
  },
  paths: { '/vessels': { get: {}, post: {} } },
}

describe('parseTables', () => {
  test('tables are sorted naturally: the tenth after the second', () => {
    const definitions = { t10: {}, t2: {}, a: {} }
    expect(parseTables({ definitions })?.map(({ name }) => name)).toEqual(['a', 't2', 't10'])
  })

  test('reads tables by name with their columns', () => {
    expect(parseTables(document)).toEqual([
      {
        name: 'berths',
        isKnown: true,
        rights: ALL_RIGHTS,
        columns: [
          {
            name: 'code',
            type: 'uuid',
            format: 'uuid',
            required: false,
            hasDefault: false,
            isDefaultUnknown: true,
            isKey: true,
          },
          {
            name: 'vessel',
            type: 'integer',
            format: 'bigint',
            required: false,
            hasDefault: false,
            isDefaultUnknown: true,
            isKey: false,
            references: { table: 'vessels', column: 'id' },
          },
        ],
      },
      {
        name: 'vessels',
        isKnown: true,
        rights: { insert: true, update: false, delete: false },
        note: 'All vessels in port.',
        columns: [
          {
            name: 'id',
            type: 'integer',
            format: 'bigint',
            required: true,
            hasDefault: false,
            isDefaultUnknown: true,
            isKey: true,
          },
          {
            name: 'name',
            type: 'text',
            format: 'text',
            required: true,
            hasDefault: false,
            isDefaultUnknown: true,
            isKey: false,
            note: 'As painted on the stern.',
          },
          {
            name: 'rig',
            type: 'enum',
            format: 'public.rig',
            required: false,
            hasDefault: true,
            defaultValue: 'sloop',
            isKey: false,
            options: ['sloop', 'ketch'],
          },
        ],
      },
    ])
  })

  test.each([[null], ['<html>'], [{ message: 'no' }], [{ swagger: '2.0', definitions: {} }]])(
    'reads nothing from %j',
    answer => {
      expect(parseTables(answer)).toBe(undefined)
    },
  )
})

test('formats of newer versions of PostgREST are the types that they name', () => {
  const properties = { a: { format: 'int64', type: 'integer' }, b: { format: 'int32', type: 'integer' } }
  expect(parseTables({ definitions: { t: { properties } } })?.[0]?.columns).toMatchObject([
    { format: 'bigint', type: 'integer' },
    { format: 'integer', type: 'integer' },
  ])
})

/** The same columns, as projects with PostgREST before version 14 describe them and with it. */
const BOTH_FORMS: readonly (readonly [string, Partial<Column>, object, object])[] = [
  [
    'an integer',
    { type: 'integer', format: 'integer' },
    { format: 'integer', type: 'integer' },
    { format: 'int32', type: 'integer' },
  ],
  [
    'a bigint',
    { type: 'integer', format: 'bigint' },
    { format: 'bigint', type: 'integer' },
    { format: 'int64', type: 'integer' },
  ],
  [
    'an array',
    { type: 'array', format: 'integer[]' },
    { format: 'integer[]', type: 'array', items: {} },
    { format: 'integer[]', type: 'array', items: { type: 'integer' } },
  ],
  [
    'an array of an enum',
    { type: 'array' },
    { format: 'mood[]', type: 'array', items: {} },
    { format: 'public.mood[]', type: 'array', items: { type: 'string' } },
  ],
  [
    'an enum',
    { type: 'enum', options: ['fine', 'bad'] },
    { format: 'mood', type: 'string', enum: ['fine', 'bad'] },
    { format: 'public.mood', type: 'string', enum: ['fine', 'bad'] },
  ],
  [
    'citext, whose values are read as text',
    { type: 'text', format: 'citext' },
    { format: 'citext', type: 'string' },
    { format: 'extensions.citext', type: 'string' },
  ],
]

test.each(BOTH_FORMS)('both forms of %s', (_name, expected, ...forms) => {
  for (const form of forms)
    expect(parseTables({ definitions: { t: { properties: { a: form } } } })?.[0]?.columns).toMatchObject([
      expected,
    ])
})

test('the backend adds what PostgREST does not describe: rights, and expressions of defaults', () => {
  const properties = { id: { format: 'int64', type: 'integer' }, tags: { format: 'text[]', type: 'array' } }
  const more = {
    rights: { insert: true, update: false, delete: false },
    defaults: { id: "nextval('t_id_seq')", tags: '{}' },
  }
  const [table] =
    parseTables({
      definitions: { t: { properties, required: ['id'], 'x-chartroom': more } },
      paths: { '/t': { get: {}, post: {}, patch: {}, delete: {} } },
    }) ?? []
  expect(table).toMatchObject({
    rights: more.rights,
    columns: [
      { hasDefault: true, defaultValue: more.defaults.id },
      { hasDefault: true, defaultValue: '{}' },
    ],
  })
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
  ['text[]', 'array'],
  ['timestamp(3) without time zone', 'timestamp'],
  ['time with time zone', 'time'],
  ['bytea', 'bytea'],
  ['int4range', 'text'],
  ['uuid', 'uuid'],
  ['interval', 'interval'],
  ['character varying', 'text'],
])('%s is edited as %s', (format, type) => {
  expect(fieldType(format)).toBe(type)
})

test('column types are guessed from the first value of each', () => {
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
  test('a new row sends the given values as typed; the server fills the rest', () => {
    const draft = {
      name: ' Fulmar ',
      length: '9.50',
      afloat: null,
      sailed: '2026-03-01T10:00:05Z',
      extra: undefined,
    }
    expect(readDraft(columns, draft)).toEqual({
      ok: true,
      values: { name: ' Fulmar ', length: '9.50', afloat: null, sailed: '2026-03-01T10:00:05Z' },
    })
  })

  test('every invalid field is reported at once', () => {
    const draft = { id: '1.5', length: 'long', extra: 'x', owner: 'me', sailed: 'soon' }
    expect(readDraft(columns, draft)).toEqual({
      ok: false,
      errors: {
        id: 'This must be a whole number.',
        name: 'This must have a value.',
        length: 'This must be a number, NaN or Infinity.',
        extra: expect.stringMatching(/^This is not valid JSON\./),
        owner: 'This must be a UUID.',
        sailed: 'This must be a date and time, such as 2026-03-01 10:00.',
      },
    })
  })

  test('an edit sends only changes; null and an empty text are different', () => {
    const original = { id: '7', name: 'Fulmar', length: '9.5', afloat: true, extra: '{"a":1}', sailed: null }
    const draft = draftOf(columns, original)
    expect(readDraft(columns, draft, original)).toEqual({ ok: true, values: {} })
    expect(readDraft(columns, { ...draft, name: '', length: null }, original)).toEqual({
      ok: true,
      values: { name: '', length: null },
    })
    expect(readDraft(columns, { ...draft, name: null }, original)).toEqual({
      ok: false,
      errors: { name: 'This must have a value.' },
    })
  })
})

test.each([
  [
    { insert: false, update: false, delete: false },
    true,
    'It is a view, or your role has no right to change it.',
  ],
  [ALL_RIGHTS, false, 'It has no primary key, so single rows cannot be identified.'],
  [{ insert: true, update: false, delete: false }, true, undefined],
])('privileges %j, a key: %s', (rights, isKey, reason) => {
  const table = { name: 't', isKnown: true, rights, columns: [column('id', 'integer', { isKey })] }
  expect(readOnlyReason(table)).toBe(reason)
})
