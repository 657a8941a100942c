// A row being written: a text, null or nothing for each field, and what it means when it is sent.
import { emptyNamed, own } from '../named.ts'
import { cellOf, readCell, type Cell } from './cells/cell-text.ts'
import type { Column, Row } from './schema.ts'

/** What the user gave, by column; a field that is not there is left to the server. */
export type Draft = Readonly<Record<string, Cell | undefined>>

export type DraftResult =
  | { readonly ok: true; readonly values: Record<string, Cell> }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> }

const pad = (value: number) => String(value).padStart(2, '0')

/** An instant as the local time that a date-time field holds. */
export const toLocalTime = (iso: string): string => {
  // Postgres writes `2026-03-14 04:00:00+00`, which not every browser reads.
  const at = new Date(iso.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  if (Number.isNaN(at.getTime())) return ''
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`
}

/** The draft of an existing row, or of a new one. */
export const draftOf = (columns: readonly Column[], row?: Row): Draft =>
  Object.fromEntries(
    columns.map(column => [column.name, row === undefined ? undefined : cellOf(row, column)]),
  )

/** The draft of a new row that is like another one, but for what tells them apart. */
export const draftLike = (columns: readonly Column[], row: Row | undefined): Draft =>
  draftOf(
    columns.filter(({ isKey, hasDefault, made }) => made === undefined && !(isKey && hasDefault)),
    row,
  )

/** What the user gave for a column; nothing for one that takes nothing. */
const given = (draft: Draft, { name, made }: Column): Cell | undefined =>
  made === undefined ? own(draft, name) : undefined

const problemOf = (column: Column, cell: Cell | undefined, isNew: boolean): string | undefined => {
  if (cell === undefined)
    return isNew && column.required && !column.hasDefault ? 'This must have a value.' : undefined
  const reading = readCell(column, cell)
  return 'error' in reading ? reading.error : undefined
}

/** The fields of an existing row that were changed, right or wrong. */
export const changesOf = (columns: readonly Column[], draft: Draft, original: Row): Record<string, Cell> => {
  const values = emptyNamed<Cell>()
  for (const column of columns) {
    const cell = given(draft, column)
    if (cell !== undefined && cell !== cellOf(original, column)) values[column.name] = cell
  }
  return values
}

/** What to send: for a new row the given fields, for an existing one those that changed. */
export const readDraft = (columns: readonly Column[], draft: Draft, original?: Row): DraftResult => {
  const values = emptyNamed<Cell>()
  const errors = emptyNamed<string>()
  for (const column of columns) {
    const cell = given(draft, column)
    if (original !== undefined && (cell === undefined || cell === cellOf(original, column))) continue
    const problem = problemOf(column, cell, original === undefined)
    if (problem !== undefined) errors[column.name] = problem
    else if (cell !== undefined) values[column.name] = cell
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, values }
}
