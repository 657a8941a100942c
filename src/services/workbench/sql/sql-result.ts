// A result as a table: for the grid, and as text for other programs.
import { type LaidColumn, widthFor } from '../table/columns.ts'
import { type RowFormat, rowsText } from '../table/copy-rows.ts'
import type { LoadedRow, LoadedRows, View } from '../table/pages.ts'
import { type Column, type FieldType, fieldType, type Row, type TableInfo } from '../table/schema.ts'
import type { SqlColumn, SqlStatement } from './sql-api.ts'

/** A statement with rows. */
export type SqlRows = SqlStatement & { readonly columns: readonly SqlColumn[] }

export const hasRows = (statement: SqlStatement): statement is SqlRows => statement.columns !== undefined

export interface ResultTable {
  readonly info: TableInfo
  readonly laidColumns: readonly LaidColumn[]
}

/** Names of columns for the grid, each once: a result may have several columns of one name. */
function uniqueNames(columns: readonly SqlColumn[]): readonly string[] {
  const counts = new Map<string, number>()
  return columns.map(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

export const resultColumns = (
  columns: readonly SqlColumn[],
  typeOf: (format: string) => FieldType,
): readonly Column[] => {
  const names = uniqueNames(columns)
  return columns.map(({ name, type }, at) => ({
    name: names[at] ?? name,
    type: typeOf(type),
    format: type,
    required: false,
    hasDefault: false,
    isKey: false,
  }))
}

/** All other values are shown as PostgreSQL writes them: a date in its zone, and all of a UUID. */
const shownType = (format: string): FieldType => {
  const type = fieldType(format)
  return type === 'integer' || type === 'number' ? type : 'text'
}

export const rowsOf = (
  { rows }: SqlRows,
  columns: readonly Column[],
  read: (cell: string | null, column: Column) => string | null = cell => cell,
): readonly Row[] =>
  rows.map(values =>
    Object.fromEntries(columns.map((column, at) => [column.name, read(values[at] ?? null, column)])),
  )

/** Initial width of a column, in pixels. */
const WIDEST = 420
/** Rows whose values decide the widths. */
const MEASURED_ROWS = 60

export function resultTable(statement: SqlRows, name: string): ResultTable {
  const columns = resultColumns(statement.columns, shownType)
  const info: TableInfo = {
    name,
    columns,
    rights: { insert: false, update: false, delete: false },
    isKnown: true,
  }
  const measured = statement.rows.slice(0, MEASURED_ROWS)
  return {
    info,
    laidColumns: columns.map((column, at) => ({
      column,
      width: Math.min(
        WIDEST,
        widthFor(
          column,
          measured.map(values => values[at] ?? 'null'),
        ),
      ),
      isPinned: false,
      spare: 0,
    })),
  }
}

export const resultView = ({ info }: ResultTable, rows: readonly Row[]): View => ({
  count: rows.length,
  columns: info.columns.map(column => column.name),
  rows: numberedRows(rows),
})

/** Rows under their numbers: a result may have equal rows, and an edit changes what a row contains. */
function numberedRows(rows: readonly Row[]): LoadedRows {
  const at = (index: number): LoadedRow | undefined => {
    const row = rows[index]
    return row && { index, key: String(index), row }
  }
  return {
    at,
    withKey: key => at(Number(key)),
    between: (top, bottom) =>
      rows.slice(Math.max(0, top), bottom + 1).flatMap((_, n) => at(Math.max(0, top) + n) ?? []),
  }
}

/** PostgreSQL writes `t` and `f`. */
const readBoolean = (cell: string | null, { type }: Column): string | null =>
  type === 'boolean' && cell !== null ? String(cell === 't') : cell

/** Why no column of the result can be edited; undefined if one can, and for plans. */
export function readOnlyReason({ columns }: SqlRows): string | undefined {
  const reasons = columns.map(({ editing }) =>
    editing && 'readOnly' in editing ? editing.readOnly : undefined,
  )
  if (reasons.includes(undefined)) return undefined
  const ofTable = reasons.find((_, at) => columns[at]?.origin !== undefined)
  return ofTable ?? reasons[0]
}

/** A result as text; values of CSV and Markdown are as PostgreSQL writes them. */
export function resultText(format: Exclude<RowFormat, 'insert'>, statement: SqlRows): string {
  const columns = resultColumns(statement.columns, fieldType)
  const rows = rowsOf(statement, columns, format === 'json' ? readBoolean : undefined)
  return rowsText(format, { schema: '', table: '', columns, rows })
}

/** The table that all columns are from; undefined if there is none. */
export function tableOfResult({
  columns,
}: SqlRows): { readonly schema: string; readonly table: string } | undefined {
  const [first] = columns
  if (first?.origin === undefined) return undefined
  const { schema, table } = first.origin
  const isSame = columns.every(({ origin }) => origin?.schema === schema && origin.table === table)
  return isSame ? { schema, table } : undefined
}
