// Table queries: as data, in URLs, and as REST requests whose responses keep the exact text of cells.
import type { ReloadReason } from '../../../machines/workbench/table-rows.ts'
import { type RestRead, callRest, type RestCall, type RestResponse } from '../rest/rest.ts'
import type { Row, TableInfo, Column, TableRights } from './schema.ts'
import { refusedRightsOf } from './refused-rights.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { exactRow, selectOf } from './exact-select.ts'
import { madeStoreOf } from './made-columns.ts'
import { parameterName, quoteItem, quoteName, selectName } from './rest-names.ts'
import { flatRow, type RelatedColumn, relatedRead, type RelatedRead } from './related.ts'

/** PostgREST's operator names. */
export const OPERATORS = [
  ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'in', 'is'] as const),
  ...(['isdistinct', 'fts', 'plfts', 'phfts', 'wfts', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl'] as const),
  'adj',
] as const

export type FilterOperator = (typeof OPERATORS)[number]

export interface TableCondition {
  readonly column: string
  readonly operator: FilterOperator
  /** The value after PostgREST's operator: `5`, `*gull*`, `(1,2)`, `null`. */
  readonly value: string
  readonly negate: boolean
}

/** A condition, or several of which one must hold. */
export interface TableFilter extends TableCondition {
  /** The alternatives to it. */
  readonly or?: readonly TableCondition[] | undefined
}

/** The conditions of which one must hold. */
export const alternativesOf = ({ or = [], ...first }: TableFilter): readonly TableCondition[] => [
  first,
  ...or,
]

/** A filter of these conditions; undefined without any. */
export const filterOf = ([first, ...or]: readonly TableCondition[]): TableFilter | undefined =>
  first && (or.length === 0 ? first : { ...first, or })

export interface TableSort {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** A view of a table that can be saved, shared, or run as another user. */
export interface TableQuery {
  readonly schema: string
  readonly table: string
  /** Visible columns, in order; empty: all. */
  readonly columns: readonly string[]
  /** Columns of rows that the rows refer to; shown if `columns` has their names, or is empty. */
  readonly related?: readonly RelatedColumn[] | undefined
  /** Combined with AND. */
  readonly filters: readonly TableFilter[]
  /** By priority. */
  readonly sorts: readonly TableSort[]
  /** First and last row, zero-based; without it, from the first row up to the server's limit. */
  readonly range?: { readonly from: number; readonly to: number }
}

/** What the toolbar tools receive from the visible table. */
export interface TableToolsProps {
  /** Its range is that of the visible rows. */
  readonly query: TableQuery
  readonly info: TableInfo
  /** Number of matching visible rows; null while unknown. */
  readonly total: number | null
  /** False when `total` is an estimate. */
  readonly isExact: boolean
  /** Rows selected in the grid, as received from the server. */
  readonly selected: readonly Row[]
  /** Reloads all rows, for example after an import. */
  readonly reload: (reason: ReloadReason) => void
  /** Prepares undo of an import that starts now; undefined while added rows could not be identified. */
  readonly importUndo: () => ImportUndo | undefined
  /** Shows another query of this or another table. */
  readonly open: (query: TableQuery) => void
}

/** Undo of one import. */
export interface ImportUndo {
  /** The `select` by which the server returns the added rows. */
  readonly returning: string
  /**
   * Adds the ended import to the table's history.
   * @returns deletes the added rows that did not change since; undefined when there are none
   */
  readonly onEnded: (addedRows: readonly Row[]) => (() => void) | undefined
}

/** The URL's search parameters. */
export interface TableSearch {
  readonly sort?: string | undefined
  readonly dir?: 'asc' | 'desc' | undefined
  readonly filter?: readonly string[] | undefined
  readonly schema?: string | undefined
}

/** A condition that finds any of the values. PostgREST takes a list of one empty text for a list of none. */
export const anyOf = (values: readonly string[]): string =>
  values.length === 1 && values[0] === '' ? 'eq.' : `in.(${values.map(quoteItem).join(',')})`

const operatorOf = ({ operator, negate }: TableCondition) => `${negate ? 'not.' : ''}${operator}`

/** Starts the text of several alternatives; no encoded column name contains its colon. */
const ANY = 'any:'
const BETWEEN = '||'

/** A filter as URL parameter text: `name=ilike.*gull*`, or `any:name=eq.a||name=eq.b`. */
export const filterText = (filter: TableFilter): string => {
  const all = alternativesOf(filter)
  const textOf = (condition: TableCondition, value: string) =>
    `${encodeURIComponent(condition.column)}=${operatorOf(condition)}.${value}`
  return all.length === 1
    ? textOf(filter, filter.value)
    : ANY + all.map(each => textOf(each, encodeURIComponent(each.value))).join(BETWEEN)
}

const isOperator = (text: string): text is FilterOperator => OPERATORS.some(name => name === text)

const parseCondition = (text: string, decode: (value: string) => string): TableCondition | undefined => {
  const match = /^([^=]+)=(not\.)?([a-z]+)\.([\s\S]*)$/.exec(text)
  const [, column = '', not, operator = '', value = ''] = match ?? []
  if (!match || !isOperator(operator)) return undefined
  try {
    return { column: decodeURIComponent(column), operator, value: decode(value), negate: not !== undefined }
  } catch {
    return undefined
  }
}

/** Parses the text of `filterText`; undefined when invalid. */
export const parseFilter = (text: string): TableFilter | undefined => {
  if (!text.startsWith(ANY)) return parseCondition(text, value => value)
  const parts = text.slice(ANY.length).split(BETWEEN)
  const all = parts.map(part => parseCondition(part, decodeURIComponent))
  return all.every(each => each !== undefined) ? filterOf(all) : undefined
}

/** A value within a list of conditions; lists and constants have no quotes. */
const operandOf = ({ operator, value }: TableCondition): string => {
  if (operator === 'in' || operator === 'is' || /^[\p{L}\p{N}*%_-]+$/u.test(value)) return value
  // Some servers take a star in quotes literally.
  const pattern = operator === 'like' || operator === 'ilike' ? value.replaceAll('*', '%') : value
  return `"${pattern.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Filters with alternatives in one parameter, in addition to the `or` by which pages continue. */
const alternatives = (filters: readonly TableFilter[]): readonly (readonly [string, string])[] => {
  const groups = filters.map(
    filter =>
      `or(${alternativesOf(filter)
        .map(each => `${parameterName(each.column)}.${operatorOf(each)}.${operandOf(each)}`)
        .join(',')})`,
  )
  return groups.length === 0 ? [] : [['and', `(${groups.join(',')})`]]
}

/** Sorts in REST's `order` syntax: `name.desc,id.asc`. */
export const sortText = (sorts: readonly TableSort[]): string =>
  sorts.map(({ column, direction }) => `${quoteName(column)}.${direction}`).join(',')

/** Sorts as an `order`, which names columns of related rows in another way. */
export const orderText = (
  sorts: readonly TableSort[],
  { orderName }: Pick<RelatedRead, 'orderName'>,
): string =>
  sorts.map(({ column, direction }) => `${orderName(column) ?? quoteName(column)}.${direction}`).join(',')

/** Parses the text of `sortText`, or a single column name. */
export const parseSorts = (text: string, direction: 'asc' | 'desc' = 'asc'): readonly TableSort[] =>
  [...text.matchAll(/("(?:[^"\\]|\\.)*"|[^,"]+?)(?:\.(asc|desc))?(?:,|$)/gy)].flatMap(
    ([, name = '', way]) => {
      const column = name.startsWith('"') ? name.slice(1, -1).replaceAll(/\\(.)/g, '$1') : name
      return column === '' ? [] : [{ column, direction: way === 'asc' || way === 'desc' ? way : direction }]
    },
  )

/** The URL parameters of a query. */
export const toTableSearch = ({ schema, sorts, filters }: TableQuery) => ({
  ...(sorts.length === 0 ? {} : { sort: sortText(sorts) }),
  ...(filters.length === 0 ? {} : { filter: filters.map(filterText) }),
  ...(schema === 'public' ? {} : { schema }),
})

/** The query in a URL. */
export const fromTableSearch = (table: string, search: TableSearch): TableQuery => ({
  schema: search.schema || 'public',
  table,
  columns: [],
  filters: (search.filter ?? []).flatMap(text => parseFilter(text) ?? []),
  sorts: parseSorts(search.sort ?? '', search.dir),
})

/** The related columns that a query shows or sorts by. */
const relatedIn = ({ columns, sorts, related = [] }: TableQuery): readonly RelatedColumn[] =>
  related.filter(
    ({ name }) =>
      columns.length === 0 || columns.includes(name) || sorts.some(({ column }) => column === name),
  )

const plainRead = (query: TableQuery) => {
  const related = relatedIn(query)
  const ownColumns = query.columns.filter(name => !related.some(each => each.name === name))
  const columns = ownColumns.map(name => ({ name }))
  const read = relatedRead({ table: query.table, related, columns, isExact: false })
  return { related, own: ownColumns, read }
}

/** The query as a REST request. */
export const toRestRead = (query: TableQuery): RestRead => {
  const { schema, table, columns, filters, sorts, range } = query
  const { own: ownTerms, read } = plainRead(query)
  const select = [...(columns.length === 0 ? ['*'] : ownTerms.map(selectName)), ...read.terms]
  return {
    path: `/${encodeURIComponent(table)}`,
    query: [
      ['select', select.join(',')],
      ...filters
        .filter(({ or }) => or === undefined)
        .map(filter => [parameterName(filter.column), `${operatorOf(filter)}.${filter.value}`] as const),
      ...alternatives(filters.filter(({ or }) => or !== undefined)),
      ...(sorts.length === 0 ? [] : [['order', orderText(sorts, read)] as const]),
      ...(range === undefined
        ? []
        : ([
            ['offset', String(range.from)],
            ['limit', String(range.to - range.from + 1)],
          ] as const)),
    ],
    headers: schema === 'public' ? {} : { 'Accept-Profile': schema },
  }
}

/** Maps a row of the response to `toRestRead` to a row with the query's columns. */
export const plainRow = (query: TableQuery): ((row: Row) => Row) => {
  const { related, read } = plainRead(query)
  if (related.length === 0) return row => row
  const isShown = (name: string) =>
    query.columns.length === 0 ? !read.aliases.includes(name) : query.columns.includes(name)
  return row =>
    Object.fromEntries(
      Object.entries(flatRow(read.read(row, row), related)).filter(([name]) => isShown(name)),
    )
}

/** The query without columns of other tables. */
export const withoutRelated = ({ related = [], ...query }: TableQuery): TableQuery => {
  const isOwn = (name: string) => !related.some(each => each.name === name)
  return {
    ...query,
    columns: query.columns.filter(isOwn),
    sorts: query.sorts.filter(({ column }) => isOwn(column)),
  }
}

export interface TableCall extends RestCall {
  /** Columns to return without rounding; empty: all columns, parsed as plain JSON. */
  readonly columns: readonly Column[]
  /** Of the rows that these refer to. */
  readonly related?: RelatedRead
}

/** The table whose rows are written. */
const tableIn = ({ path, headers }: Pick<RestRead, 'path' | 'headers'>) => ({
  schema: headers['Content-Profile'] ?? 'public',
  table: decodeURIComponent(path.slice(1)),
})

const RIGHTS: Readonly<Partial<Record<RestCall['method'], keyof TableRights>>> = {
  POST: 'insert',
  PATCH: 'update',
  DELETE: 'delete',
}

/** Never rejects, except when the call was aborted. */
export const callTable = async (
  client: ChartroomClient,
  { columns, related, query, ...call }: TableCall,
): Promise<RestResponse> => {
  const select = [selectOf(columns), ...(related?.terms ?? [])].join(',')
  const answer = await callRest(client, { ...call, query: [['select', select], ...query] })
  if (answer.ok) {
    const rows = answer.rows.map(row => {
      const exact = exactRow(columns, row)
      return related === undefined ? exact : related.read(exact, row)
    })
    return { ...answer, rows }
  }
  const { generation, field, isReadOnlyView, message } = answer.failure
  const right = RIGHTS[call.method]
  if (isReadOnlyView && right !== undefined) refusedRightsOf(client).add(tableIn(call), right, message)
  if (generation !== undefined && field !== undefined)
    madeStoreOf(client).add(tableIn(call), field, generation)
  return answer
}
