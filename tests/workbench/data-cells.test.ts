// Cell values: converted to text and back unchanged, however hostile, and checked before they are sent.
import { describe, expect, test } from 'vitest'
import {
  isArrayText,
  readArrayText,
  writeArrayText,
} from '../../src/services/workbench/table/cells/array-text.ts'
import { cellOf, readCell, readTsv, writeTsv, type Column } from '../../src/services/workbench/table/index.ts'
import { exactRow, selectOf } from '../../src/services/workbench/table/exact-select.ts'
import { parseExact, indented } from '../../src/services/workbench/text/index.ts'
import { HOSTILE } from './data-hostile.ts'
import { column } from '../harness/column.ts'

const cell = (format: string, part: Partial<Column> = {}) => column('c', format, part)

describe('a value of the hostile set', () => {
  test.each(HOSTILE)('%s: is sent as the database reads it', (_name, format, text) => {
    const reading = readCell(cell(format), text)
    expect(reading).toHaveProperty('value')
    const sent = JSON.stringify('value' in reading ? reading.value : undefined)
    // Text for text columns and for types that PostgreSQL parses itself, JSON for JSON, numbers digit by
    // digit.
    const expected = format.startsWith('json') ? text : JSON.stringify(text)
    expect([expected, text]).toContain(sent)
  })

  test('all of them survive the clipboard', () => {
    const block = HOSTILE.map(([, , text]) => [text, null, ''])
    expect(readTsv(writeTsv(block))).toEqual(block)
  })
})

test('null, empty input and an empty text are distinguished, and two of them are null', () => {
  const text = cell('text')
  expect([cellOf({ c: null }, text), cellOf({}, text), cellOf({ c: '' }, text)]).toEqual([null, null, ''])
  expect(readCell(text, '')).toEqual({ value: '' })
  expect(readCell(text, null)).toEqual({ value: null })
  expect(readCell({ ...text, required: true }, null)).toEqual({ error: 'This must have a value.' })
})

test.each([
  ['integer', '1.5', 'This must be a whole number.'],
  ['smallint', '32768', 'This is too large for smallint: from -32768 to 32767.'],
  [
    'bigint',
    '9223372036854775808',
    'This is too large for bigint: from -9223372036854775808 to 9223372036854775807.',
  ],
  ['numeric', 'long', 'This must be a number, NaN or Infinity.'],
  ['numeric', '0x10', 'This must be a number, NaN or Infinity.'],
  ['boolean', 'maybe', 'This must be true or false.'],
  ['uuid', 'me', 'This must be a UUID.'],
  ['timestamp with time zone', 'soon', 'This must be a date and time, such as 2026-03-01 10:00.'],
  ['date', '12', 'This must be a date, such as 2026-03-01.'],
  ['time without time zone', 'noon', 'This must be a time of day, such as 10:00.'],
  ['bytea', '00ff', String.raw`This must be \x and pairs of hex digits.`],
  ['text[]', 'a,b', 'This must be an array, such as {a,b}.'],
])('%s rejects %s', (format, text, error) => {
  expect(readCell(cell(format), text)).toEqual({ error })
})

test('JSON errors have a position, an enumeration lists its values', () => {
  expect(readCell(cell('jsonb'), '{"a":}')).toEqual({
    error: expect.stringMatching(/^This is not valid JSON\. .*position|token/),
  })
  const rig = cell('rig', { type: 'enum', options: ['sloop', 'ketch'] })
  expect(readCell(rig, 'raft')).toEqual({ error: 'This must be one of sloop, ketch.' })
})

test('a JSON null is rejected, since REST would turn it into a database null', () => {
  const error = 'REST would store this as SQL null: set null instead, or put it into an object or a list.'
  expect(readCell(cell('jsonb'), ' null ')).toEqual({ error })
  expect(readCell(cell('jsonb'), '[null]')).toEqual({ value: [null] })
  expect(readCell(cell('jsonb'), null)).toEqual({ value: null })
})

test('a time without a zone is local; where no zone is stored, it stays unchanged', () => {
  const zoned = readCell(cell('timestamp with time zone'), '2026-03-01 10:00')
  expect(zoned).toEqual({ value: expect.stringMatching(/^2026-03-01 10:00[+-]\d\d(?::\d\d)?$/) })
  expect(readCell(cell('timestamp without time zone'), '2026-03-01 10:00')).toEqual({
    value: '2026-03-01 10:00',
  })
})

test.each([
  ['{}', []],
  ['{a,"b c",NULL,"NULL",""}', ['a', 'b c', null, 'NULL', '']],
  [String.raw`{"a\"b","c\\d","e,f","{g}"}`, ['a"b', String.raw`c\d`, 'e,f', '{g}']],
])('the array %s is split and joined', (text, elements) => {
  expect(readArrayText(text, 'text[]')).toEqual(elements)
  expect(writeArrayText(elements)).toBe(text)
})

test.each([
  ['{{1,2},{3,4}}', true, undefined],
  ['[0:1]={1,2}', true, undefined],
  ['{a', false, undefined],
  ['{a,}', true, undefined],
  ['{"a}', false, undefined],
])('%s is not a list of single elements', (text, isArray, elements) => {
  expect([isArrayText(text), readArrayText(text, 'text[]')]).toEqual([isArray, elements])
})

// `select typname, typdelim from pg_type where typdelim <> ','`: box; of PostGIS also geometry and geography.
test.each([
  ['box[]', '{(3,4),(1,2);(1,1),(0,0)}'],
  ['geography(Point,4326)[]', '{0101:0102}'],
  ['extensions.geometry[]', '{0101:0102}'],
])('an array of %s is edited as a whole, since commas do not divide it', (type, text) => {
  expect([isArrayText(text), readArrayText(text, type)]).toEqual([true, undefined])
})

test('columns whose values JSON would distort are requested as text, under their own aliases', () => {
  const columns = [
    cell('bigint', { name: 'id' }),
    cell('text', { name: 'no te' }),
    cell('jsonb', { name: 'extra' }),
  ]
  expect(selectOf(columns)).toBe('exact_0:id::text,no te,exact_2:extra::text')
  expect(exactRow(columns, { exact_0: '9007199254740993', 'no te': 'x', exact_2: null })).toEqual({
    id: '9007199254740993',
    'no te': 'x',
    extra: null,
  })
  expect(selectOf([])).toBe('*')
})

test('JSON keeps its digits, formatted or not', () => {
  expect(JSON.stringify(parseExact('{"a":9007199254740993,"b":1.10}'))).toBe(
    '{"a":9007199254740993,"b":1.10}',
  )
  expect(indented('{"a":9007199254740993,"b":[],"a":[1,{"x":"}"}]}')).toBe(
    '{\n  "a": 9007199254740993,\n  "b": [],\n  "a": [\n    1,\n    {\n      "x": "}"\n    }\n  ]\n}',
  )
  expect(indented('{')).toBe(undefined)
})

test.each([
  [
    'a\tb\nc\td',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\tb\r\n', [['a', 'b']]],
  ['"a\nb"\t"c""d"', [['a\nb', 'c"d']]],
  ['a\t', [['a', '']]],
  ['\\N\t"\\N"', [[null, '\\N']]],
  ['"never closed\tb', [['"never closed', 'b']]],
])('the clipboard %j', (text, block) => {
  expect(readTsv(text)).toEqual(block)
})
