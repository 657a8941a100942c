// Files to rows: the column mapping, the value of each field, and its errors.
import { describe, expect, test, vi } from 'vitest'
import {
  failedRowsFile,
  formatPhase,
  undoBlockOf,
  undoLimit,
  importReducer,
  IMPORT_START,
  type ImportState,
  readImportedCell,
  ALL_RIGHTS,
  type Column,
  type TableInfo,
} from '../../../../src/services/workbench/table/index.ts'
import {
  pastedFile,
  readFile,
  sourceOf,
  readJsonRows,
} from '../../../../src/services/workbench/table/import/read-file.ts'
import {
  guessMapping,
  missingColumns,
  readRows,
} from '../../../../src/services/workbench/table/import/read-rows.ts'
import { column } from '../../../harness/column.ts'

const COLUMNS = [
  column('id', 'bigint', { isKey: true, required: true, hasDefault: true }),
  column('name', 'text', { required: true }),
  column('length_m', 'numeric'),
]
const INFO: TableInfo = { name: 'vessels', columns: COLUMNS, rights: ALL_RIGHTS, isKnown: true }

const options = { signal: new AbortController().signal, onProgress: () => undefined }

test('a long file lets the page render in between, reports its progress, and can be aborted there', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
  const file = pastedFile(`a,b\n${'1,2\n'.repeat(100_000)}`)
  const shares: number[] = []
  const { signal } = new AbortController()
  const rows = await readFile(file, { signal, onProgress: share => shares.push(share) })
  expect(rows).toMatchObject({ kind: 'csv', isDamaged: false })
  expect(shares.length).toBeGreaterThan(3)
  expect([shares, shares.at(-1)]).toEqual([shares.toSorted((a, b) => a - b), 1])
  const aborting = new AbortController()
  const aborted = readFile(file, { signal: aborting.signal, onProgress: () => aborting.abort() })
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
})

describe('readCell', () => {
  const text = (format: string, cell: unknown, kind: 'csv' | 'json' = 'csv') => {
    const reading = readImportedCell(column('c', format), cell, 'null', kind)
    return 'error' in reading ? reading.error : 'value' in reading ? JSON.stringify(reading.value) : 'absent'
  }
  test.each<[string, unknown, string]>([
    ['bigint', '9007199254740993', '9007199254740993'],
    ['bigint', '9223372036854775808', 'This is too large for bigint.'],
    ['integer', ' 42 ', '42'],
    ['integer', '-2147483649', 'This is too large for integer.'],
    ['smallint', '1.5', 'This must be a whole number.'],
    ['numeric', '1.10', '1.10'],
    ['numeric', '+.5', '0.5'],
    ['numeric', 'NaN', '"NaN"'],
    ['double precision', '-Infinity', '"-Infinity"'],
    ['numeric', '1,5', 'This must be a number, with a decimal point and no other separators.'],
    ['boolean', 'Yes', 'true'],
    ['boolean', 'maybe', 'This must be true or false.'],
    ['jsonb', '{"n":12345678901234567890}', '{"n":12345678901234567890}'],
    ['jsonb', '{', 'This is not valid JSON.'],
    ['text[]', '["a","b"]', '["a","b"]'],
    ['text[]', '{a,b}', '"{a,b}"'],
    ['integer[]', '1', 'This must be a list: ["a", "b"] or {a,b}.'],
    ['uuid', 'x', 'This must be a UUID.'],
    ['timestamp with time zone', '2026-03-14T04:00:00.123456+05:45', '"2026-03-14T04:00:00.123456+05:45"'],
    ['timestamp with time zone', 'infinity', '"infinity"'],
    ['time with time zone', '04:00+05', '"04:00+05"'],
    ['character varying(3)', '⛵️ab', 'This has more than 3 characters.'],
    ['text', ' as it is ', '" as it is "'],
    ['text', 'a\u0000', 'This contains a null character, which the database cannot store.'],
    ['text', '', '""'],
    ['integer', '', 'null'],
    ['text', null, 'null'],
    ['text', undefined, 'absent'],
  ])('%s of %j', (format, cell, expected) => expect(text(format, cell)).toBe(expected))

  test.each<[string, unknown, string]>([
    ['text', { a: 1 }, '"{\\"a\\":1}"'],
    ['jsonb', [1, null], '[1,null]'],
    ['jsonb', 'a text', '"a text"'],
    ['integer', 1.5, 'This must be a whole number.'],
    ['boolean', true, 'true'],
    ['uuid', 7, 'This must be a UUID.'],
  ])('%s of %j in JSON', (format, cell, expected) => expect(text(format, cell, 'json')).toBe(expected))

  test('an ambiguous date is not guessed', () => {
    expect(text('date', '03/04/2026')).toMatch(/^This time may be misread/)
  })

  test('an empty field follows the chosen option, as far as the column allows', () => {
    const [id, name, length] = COLUMNS as [Column, Column, Column]
    expect(readImportedCell(id, null, 'null')).toEqual({ absent: true })
    expect(readImportedCell(name, null, 'null')).toEqual({ error: 'This must have a value.' })
    expect(readImportedCell(name, null, 'default')).toEqual({ error: 'This must have a value.' })
    expect(readImportedCell(name, null, 'text')).toEqual({ value: '' })
    expect(readImportedCell(length, null, 'text')).toEqual({ value: null })
    expect(readImportedCell(length, null, 'default')).toEqual({ absent: true })
  })
})

