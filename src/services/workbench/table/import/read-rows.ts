// Converts file rows to table rows and collects all problems.
import { emptyRecord } from '../../storage/safe-record.ts'
import { type Column, mayBeOmitted, valueText } from '../schema.ts'
import { readImportedCell } from './read-cell.ts'

/** A row of a file. CSV: text, null for an empty field; JSON: values, undefined for a missing one. */
export interface SourceRow {
  /** Line of a CSV file, or entry number in a JSON file; from 1. */
  readonly line: number
  readonly cells: readonly unknown[]
  /** Why it could not be read. */
  readonly problem?: string
}

export interface Source {
  readonly kind: 'csv' | 'json'
  readonly names: readonly string[]
  readonly rows: readonly SourceRow[]
}

/** What an empty CSV field becomes. */
export type EmptyMeans = 'null' | 'default' | 'text'

/** The table column for each column of the file; null: skipped. */
export type Mapping = readonly (string | null)[]

export interface Problem {
  readonly line: number
  /** Undefined for the whole row. */
  readonly column?: string
  readonly message: string
  /** The original value. */
  readonly value?: string
}

/** A row ready to send. */
export interface ReadyRow {
  readonly source: SourceRow
  readonly values: Readonly<Record<string, unknown>>
}

export interface ReadRows {
  readonly ready: readonly ReadyRow[]
  /** By line; a row may have several. */
  readonly problems: readonly Problem[]
  /** Rows with a problem. */
  readonly bad: readonly SourceRow[]
}

export interface ReadOptions {
  readonly kind: Source['kind']
  readonly columns: readonly Column[]
  readonly mapping: Mapping
  readonly empty: EmptyMeans
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Maps file columns to table columns with similar names; each column once. */
export function guessMapping(names: readonly string[], columns: readonly Column[]): Mapping {
  const usedNames = new Set<string>()
  const find = (fits: (column: Column) => boolean) => {
    const columnName = columns.find(column => !usedNames.has(column.name) && fits(column))?.name
    if (columnName !== undefined) usedNames.add(columnName)
    return columnName
  }
  const exact = names.map(name => find(column => column.name === name))
  return names.map((name, at) => exact[at] ?? find(column => plain(column.name) === plain(name)) ?? null)
}

/** Required columns without a mapped field. */
export const missingColumns = (columns: readonly Column[], mapping: Mapping): readonly Column[] =>
  columns.filter(column => !mayBeOmitted(column) && !mapping.includes(column.name))

const MAX_SHOWN = 60

function readRow(source: SourceRow, targets: readonly (Column | undefined)[], options: ReadOptions) {
  const values = emptyRecord<unknown>()
  const problems: Problem[] = []
  const { line } = source
  if (source.problem !== undefined) problems.push({ line, message: source.problem })
  else if (
    source.cells.length > targets.length &&
    source.cells.slice(targets.length).some(cell => cell !== null)
  )
    problems.push({
      line,
      message: `This row has ${source.cells.length} fields, the first one ${targets.length}.`,
    })
  targets.forEach((column, at) => {
    if (!column || source.problem !== undefined) return
    // A short CSV row ends in empty fields.
    const cell = at < source.cells.length ? source.cells[at] : null
    const reading = readImportedCell(column, cell, options.empty, options.kind)
    if ('error' in reading) {
      const value = cell === undefined || cell === null ? '' : valueText(cell).slice(0, MAX_SHOWN)
      problems.push({ line, column: column.name, message: reading.error, value })
    } else if ('value' in reading) values[column.name] = reading.value
  })
  return { values, problems }
}

/** Reads rows with a mapping, in order; invalid rows are returned separately. */
export function readRows(rows: readonly SourceRow[], options: ReadOptions): ReadRows {
  const targets = options.mapping.map(name => options.columns.find(column => column.name === name))
  const ready: ReadyRow[] = []
  const problems: Problem[] = []
  const bad: SourceRow[] = []
  for (const source of rows) {
    const read = readRow(source, targets, options)
    if (read.problems.length === 0) ready.push({ source, values: read.values })
    else {
      bad.push(source)
      problems.push(...read.problems)
    }
  }
  return { ready, problems, bad }
}

/** Uses the first CSV row as column names, or numbers the columns. */
export function toSource(rows: readonly SourceRow[], hasHead: boolean): Source {
  const [first, ...rest] = rows
  const width = Math.max(0, ...rows.slice(0, 100).map(({ cells }) => cells.length))
  const names = Array.from({ length: hasHead ? (first?.cells.length ?? 0) : width }, (_, at) => {
    const name = hasHead ? first?.cells[at] : undefined
    return typeof name === 'string' && name.trim() !== '' ? name.trim() : `column ${at + 1}`
  })
  return { kind: 'csv', names, rows: hasHead ? rest : rows }
}
