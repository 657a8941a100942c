// Queries saved by name, per connection.
import { array, boolean, object, optional, picklist, string, type InferOutput } from 'valibot'
import { relatedSchema, storedRelated } from './related.ts'
import { alternativesOf, OPERATORS, type TableQuery } from './table-query.ts'
import { keepSetting, readSetting } from '../storage/local-store.ts'

const condition = { column: string(), operator: picklist(OPERATORS), value: string(), negate: boolean() }

const querySchema = object({
  schema: string(),
  table: string(),
  columns: array(string()),
  related: optional(array(relatedSchema)),
  filters: array(object({ ...condition, or: optional(array(object(condition))) })),
  sorts: array(object({ column: string(), direction: picklist(['asc', 'desc']) })),
})

export const savedSchema = array(object({ name: string(), query: querySchema }))

export type SavedQuery = InferOutput<typeof savedSchema>[number]

const settingOf = (url: string) => `queries.${url}`

/** A connection's queries, as stored in this browser. */
export const readSaved = (url: string): readonly SavedQuery[] => readSetting(settingOf(url), savedSchema, [])

/** Returns false if the browser's storage is full. */
export const writeSaved = (url: string, saved: readonly SavedQuery[]): boolean =>
  keepSetting(settingOf(url), saved)

/** The query without its range: the scroll position is not saved. */
export const toSave = (
  name: string,
  { schema, table, columns, related, filters, sorts }: TableQuery,
): SavedQuery => ({
  name,
  query: {
    schema,
    table,
    columns: [...columns],
    ...(related === undefined ? {} : { related: related.map(storedRelated) }),
    filters: filters.map(({ or, ...filter }) => ({
      ...filter,
      ...(or && { or: or.map(each => ({ ...each })) }),
    })),
    sorts: sorts.map(sort => ({ ...sort })),
  },
})

const byName = (a: SavedQuery, b: SavedQuery) => a.name.localeCompare(b.name, 'en', { numeric: true })

/** Replaces a query of the same name. */
export const withSaved = (saved: readonly SavedQuery[], one: SavedQuery): readonly SavedQuery[] =>
  [...saved.filter(({ name }) => name !== one.name), one].sort(byName)

export const renamed = (saved: readonly SavedQuery[], from: string, to: string): readonly SavedQuery[] =>
  saved
    .filter(({ name }) => name !== to || name === from)
    .map(each => (each.name === from ? { ...each, name: to } : each))
    .sort(byName)

/** Describes a query in one line. */
export function aboutQuery({ schema, table, filters, sorts, columns }: SavedQuery['query']): string {
  const parts = [
    ...filters.map(filter =>
      alternativesOf(filter)
        .map(({ column, operator, value, negate }) => `${column} ${negate ? 'not ' : ''}${operator} ${value}`)
        .join(' or '),
    ),
    ...(sorts.length > 0
      ? [
          `by ${sorts.map(({ column, direction }) => (direction === 'desc' ? `${column} ↓` : column)).join(', ')}`,
        ]
      : []),
    ...(columns.length > 0 ? [columns.join(', ')] : []),
  ]
  const name = schema === 'public' ? table : `${schema}.${table}`
  return parts.length === 0 ? name : `${name}: ${parts.join(' · ')}`
}
