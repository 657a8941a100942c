// CSV in and out: what is written is read back unchanged, and contains no formula where that is unsafe.
import { expect, test } from 'vitest'
import {
  CsvReader,
  guessDelimiter,
  type Cell,
  csvHead,
  csvLines,
} from '../../src/services/workbench/table/csv.ts'
import { exactNumber, parseExact } from '../../src/services/workbench/text/index.ts'

const readAll = (text: string, piece = text.length || 1) => {
  const reader = new CsvReader(',')
  const pieces = Array.from({ length: Math.ceil(text.length / piece) }, (_, at) =>
    text.slice(at * piece, (at + 1) * piece),
  )
  return [...pieces.flatMap(each => reader.push(each)), ...reader.end()]
}

test.each<[string, string, readonly (readonly Cell[])[]]>([
  [
    'plain rows',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'no line ending at the end',
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['old line endings', 'a\rb', [['a'], ['b']]],
  ['null, and an empty text', ',"",x\n', [[null, '', 'x']]],
  [
    'quotes, delimiters and line endings in quotes',
    '"a ""b""","c,d","e\r\nf"\n',
    [['a "b"', 'c,d', 'e\r\nf']],
  ],
  ['empty lines are not rows', 'a\n\n\nb\n', [['a'], ['b']]],
  ['a quote inside of a bare field', 'a"b,c\n', [['a"b', 'c']]],
  ['empty input', '', []],
])('reads %s', (_name, text, rows) => {
  expect(readAll(text).map(({ cells }) => cells)).toEqual(rows)
  // In any chunks.
  expect(readAll(text, 1)).toEqual(readAll(text))
})

test('rows know their lines and their quoting errors', () => {
  expect(readAll('h\n"a\nb"\n"c"d\n\n"e')).toEqual([
    { line: 1, cells: ['h'] },
    { line: 2, cells: ['a\nb'] },
    { line: 4, cells: ['cd'], problem: 'There is text after a closing quotation mark.' },
    { line: 6, cells: ['e'], problem: 'An opening quotation mark has no closing one.' },
  ])
})

test.each([
  ['a;b;c\n1,5;2;3\n', ';'],
  ['a\tb\n1\t2\n', '\t'],
  ['a,b\n"x;y;z",2\n', ','],
  ['a|b\n1|2', '|'],
  ['just one\ncolumn\n', ','],
])('guesses the delimiter of %j', (text, delimiter) => expect(guessDelimiter(text)).toBe(delimiter))

/** Names in many scripts, quotes, formulas, markup, numbers beyond JavaScript's, and null. */
const HARD = [
  'Ναυτίλος',
  '船長 ⛵️👩‍✈️',
  'قارب صغير',
  '\u202Eright to left',
  '=1+1',
  '+2',
  '-3',
  '@SUM(A1)',
  '\t=x',
  '<script>alert(1)</script>',
  '"quoted"',
  "O'Hara",
  'a,b;c|d',
  'two\r\nlines',
  ' spaced ',
  '',
  null,
  'null',
  'NULL',
  '\\N',
  'NaN',
  '2026-03-14T04:00:00+05:45',
]

test('an exact export is read back unchanged', () => {
  const rows = HARD.map((value, n) => ({ n, value }))
  const text = csvHead(['n', 'value'], 'exact') + csvLines(['n', 'value'], rows, 'exact')
  expect(
    readAll(text)
      .slice(1)
      .map(({ cells }) => cells[1]),
  ).toEqual(HARD)
})

test('for spreadsheets no text is a formula, and numbers stay numbers', () => {
  const values = ['=1+1', '+2', '-3', '@x', '\t=x', '\uFF1D1', 'a=1', -3, null, '']
  const lines = csvLines(
    ['v'],
    values.map(v => ({ v })),
    'spreadsheet',
  ).split('\r\n')
  expect(lines).toEqual(["'=1+1", "'+2", "'-3", "'@x", `"'\t=x"`, "'\uFF1D1", 'a=1', '-3', '', '""', ''])
  expect(csvHead(['=cmd'], 'spreadsheet')).toBe("\uFEFF'=cmd\r\n")
})

test('numbers keep their digits', () => {
  const text = '[{"n":9007199254740993,"d":1.10,"e":1e400,"i":7,"deep":{"x":[12345678901234567890]}}]'
  expect(JSON.stringify(parseExact(text))).toBe(text)
  expect(csvLines(['n', 'd', 'i'], parseExact(text) as never, 'exact')).toBe('9007199254740993,1.10,7\r\n')
  expect(exactNumber('42')).toBe(42)
})
