// The rows that refer to a row by a foreign key: how many there are, and the first of them.
import type { ChartroomClient } from '../../client/index.ts'
import { callRest, type RestCall, type RestResponse } from '../rest/rest.ts'
import { type Cell, cellOf } from './cells/cell-text.ts'
import { guardFor } from './edits/row-conditions.ts'
import type { ForeignKey, IncomingKey } from './foreign-keys.ts'
import { titleColumn } from './labels.ts'
import type { Column, Row } from './schema.ts'
import { selectName } from './rest-names.ts'
import { filterText, sortText } from './table-query.ts'

/** Rows that are listed. */
const FIRST_ROWS = 5
const COUNT_DEADLINE_MS = 6_000

/** Filters of a table's URL, for rows with these cells; undefined while one of them is null. */
const filtersFor = (cells: readonly (readonly [column: string, cell: Cell])[]) => {
  const filters = cells.flatMap(([column, value]) =>
    value === null ? [] : [filterText({ column, operator: 'eq', value, negate: false })],
  )
  return filters.length === cells.length && cells.length > 0 ? filters : undefined
}

/** The filters that find the row that a key refers to; undefined if the row refers to none. */
export const referredFilters = (
  { pairs }: ForeignKey,
  cellIn: (column: string) => Cell,
): readonly string[] | undefined => filtersFor(pairs.map(({ ours, theirs }) => [theirs, cellIn(ours)]))

/** The filters that find the referring rows; undefined if no row can refer to this one. */
export const referringFilters = (
  { pairs }: ForeignKey,
  cellIn: (column: string) => Cell,
): readonly string[] | undefined => filtersFor(pairs.map(({ ours, theirs }) => [ours, cellIn(theirs)]))

export interface ReferringRow {
  /** Its key, or the start of its values. */
  readonly key: string
  /** Its title; empty without one. */
  readonly title: string
  /** The filters that find it; undefined if its table's key is not known. */
  readonly filters: readonly string[] | undefined
}

export interface ReferringRows {
  readonly rows: readonly ReferringRow[]
  readonly count: number
  /** False if there may be more: the rows could not be counted in time. */
  readonly isExact: boolean
}

type ReferringAnswer =
  { readonly ok: true; readonly value: ReferringRows } | Extract<RestResponse, { readonly ok: false }>

/** Reads the first rows that refer to a row, and their number. Rejects when aborted. */
export const readReferring = async (
  client: ChartroomClient,
  { schema, info, key }: IncomingKey,
  cellIn: (column: string) => Cell,
  signal: AbortSignal,
): Promise<ReferringAnswer> => {
  const keys = info.columns.filter(({ isKey }) => isKey)
  const title = titleColumn(info, keys)
  const listedColumns = [...keys, ...(title === undefined ? [] : [title])]
  const aliases = listedColumns.map((column, at) => `column_${at}:${selectName(column.name)}::text`)
  const conditions = key.pairs.map(({ ours, theirs }) => {
    const column = info.columns.find(({ name }) => name === ours)
    return guardFor(column ?? plainColumn(ours), cellIn(theirs))
  })
  const call: RestCall = {
    method: 'GET',
    path: `/${encodeURIComponent(info.name)}`,
    query: [
      ['select', aliases.length === 0 ? '*' : aliases.join(',')],
      ...conditions,
      ...(keys.length === 0
        ? []
        : [['order', sortText(keys.map(({ name }) => ({ column: name, direction: 'asc' })))] as const]),
      ['limit', String(FIRST_ROWS + 1)],
    ],
    headers: schema === 'public' ? {} : { 'Accept-Profile': schema },
    signal,
  }
  const counted = await callRest(client, { ...call, prefer: 'count=exact', deadline: COUNT_DEADLINE_MS })
  // Without the count, which may be the slow part.
  const answer = counted.ok || !counted.failure.retry ? counted : await callRest(client, call)
  if (!answer.ok) return answer
  const rows = answer.rows.slice(0, FIRST_ROWS)
  const isExact = answer.total !== null || answer.rows.length <= FIRST_ROWS
  const readRow = (row: Row) => referringRow(row, keys, title !== undefined)
  const count = answer.total ?? answer.rows.length
  return { ok: true, value: { rows: rows.map(readRow), count, isExact } }
}

const plainColumn = (name: string): Column => ({
  name,
  type: 'text',
  format: 'text',
  required: false,
  hasDefault: false,
  isKey: false,
})

const referringRow = (row: Row, keys: readonly Column[], hasTitle: boolean): ReferringRow => {
  const cellAt = (at: number) => cellOf(row, { name: `column_${at}` })
  const cells = keys.map(({ name }, at) => [name, cellAt(at)] as const)
  return {
    key: cells.length > 0 ? cells.map(([, cell]) => cell ?? 'null').join(' · ') : 'row',
    title: hasTitle ? (cellAt(keys.length) ?? '') : '',
    filters: filtersFor(cells),
  }
}
