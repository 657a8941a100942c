// How columns are asked for so that no digit, no order and no zone of their values is lost on the way.
import { selectName } from '../table-query.ts'
import type { Column, Row } from '../schema.ts'

/** What JavaScript's reading of JSON would round, or what JSON has no form for, comes as PostgreSQL's own text. */
const isTold = ({ type, format }: Column): boolean =>
  type === 'json' || type === 'array' || type === 'number' || /^(bigint|int8|bigserial)$/.test(format)

/** A text of its own name: under that of the column, an order by the column could mean the text. */
const aliasOf = (index: number) => `exact_${index}`

/** The `select` for the columns; all of them when none is known. */
export const selectOf = (columns: readonly Column[]): string =>
  columns.length === 0
    ? '*'
    : columns
        .map((column, index) =>
          isTold(column) ? `${aliasOf(index)}:${selectName(column.name)}::text` : selectName(column.name),
        )
        .join(',')

/** A row that was asked for so, by its columns' names. */
export const exactRow = (columns: readonly Column[], row: Row): Row =>
  columns.length === 0
    ? row
    : Object.fromEntries(
        columns.map((column, index) => [
          column.name,
          isTold(column) ? row[aliasOf(index)] : row[column.name],
        ]),
      )

interface ExactJson {
  readonly rawJSON?: (text: string) => unknown
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** A number in all its digits: as one of JSON, which servers read exactly, or else as a text. */
export const exactNumber = (text: string): unknown => {
  const { rawJSON } = JSON as ExactJson
  return rawJSON !== undefined && JSON_NUMBER.test(text) ? rawJSON(text) : text
}

/** JSON as it is written: digits that a number of JavaScript would not keep stay what they are when it is sent. */
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
