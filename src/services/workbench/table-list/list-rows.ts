// The rows of the table list: groups with their tables, or the tables that match a filter, the best first.
import type { TableInfo, TableKind } from '../table/index.ts'
import { foldName, LETTERS_ONLY, matchName } from './match-name.ts'

export interface ListedTable {
  readonly schema: string
  readonly name: string
  readonly kind: TableKind | undefined
  /** Unique among all tables. */
  readonly id: string
  /** For matches. */
  readonly folded: string
}

export const tableId = (schema: string, table: string): string => JSON.stringify([schema, table])

/** The tables of all schemas, in their order. */
export const listTables = (
  schemas: ReadonlyMap<string, readonly Pick<TableInfo, 'name' | 'kind'>[]>,
): readonly ListedTable[] =>
  [...schemas].flatMap(([schema, infos]) =>
    infos.map(({ name, kind }) => ({
      schema,
      name,
      kind,
      id: tableId(schema, name),
      folded: foldName(name),
    })),
  )

export type ListRow =
  | {
      readonly type: 'group'
      /** Of the group, such as `schema:public`. */
      readonly id: string
      readonly title: string
      readonly count: number
      readonly isOpen: boolean
    }
  | {
      readonly type: 'table'
      /** Of the row: a favorite has one in its schema, too. */
      readonly id: string
      readonly table: ListedTable
      /** The schema, if the row's group does not name it. */
      readonly note: string | undefined
      readonly isFavorite: boolean
    }

export interface ListSettings {
  /** Ids of tables. */
  readonly favorites: readonly string[]
  /** Ids of tables, the last one first. */
  readonly recent: readonly string[]
  /** Ids of groups. */
  readonly closed: readonly string[]
}

export interface ListOptions extends ListSettings {
  readonly tables: readonly ListedTable[]
  /** The schema in the URL. */
  readonly schema: string
  readonly filter: string
  /** Id of the open table. */
  readonly open: string | undefined
}

/** Shorter lists are seen as a whole. */
const WITHOUT_RECENT = 20
const MOST_RECENT = 5

export const listRows = (options: ListOptions): readonly ListRow[] => {
  const { tables, favorites, closed } = options
  const text = foldName(options.filter)
  const hasSchemas = tables.some(({ schema }) => schema !== tables[0]?.schema)
  const rowOf = (group: string, table: ListedTable, hasNote: boolean): ListRow => ({
    type: 'table',
    id: `${group} ${table.id}`,
    table,
    note: hasNote && table.schema !== options.schema ? table.schema : undefined,
    isFavorite: favorites.includes(table.id),
  })
  if (text !== '') return matches(tables, text).map(table => rowOf('match', table, hasSchemas))
  const group = (id: string, title: string, members: readonly ListedTable[], hasNote: boolean): ListRow[] => {
    if (members.length === 0) return []
    const isOpen = !closed.includes(id)
    const head: ListRow = { type: 'group', id, title, count: members.length, isOpen }
    return [head, ...(isOpen ? members.map(table => rowOf(id, table, hasNote)) : [])]
  }
  const withIds = (ids: readonly string[]) => ids.flatMap(id => tables.find(table => table.id === id) ?? [])
  const pinned = group('favorites', 'Favorites', withIds(favorites), true)
  const lately = tables.length > WITHOUT_RECENT ? recentTables(options, withIds) : []
  const first = [...pinned, ...group('recent', 'Recent', lately, true)]
  if (!hasSchemas)
    return first.length === 0
      ? tables.map(table => rowOf('all', table, false))
      : [...first, ...group('all', 'All tables', tables, false)]
  const bySchema = Map.groupBy(tables, ({ schema }) => schema)
  return [...first, ...[...bySchema].flatMap(([name, all]) => group(`schema:${name}`, name, all, false))]
}

/** Without the open table, which is marked anyway, and favorites. */
const recentTables = (
  { recent, favorites, open }: ListOptions,
  withIds: (ids: readonly string[]) => readonly ListedTable[],
): readonly ListedTable[] =>
  withIds(recent.filter(id => id !== open && !favorites.includes(id))).slice(0, MOST_RECENT)

const matches = (tables: readonly ListedTable[], text: string): readonly ListedTable[] => {
  const scored = tables
    .map(table => ({ table, score: matchName(table.folded, text) }))
    .filter(({ score }) => score > 0)
  const isBetter = scored.some(({ score }) => score > LETTERS_ONLY)
  return scored
    .filter(({ score }) => !isBetter || score > LETTERS_ONLY)
    .toSorted((a, b) => b.score - a.score)
    .map(({ table }) => table)
}