test('names match their columns in the usual spellings, each once', () => {
  expect(guessMapping(['Name', 'Length M', 'name', 'else'], COLUMNS)).toEqual([
    null,
    'length_m',
    'name',
    null,
  ])
  expect(missingColumns(COLUMNS, [null, 'length_m']).map(({ name }) => name)).toEqual(['name'])
})

test('rows are read by their mapping; invalid ones are separated, with all their errors', async () => {
  const rows = await readFile(pastedFile('name,length,x\nGull,12.50,\n,tall,\n"a"b,1,\nTern,3,,4\n'), options)
  const source = sourceOf(rows, true)
  const read = readRows(source.rows, {
    kind: 'csv',
    columns: COLUMNS,
    mapping: ['name', 'length_m', null],
    empty: 'null',
  })
  expect(read.ready.map(({ values }) => JSON.stringify(values))).toEqual(['{"name":"Gull","length_m":12.50}'])
  expect(read.problems).toEqual([
    { line: 3, column: 'name', message: 'This must have a value.', value: '' },
    {
      line: 3,
      column: 'length_m',
      message: 'This must be a number, with a decimal point and no other separators.',
      value: 'tall',
    },
    { line: 4, message: 'There is text after a closing quotation mark.' },
    { line: 5, message: 'This row has 4 fields, the first one 3.' },
  ])
  const file = failedRowsFile(
    source,
    read.bad.map(row => ({ source: row, message: 'why' })),
  )
  expect(await file.text()).toBe('name,length,x,import_error\r\n,tall,,why\r\nab,1,,why\r\nTern,3,,why\r\n')
})

test('JSON is accepted as a list, in an object, or line by line', () => {
  const list = readJsonRows('[{"a":1},{"b":null,"a":2},3]')
  expect(list.names).toEqual(['a', 'b'])
  expect(list.rows).toEqual([
    { line: 1, cells: [1, undefined] },
    { line: 2, cells: [2, null] },
    { line: 3, cells: [], problem: 'This is not an object with columns and values.' },
  ])
  expect(readJsonRows('{"count":1,"data":[{"a":1}]}').rows).toEqual([{ line: 1, cells: [1] }])
  expect(readJsonRows('{"a":1}').rows).toEqual([{ line: 1, cells: [1] }])
  const lines = readJsonRows('{"a":1}\n{"a":\n{"a":3}\n')
  expect(lines.rows.map(({ line, problem }) => [line, problem === undefined])).toEqual([
    [1, true],
    [2, false],
    [3, true],
  ])
  expect(() => readJsonRows('[{"a":1},')).toThrow(/^This is not valid JSON/)
})

