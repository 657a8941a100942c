// Writes rows as CSV: exactly, or so that a spreadsheet takes nothing in them for a formula.
import { valueText, type Row } from '../../data/schema.ts'

export type CsvKind = 'exact' | 'spreadsheet'

/** What spreadsheets take for the beginning of a formula, and the characters that some of them skip before it. */
const FORMULA = /^[\t\r\n ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/

/** The bytes by which spreadsheets know UTF-8. */
const MARK = '\uFEFF'

/** An empty field is null; a text of nothing is a pair of quotes. */
function cellText(value: unknown, kind: CsvKind): string {
  if (value === null || value === undefined) return ''
  const text = valueText(value)
  // Numbers are numbers there too; only texts can be formulas.
  const inert = kind === 'spreadsheet' && typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  const isBare = inert !== '' && !/[",;\t\r\n|]|^\s|\s$/.test(inert)
  return isBare ? inert : `"${inert.replaceAll('"', '""')}"`
}

/** The line of names. */
export const csvHead = (columns: readonly string[], kind: CsvKind): string =>
  `${kind === 'spreadsheet' ? MARK : ''}${columns.map(name => cellText(name, kind)).join(',')}\r\n`

/** The lines of some rows. */
export const csvLines = (columns: readonly string[], rows: readonly Row[], kind: CsvKind): string =>
  rows.map(row => `${columns.map(name => cellText(row[name], kind)).join(',')}\r\n`).join('')
