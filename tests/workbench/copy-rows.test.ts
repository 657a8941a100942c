// Rows as SQL, JSON, Markdown and CSV, and totals of numbers.
import { describe, expect, test } from 'vitest'
import {
  AS_GIVEN,
  changeLayout,
  type Column,
  layColumns,
  type ROW_FORMATS,
  rowsText,
  totalsOf,
  widthFor,
} from '../../src/services/workbench/table/index.ts'

const column = (name: string, type: Column['type'], more: Partial<Column> = {}): Column => ({
  name,
  type,
  format: type,
  required: false,
  hasDefault: false,
  isKey: false,
  ...more,
})

const columns = [
  column('id', 'integer', { isKey: true, required: true }),
  column('na"me', 'text'),
  column('length', 'number'),
  column('lit', 'boolean'),
  column('extra', 'json'),
  column('tags', 'array', { format: 'text[]' }),
  column('seen', 'timestamp', { format: 'timestamp with time zone' }),
]
const rows = [
  {
    id: 1,
    'na"me': "O'Brien | \\ second\nline",
    length: '12345678901234567890.10',
    lit: true,
    extra: '{"a": 12345678901234567890}',
    tags: '{a,"b c"}',
    seen: '2026-03-01T04:00:00+00:00',
  },
  { id: 2, 'na"me': null, length: 'NaN', lit: false, extra: null, tags: null, seen: null },
]
const copied = { schema: 'public', table: 'lights', columns, rows }
const text = (format: (typeof ROW_FORMATS)[number]['id']) => rowsText(format, copied)

describe('rows as text', () => {
  test('INSERT quotes names and values, and has no value where the database makes it', () => {
    expect(text('insert')).toBe(
      `insert into "public"."lights" ("id", "na""me", "length", "lit", "extra", "tags", "seen") values
  (1, E'O''Brien | \\\\ second
line', 12345678901234567890.10, true, '{"a": 12345678901234567890}', '{a,"b c"}', '2026-03-01T04:00:00+00:00'),
  (2, null, 'NaN', false, null, null, null);
`,
    )
    const made = [
      column('id', 'integer', { generation: 'identity' }),
      column('sum', 'number', { generation: 'generated' }),
    ]
    expect(rowsText('insert', { ...copied, columns: made, rows: [{ id: 7, sum: 3 }] })).toBe(
      `insert into "public"."lights" ("id") overriding system value values\n  (7);\n`,
    )
  })

  test('JSON keeps types, digits and null', () => {
    expect(text('json')).toContain('"length": 12345678901234567890.10')
    expect(text('json')).toContain('"a": 12345678901234567890')
    expect(JSON.parse(text('json'))).toMatchObject([
      { id: 1, lit: true, tags: '{a,"b c"}', seen: '2026-03-01T04:00:00+00:00' },
      { id: 2, 'na"me': null, length: 'NaN', lit: false, extra: null },
    ])
  })

  test('Markdown has one line per row', () => {
    const lines = rowsText('markdown', { ...copied, columns: columns.slice(0, 3) }).split('\n')
    expect(lines).toEqual([
      '| id | na"me | length |',
      '| ---: | --- | ---: |',
      "| 1 | O'Brien \\| \\\\ second<br>line | 12345678901234567890.10 |",
      '| 2 | NULL | NaN |',
      '',
    ])
  })

  test('CSV has a line with names', () => {
    expect(rowsText('csv', { ...copied, columns: columns.slice(0, 2) })).toMatch(
      /^id,"na""me"\r?\n1,"O'Brien/,
    )
  })
})

describe('totals', () => {
  test('are exact', () => {
    expect(totalsOf(['0.1', '0.2', '12345678901234567890'])).toEqual({
      count: 3,
      sum: '12345678901234567890.3',
      average: '4115226300411522630.1',
      min: '0.1',
      max: '12345678901234567890',
    })
    expect(totalsOf(['1', '2', '2'])).toMatchObject({ sum: '5', average: '1.6667' })
    expect(totalsOf(['-1', '-2', '-2.00'])).toMatchObject({
      sum: '-5',
      average: '-1.666667',
      min: '-2',
      max: '-1',
    })
    expect(totalsOf(['-0.05', '0.05'])).toMatchObject({ sum: '0', min: '-0.05', max: '0.05' })
  })

  test('ignore what is no number', () => {
    expect(totalsOf([null, 'NaN', '3'])).toMatchObject({ count: 1, sum: '3' })
    expect(totalsOf([null, 'Infinity', '1e300'])).toBeUndefined()
  })
})

describe('layout', () => {
  const pinned = (layout = AS_GIVEN) =>
    layColumns(columns, layout)
      .filter(({ isPinned }) => isPinned)
      .map(each => each.column.name)

  test('the key is pinned until the user decides otherwise', () => {
    expect(pinned()).toEqual(['id'])
    const unpinned = changeLayout(AS_GIVEN, { type: 'column.unpinned', name: 'id' }, columns)
    expect(pinned(unpinned)).toEqual([])
    const both = changeLayout(AS_GIVEN, { type: 'column.pinned', name: 'lit' }, columns)
    expect(pinned(both)).toEqual(['id', 'lit'])
    const wide = columns.map(each => ({ ...each, isKey: each.type !== 'boolean' }))
    expect(layColumns(wide, AS_GIVEN).some(({ isPinned }) => isPinned)).toBe(false)
  })

  test('a fitted column has room for its longest value and its name', () => {
    const [id = columns[0]] = columns
    expect(id && widthFor(id, ['1'])).toBe(75)
    expect(id && widthFor(id, ['1', 'x'.repeat(40)])).toBe(328)
  })
})
