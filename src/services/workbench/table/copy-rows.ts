// Rows as text for other programs: SQL, JSON, Markdown and CSV.
import { csvHead, csvLines } from './csv.ts'
import { type Cell, cellOf, readCell } from './cells/cell-text.ts'
import type { Column, Row } from './schema.ts'
import { sqlName, sqlString } from '../../../trace/index.ts'
import { JSON_NUMBER } from '../text/index.ts'

export const ROW_FORMATS = [
  { id: 'insert', title: 'SQL INSERT' },
  { id: 'json', title: 'JSON' },
  { id: 'markdown', title: 'Markdown table' },
  { id: 'csv', title: 'CSV' },
] as const

export type RowFormat = (typeof ROW_FORMATS)[number]['id']

export interface CopiedRows {
  readonly schema: string
  readonly table: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

/** The text of the rows, with only these columns, in this order. Numbers keep all their digits. */
export function rowsText(format: RowFormat, copied: CopiedRows): string {
  switch (format) {
    case 'insert':
      return insertText(copied)
    case 'json':
      return jsonText(copied)
    case 'markdown':
      return markdownText(copied)
    case 'csv':
      return csvText(copied)
  }
}

/** Without generated columns, which refuse values, and columns of other tables. */
function insertText({ schema, table, columns, rows }: CopiedRows): string {
  const written = columns.filter(
    ({ generation, related }) => generation !== 'generated' && related === undefined,
  )
  const lines = rows.map(
    row => `  (${written.map(column => sqlValue(column, cellOf(row, column))).join(', ')})`,
  )
  // The database refuses values for these columns otherwise.
  const overriding = written.some(({ generation }) => generation === 'identity')
    ? ' overriding system value'
    : ''
  return `insert into ${sqlName(schema)}.${sqlName(table)} (${written.map(({ name }) => sqlName(name)).join(', ')})${overriding} values\n${lines.join(',\n')};\n`
}

function sqlValue({ type }: Column, cell: Cell): string {
  if (cell === null) return 'null'
  // The bare `-0` is an integer, which has no sign.
  const isNumber = (type === 'integer' || type === 'number') && cell !== '-0'
  const isBare = isNumber ? JSON_NUMBER.test(cell) : type === 'boolean'
  return isBare ? cell : sqlString(cell)
}

function jsonText({ columns, rows }: CopiedRows): string {
  const objects = rows.map(row =>
    Object.fromEntries(
      columns.map(column => {
        const cell = cellOf(row, column)
        const reading = readCell({ ...column, required: false }, cell)
        return [column.name, 'value' in reading && column.type !== 'timestamp' ? reading.value : cell]
      }),
    ),
  )
  return `${JSON.stringify(objects, null, 2)}\n`
}

const markdownCell = (cell: Cell) =>
  (cell ?? 'NULL')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/\r\n|\r|\n/g, '<br>')

function markdownText({ columns, rows }: CopiedRows): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const isNumber = ({ type }: Column) => type === 'integer' || type === 'number'
  return [
    line(columns.map(({ name }) => markdownCell(name))),
    line(columns.map(column => (isNumber(column) ? '---:' : '---'))),
    ...rows.map(row => line(columns.map(column => markdownCell(cellOf(row, column))))),
  ].join('')
}

function csvText({ columns, rows }: CopiedRows): string {
  const names = columns.map(({ name }) => name)
  const texts = rows.map(row => Object.fromEntries(columns.map(column => [column.name, cellOf(row, column)])))
  return csvHead(names, 'exact') + csvLines(names, texts, 'exact')
}
