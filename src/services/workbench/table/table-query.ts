// Table queries as data: columns, filters, sorts and range, in URLs and as REST parameters.
import type { RestRead } from '../rest/rest.ts'
import type { Row, TableInfo } from './schema.ts'

/** PostgREST's operator names. */
export type FilterOperator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'in'
  | 'is'
  | 'isdistinct'
  | 'fts'
  | 'plfts'
  | 'phfts'
  | 'wfts'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxr'
  | 'nxl'
  | 'adj'

export interface TableFilter {
  readonly column: string
  readonly operator: FilterOperator
  /** The value after PostgREST's operator: `5`, `*gull*`, `(1,2)`, `null`. */
  readonly value: string
  readonly negate: boolean
}

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
  readonly reload: () => void
  /** Shows another query of this or another table. */
  readonly open: (query: TableQuery) => void
}

/** The URL's search parameters. */
export interface TableSearch {
  readonly sort?: string | undefined
  readonly dir?: 'asc' | 'desc' | undefined
  readonly filter?: readonly string[] | undefined
  readonly schema?: string | undefined
}

const PLAIN = /^[\p{L}_][\p{L}\p{N}_$ -]*$/u

/** Quotes a column name for REST parameters. */
export const quoteName = (name: string): string =>
  PLAIN.test(name) ? name : `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Quotes a column name for `select`: anything but a plain ASCII name, as some servers require. */
export const selectName = (name: string): string =>
  /^[A-Za-z_][\w$ -]*$/.test(name) ? name : `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Reserved parameter names: a filter on such a column would be misread. */
const RESERVED = /^(select|order|limit|offset|and|or|columns|on_conflict|apikey)$/

/** A column name as a parameter name. */
export const parameterName = (name: string): string => (RESERVED.test(name) ? `"${name}"` : quoteName(name))

const operatorOf = ({ operator, negate }: TableFilter) => `${negate ? 'not.' : ''}${operator}`

/** A filter as URL parameter text: `name=ilike.*gull*`. */
export const filterText = (filter: TableFilter): string =>
  `${encodeURIComponent(filter.column)}=${operatorOf(filter)}.${filter.value}`

const OPERATORS: ReadonlySet<string> = new Set<FilterOperator>([
  ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'in', 'is'] as const),
  ...(['isdistinct', 'fts', 'plfts', 'phfts', 'wfts', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl'] as const),
  'adj',
])

const isOperator = (text: string): text is FilterOperator => OPERATORS.has(text)

/** Parses the text of `filterText`; undefined when invalid. */
export const parseFilter = (text: string): TableFilter | undefined => {
  const found = /^([^=]+)=(not\.)?([a-z]+)\.([\s\S]*)$/.exec(text)
  const [, column = '', not, operator = '', value = ''] = found ?? []
  if (!found || !isOperator(operator)) return undefined
  try {
    return { column: decodeURIComponent(column), operator, value, negate: not !== undefined }
  } catch {
    return undefined
  }
}

/** Sorts in REST's `order` syntax: `name.desc,id.asc`. */
export const sortText = (sorts: readonly TableSort[]): string =>
  sorts.map(({ column, direction }) => `${quoteName(column)}.${direction}`).join(',')

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

/** The query as a REST request. */
export const toRestRead = ({ schema, table, columns, filters, sorts, range }: TableQuery): RestRead => ({
  path: `/${encodeURIComponent(table)}`,
  query: [
    ['select', columns.length === 0 ? '*' : columns.map(selectName).join(',')],
    ...filters.map(
      filter => [parameterName(filter.column), `${operatorOf(filter)}.${filter.value}`] as const,
    ),
    ...(sorts.length === 0 ? [] : [['order', sortText(sorts)] as const]),
    ...(range === undefined
      ? []
      : ([
          ['offset', String(range.from)],
          ['limit', String(range.to - range.from + 1)],
        ] as const)),
  ],
  headers: schema === 'public' ? {} : { 'Accept-Profile': schema },
})
