// Clipboard format for cells: tab-separated, compatible with spreadsheets.
import type { Cell } from './cells/cell-text.ts'

/** Null is written as this, and read as null when unquoted. */
const NULL = '\\N'

const NEEDS_QUOTES = /[\t\n\r"]/

const write = (cell: Cell): string => {
  if (cell === null) return NULL
  return NEEDS_QUOTES.test(cell) || cell === NULL ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Writes a block of cells; a single cell is written as plain text, except null. */
export const writeTsv = (block: readonly (readonly Cell[])[]): string => {
  const onlyCell = block.length === 1 && block[0]?.length === 1 ? block[0][0] : undefined
  if (onlyCell !== undefined) return onlyCell ?? ''
  return block.map(row => row.map(write).join('\t')).join('\n')
}

/** Parses a block; quoted values may contain tabs and line breaks. */
export const readTsv = (text: string): readonly (readonly Cell[])[] => {
  const rows: Cell[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/gy
  for (let at = 0; at < text.length; at = cell.lastIndex) {
    cell.lastIndex = at
    const match = cell.exec(text) ?? lineFrom(text, at)
    const [integer, quoted, plain = '', end = ''] = match
    cell.lastIndex = at + integer.length
    const value = quoted?.replaceAll('""', '"')
    rows.at(-1)?.push(value ?? (plain === NULL ? null : plain))
    if (end === '\t' && cell.lastIndex === text.length) rows.at(-1)?.push('')
    // Most spreadsheets end the last line with a line break.
    if (end !== '\t' && cell.lastIndex < text.length) rows.push([])
  }
  return rows.filter(row => row.length > 0)
}

/** An unclosed quote is an ordinary character. */
const lineFrom = (text: string, at: number): readonly (string | undefined)[] & { readonly 0: string } => {
  const [, plain = '', end = ''] = /^([^\t\r\n]*)(\t|\r\n|\n|\r|$)/.exec(text.slice(at)) ?? []
  return [plain + end, undefined, plain, end]
}
