// What is asked of a table: columns, filters, order and range, as data; in the address, and as REST says it.
import type { Row, TableInfo } from './schema.ts'

/** PostgREST's own names. */
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
  /** As PostgREST takes it after the operator: `5`, `*gull*`, `(1,2)`, `null`. */
  readonly value: string
  readonly negate: boolean
}

export interface TableSort {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** A view of a table that can be kept, sent, or asked as somebody else. */
export interface TableQuery {
  readonly schema: string
  readonly table: string
  /** Those on show, in their order; none: all of them. */
  readonly columns: readonly string[]
  /** All of them hold. */
  readonly filters: readonly TableFilter[]
  /** The first counts most. */
  readonly sorts: readonly TableSort[]
  /** First and last row, counted from 0; absent: from the first as many as the server gives. */
  readonly range?: { readonly from: number; readonly to: number }
}

/** What the toolbar's slot for tools gets from the table on show. */
export interface TableToolsProps {
  /** The range is that of the rows in sight. */
  readonly query: TableQuery
  readonly info: TableInfo
  /** Rows that match and may be seen; null while unknown. */
  readonly total: number | null
  /** False: `total` is an estimate. */
  readonly isExact: boolean
  /** Rows that are chosen in the grid, as the server gave them. */
  readonly selected: readonly Row[]
  /** Reads all rows anew, as after an import. */
  readonly reload: () => void
  /** Shows another query of the same table, or of another one. */
  readonly open: (query: TableQuery) => void
}

/** The part of the address after the table's name. */
export interface TableSearch {
  readonly sort?: string | undefined
  readonly dir?: 'asc' | 'desc' | undefined
  readonly filter?: readonly string[] | undefined
  readonly schema?: string | undefined
}

const PLAIN = /^[\p{L}_][\p{L}\p{N}_$ -]*$/u

/** A column's name as it stands in REST's parameters. */
export const quoteName = (name: string): string =>
  PLAIN.test(name) ? name : `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A column's name among those to be selected: any other than a plain one of ASCII is quoted, as some servers want it. */
export const selectName = (name: string): string =>
  /^[A-Za-z_][\w$ -]*$/.test(name) ? name : `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A filter by a column of such a name would be taken for something else. */
const RESERVED = /^(select|order|limit|offset|and|or|columns|on_conflict|apikey)$/

/** A column's name as the name of a parameter. */
export const parameterName = (name: string): string => (RESERVED.test(name) ? `"${name}"` : quoteName(name))

const operatorOf = ({ operator, negate }: TableFilter) => `${negate ? 'not.' : ''}${operator}`

/** A filter as a parameter of the address: `name=ilike.*gull*`. */
export const filterText = (filter: TableFilter): string =>
  `${encodeURIComponent(filter.column)}=${operatorOf(filter)}.${filter.value}`

const OPERATORS: ReadonlySet<string> = new Set<FilterOperator>([
  ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'in', 'is'] as const),
  ...(['isdistinct', 'fts', 'plfts', 'phfts', 'wfts', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl'] as const),
  'adj',
])

const isOperator = (text: string): text is FilterOperator => OPERATORS.has(text)

/** The filter that `filterText` wrote; undefined when it is none. */
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

/** Orders as REST's `order` says them: `name.desc,id.asc`. */
export const sortText = (sorts: readonly TableSort[]): string =>
  sorts.map(({ column, direction }) => `${quoteName(column)}.${direction}`).join(',')

/** The orders in a text of `sortText`, or of the name of a single column alone. */
export const parseSorts = (text: string, direction: 'asc' | 'desc' = 'asc'): readonly TableSort[] =>
  [...text.matchAll(/("(?:[^"\\]|\\.)*"|[^,"]+?)(?:\.(asc|desc))?(?:,|$)/gy)].flatMap(
    ([, name = '', way]) => {
      const column = name.startsWith('"') ? name.slice(1, -1).replaceAll(/\\(.)/g, '$1') : name
      return column === '' ? [] : [{ column, direction: way === 'asc' || way === 'desc' ? way : direction }]
    },
  )

/** What to put into the address for a query. */
export const toTableSearch = ({ schema, sorts, filters }: TableQuery) => ({
  ...(sorts.length === 0 ? {} : { sort: sortText(sorts) }),
  ...(filters.length === 0 ? {} : { filter: filters.map(filterText) }),
  ...(schema === 'public' ? {} : { schema }),
})

/** The query in an address. */
export const fromTableSearch = (table: string, search: TableSearch): TableQuery => ({
  schema: search.schema || 'public',
  table,
  columns: [],
  filters: (search.filter ?? []).flatMap(text => parseFilter(text) ?? []),
  sorts: parseSorts(search.sort ?? '', search.dir),
})

/** A read as REST wants it, without the key and the token. */
export interface RestRead {
  /** Below the REST root. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: Readonly<Record<string, string>>
}

/** The same query as a request. */
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