test('files in UTF-16 are read, and binary files are detected', async () => {
  const utf16 = new Blob([new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x39, 0x82, 0x0a, 0])])
  const file = (blob: Blob) => ({ name: 'f.csv', bytes: blob.size, stream: () => blob.stream() })
  expect(await readFile(file(utf16), options)).toMatchObject({
    rows: [{ cells: ['a'] }, { cells: ['船'] }],
    isDamaged: false,
  })
  const latin = new Blob([new Uint8Array([0x61, 0x0a, 0xe9, 0x0a])])
  expect(await readFile(file(latin), options)).toMatchObject({ isDamaged: true })
})

test('the dialog goes from the file to its columns, and a column takes only one field', () => {
  const rows = {
    kind: 'csv',
    delimiter: ',',
    isDamaged: false,
    rows: [
      { line: 1, cells: ['name', 'n'] },
      { line: 2, cells: ['Gull', '1'] },
    ],
  } as const
  const file = pastedFile('')
  const reading = importReducer(IMPORT_START, { type: 'file.chosen', file })
  const map = importReducer(reading, { type: 'file.read', rows, info: INFO }) as Extract<
    ImportState,
    { step: 'map' }
  >
  expect([map.step, map.mapping, map.choices.hasHead]).toEqual(['map', ['name', null], true])
  const moved = importReducer(map, { type: 'column.mapped', at: 1, to: 'name' })
  expect(moved).toMatchObject({ mapping: [null, 'name'] })
  const bare = importReducer(map, { type: 'choice.made', choices: { hasHead: false }, info: INFO })
  expect(bare).toMatchObject({ mapping: [null, null], source: { names: ['column 1', 'column 2'] } })
  const unknown = importReducer(reading, {
    type: 'file.read',
    rows,
    info: { ...INFO, columns: [], isKnown: false },
  })
  expect(unknown).toMatchObject({ mapping: ['name', 'n'] })
})

test('the title of an import counts rows that were not sent', () => {
  const done = {
    phase: 'done',
    request: 'continue',
    failure: undefined,
    sameFailures: 0,
    total: 4,
    written: 4,
  } as const
  expect(formatPhase(done, 0)).toBe('All 4 rows imported')
  expect(formatPhase(done, 1)).toBe('4 of 5 rows imported')
  expect(formatPhase({ ...done, written: 3 }, 1)).toBe('Done')
})

test('the dialog says which rows undo leaves in the table, and why', () => {
  const limit = (block: string | undefined, written: number, unreturned: number, doubt = 0) =>
    undoLimit(block, { written, unreturned, unknown: doubt === 0 ? [] : [[0, doubt]] })
  expect(undoBlockOf(INFO, 'skip')).toBe(undefined)
  expect(undoBlockOf(INFO, 'update')).toBe('It may have updated rows that existed before.')
  const keyless = { ...INFO, columns: [column('name', 'text')] }
  expect(undoBlockOf(keyless, 'refuse')).toBe('The primary key of the table is unknown.')
  const readOnly = { ...INFO, rights: { ...ALL_RIGHTS, delete: false } }
  expect(undoBlockOf(readOnly, 'refuse')).toBe('You may not delete rows of this table.')
  expect([limit(undefined, 3, 0), limit('Blocked.', 0, 0)]).toEqual([undefined, undefined])
  expect(limit('Blocked.', 3, 3)).toBe('This import can’t be undone. Blocked.')
  expect(limit(undefined, 3, 3)).toBe(
    'This import can’t be undone. You may add rows to this table, but not read them.',
  )
  expect(limit(undefined, 3, 1, 2)).toBe(
    'Undo leaves 1 row in the table. You may add rows to this table, but not read them. ' +
      'Undo leaves the 2 rows with an unknown result.',
  )
})
