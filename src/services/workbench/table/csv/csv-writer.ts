// Writes rows as CSV: exact, or with spreadsheet formulas escaped.
import { valueText, type Row } from '../schema.ts'

export type CsvKind = 'exact' | 'spreadsheet'

/** How spreadsheet formulas start, including characters that some spreadsheets skip first. */
const FORMULA = /^[\t\r\n ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/

/** The byte order mark, by which spreadsheets detect UTF-8. */
const MARK = '\uFEFF'

/** An empty field is null; empty text is a pair of quotes. */
function cellText(value: unknown, kind: CsvKind): string {
  if (value === null || value === undefined) return ''
  const text = valueText(value)
  // Numbers stay numbers in spreadsheets; only text can be a formula.
  const inert = kind === 'spreadsheet' && typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  const isBare = inert !== '' && !/[",;\t\r\n|]|^\s|\s$/.test(inert)
  return isBare ? inert : `"${inert.replaceAll('"', '""')}"`
}

/** The header line. */
export const csvHead = (columns: readonly string[], kind: CsvKind): string =>
  `${kind === 'spreadsheet' ? MARK : ''}${columns.map(name => cellText(name, kind)).join(',')}\r\n`

/** The lines of several rows. */
export const csvLines = (columns: readonly string[], rows: readonly Row[], kind: CsvKind): string =>
  rows.map(row => `${columns.map(name => cellText(row[name], kind)).join(',')}\r\n`).join('')
