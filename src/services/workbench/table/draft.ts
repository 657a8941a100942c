// A row draft: text, null or nothing for each field, and the values to send.
import { emptyRecord, ownValue } from '../storage/safe-record.ts'
import { cellOf, readCell, type Cell } from './cells/cell-text.ts'
import { type Column, fixedReason, mayBeOmitted, type Row } from './schema.ts'

/** User input by column; missing fields are left to the server. */
export type Draft = Readonly<Record<string, Cell | undefined>>

export type DraftResult =
  | { readonly ok: true; readonly values: Record<string, Cell> }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> }

/** The draft of an existing or a new row. */
export const draftOf = (columns: readonly Column[], row?: Row): Draft =>
  Object.fromEntries(
    columns.map(column => [column.name, row === undefined ? undefined : cellOf(row, column)]),
  )

/** The draft of a duplicate: all values except those that identify the row. */
export const draftLike = (columns: readonly Column[], row: Row | undefined): Draft =>
  draftOf(
    columns.filter(
      ({ isKey, hasDefault, isDefaultUnknown, generation }) =>
        generation === undefined && !(isKey && (hasDefault || isDefaultUnknown === true)),
    ),
    row,
  )

/** The user's input for a column; undefined for generated columns. */
const typedValue = (draft: Draft, { name, generation }: Column): Cell | undefined =>
  generation === undefined ? ownValue(draft, name) : undefined

const problemOf = (column: Column, cell: Cell | undefined, isNew: boolean): string | undefined => {
  if (cell === undefined) return isNew && !mayBeOmitted(column) ? 'This must have a value.' : undefined
  const reading = readCell(column, cell)
  return 'error' in reading ? reading.error : undefined
}

/** The changed fields of an existing row, valid or not. */
export const changesOf = (columns: readonly Column[], draft: Draft, original: Row): Record<string, Cell> => {
  const values = emptyRecord<Cell>()
  for (const column of columns) {
    const cell = fixedReason(column) === undefined ? typedValue(draft, column) : undefined
    if (cell !== undefined && cell !== cellOf(original, column)) values[column.name] = cell
  }
  return values
}

/** The values to send: all given fields of a new row, changed fields of an existing one. */
export const readDraft = (columns: readonly Column[], draft: Draft, original?: Row): DraftResult => {
  const values = emptyRecord<Cell>()
  const errors = emptyRecord<string>()
  for (const column of columns) {
    const cell = typedValue(draft, column)
    if (original !== undefined && (cell === undefined || cell === cellOf(original, column))) continue
    const problem = problemOf(column, cell, original === undefined)
    if (problem !== undefined) errors[column.name] = problem
    else if (cell !== undefined) values[column.name] = cell
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, values }
}
