// Builds selects that keep every digit, order and zone of the values.
import { selectName } from '../table-query.ts'
import type { Column, Row } from '../schema.ts'

/**
 * Whether the column is selected as PostgreSQL text: JSON has no form for its values, or `JSON.parse` would
 * round them.
 */
const isExact = ({ type, format }: Column): boolean =>
  type === 'json' || type === 'array' || type === 'number' || /^(bigint|int8|bigserial)$/.test(format)

/** An alias for the text: under the column's own name, `order` could sort by the text. */
const aliasOf = (index: number) => `exact_${index}`

/** The `select` for the columns; all columns when none is known. */
export const selectOf = (columns: readonly Column[]): string =>
  columns.length === 0
    ? '*'
    : columns
        .map((column, index) =>
          isExact(column) ? `${aliasOf(index)}:${selectName(column.name)}::text` : selectName(column.name),
        )
        .join(',')

/** Maps a row from an exact select back to its column names. */
export const exactRow = (columns: readonly Column[], row: Row): Row =>
  columns.length === 0
    ? row
    : Object.fromEntries(
        columns.map((column, index) => [
          column.name,
          isExact(column) ? row[aliasOf(index)] : row[column.name],
        ]),
      )

interface ExactJson {
  readonly rawJSON?: (text: string) => unknown
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** A number with all its digits: as a JSON number, which servers read exactly, else as text. */
export const exactNumber = (text: string): unknown => {
  const { rawJSON } = JSON as ExactJson
  return rawJSON !== undefined && JSON_NUMBER.test(text) ? rawJSON(text) : text
}

/** Parses JSON without rounding: numbers too long for JavaScript keep their digits when sent. */
export const parseExactly = (text: string): unknown => {
  const { rawJSON } = JSON as ExactJson
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' &&
    rawJSON !== undefined &&
    context?.source !== undefined &&
    String(value) !== context.source
      ? rawJSON(context.source)
      : value
  return JSON.parse(text, keep)
}
