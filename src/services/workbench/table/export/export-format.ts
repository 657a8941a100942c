// Export formats, written in parts: CSV, JSON or NDJSON; numbers keep all their digits.
import type { Column, Row } from '../schema.ts'
import { csvHead, csvLines } from '../csv.ts'
import { parseExact } from '../../text/json-format.ts'

export type ExportFormat = 'spreadsheet' | 'csv' | 'json' | 'lines'

export const FORMATS: readonly {
  readonly id: ExportFormat
  readonly label: string
  readonly about: string
  readonly ending: string
  readonly type: string
}[] = [
  {
    id: 'spreadsheet',
    label: 'CSV for spreadsheets',
    about: 'Escapes formulas with a leading apostrophe.',
    ending: 'csv',
    type: 'text/csv;charset=utf-8',
  },
  {
    id: 'csv',
    label: 'CSV, exact',
    about:
      'All text unchanged, including formulas: for programs. Empty text is a pair of quotes, null an empty field.',
    ending: 'csv',
    type: 'text/csv;charset=utf-8',
  },
  { id: 'json', label: 'JSON', about: 'A list of objects.', ending: 'json', type: 'application/json' },
  {
    id: 'lines',
    label: 'JSON lines',
    about: 'One object per line (NDJSON).',
    ending: 'ndjson',
    type: 'application/x-ndjson',
  },
]

/** @param part how many rows are in the file, if not all, and of how many, if that is known */
export const exportName = (
  table: string,
  format: ExportFormat,
  part?: { readonly rows: number; readonly of?: number | undefined },
): string => {
  const name = table.replace(/[^\p{L}\p{N}_-]+/gu, '-')
  const label = part === undefined ? '' : `-incomplete-${part.rows}${part.of ? `-of-${part.of}` : ''}-rows`
  return `${name}${label}.${FORMATS.find(({ id }) => id === format)?.ending ?? 'txt'}`
}

export interface ExportWriter {
  readonly addRows: (rows: readonly Row[]) => void
  /** The rows so far as a file. */
  readonly file: () => Blob
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The rows in a page's JSON text. @throws SyntaxError */
export const rowsOfPage = (text: string): readonly Row[] => {
  const value = parseExact(text)
  return Array.isArray(value) ? value.filter(isRow) : []
}

/** In CSV, JSON strings keep their quotes: without them the value would differ or be empty. */
const withQuotes = (row: Row, json: readonly string[]): Row => {
  const texts = json.filter(name => typeof row[name] === 'string')
  if (texts.length === 0) return row
  return { ...row, ...Object.fromEntries(texts.map(name => [name, JSON.stringify(row[name])])) }
}

/**
 * @param columns in order; empty: as in the first row
 * @param knownColumns the table's known columns
 */
export function createExportWriter(
  format: ExportFormat,
  columns: readonly string[],
  knownColumns: readonly Pick<Column, 'name' | 'type'>[] = [],
): ExportWriter {
  const json = knownColumns.filter(({ type }) => type === 'json').map(({ name }) => name)
  const parts: Blob[] = []
  let names = columns
  let isFirst = true
  const textOf = (rows: readonly Row[]): string => {
    const before = isFirst ? '' : ',\n'
    if (format === 'lines') return rows.map(row => `${JSON.stringify(row)}\n`).join('')
    if (format === 'json') return before + rows.map(row => JSON.stringify(row)).join(',\n')
    const kind = format === 'spreadsheet' ? 'spreadsheet' : 'exact'
    return (
      (isFirst ? csvHead(names, kind) : '') +
      csvLines(
        names,
        rows.map(row => withQuotes(row, json)),
        kind,
      )
    )
  }
  const addRows = (rows: readonly Row[]) => {
    if (rows.length === 0) return
    if (names.length === 0) names = Object.keys(rows[0] ?? {})
    // The browser can move a blob out of memory, unlike a string.
    parts.push(new Blob([textOf(rows)]))
    isFirst = false
  }
  return {
    addRows,
    file: () => {
      const type = FORMATS.find(({ id }) => id === format)?.type ?? ''
      if (format === 'json') return new Blob(['[\n', ...parts, '\n]\n'], { type })
      const isEmptyCsv = parts.length === 0 && format !== 'lines' && names.length > 0
      const head = isEmptyCsv ? [csvHead(names, format === 'spreadsheet' ? 'spreadsheet' : 'exact')] : []
      return new Blob([...head, ...parts], { type })
    },
  }
}
