// Primary keys, unique and foreign keys of tables, and what views show of them.
import { compareTexts, sortKey } from './names.ts'
import type { ColumnPair, KeyRelationship } from './schema-cache.ts'
import type { Relation } from './tables.ts'
import type { ViewColumns } from './view-origins.ts'

/** Keys of all schemas but PostgreSQL's own: served views may show tables of any. */
export const KEYS = `(
  select json_agg(json_build_array(
    k.conname, k.contype, k.conrelid, to_json(k.conkey), k.confrelid, to_json(k.confkey), k.conparentid <> 0,
    case k.contype when 'p' then json_build_array(n.nspname, c.relname) end
  ))
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where k.contype in ('p', 'u', 'f')
    and n.oid not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)
)`

export type KeyRow = readonly [
  name: string,
  kind: 'p' | 'u' | 'f',
  relation: string,
  columns: readonly number[],
  referenced: string,
  referencedColumns: readonly number[] | null,
  /** Whether it is a partition's part of a key. */
  isPart: boolean,
  primaryKeyOf: readonly [schema: string, name: string] | null,
]

/** A view, and its columns that show those of a table, by their numbers. */
interface Showing {
  readonly view: Relation
  readonly columns: ReadonlyMap<number, readonly number[]>
}

/** What the served views show of each table. */
type ColumnShowings = ReadonlyMap<string, readonly Showing[]>

/** @param views origins of the columns of all views, from `traceViews` */
export function findShown(
  relations: ReadonlyMap<string, Relation>,
  views: ReadonlyMap<string, ViewColumns>,
): ColumnShowings {
  const all = [...views].flatMap(([id, columns]) => {
    const view = relations.get(id)
    if (!view) return []
    const origins = [...columns].flatMap(([at, via]) =>
      via.map((origin, depth) => ({ ...origin, column: at, depth })),
    )
    // Columns that come from fewer views are preferred in keys.
    const sorted = origins.toSorted((one, b) => one.depth - b.depth || one.column - b.column)
    return [...Map.groupBy(sorted, ({ relation }) => relation)].map(([relation, showings]) => ({
      relation,
      view,
      columns: new Map(
        [...Map.groupBy(showings, ({ at }) => at)].map(([at, group]) => [
          at,
          group.map(({ column }) => column),
        ]),
      ),
    }))
  })
  return Map.groupBy(all, ({ relation }) => relation)
}

/**
 * The primary keys of tables, in the order of their names, and of views that show whole keys.
 * @returns the names of the key's columns, by the relation's OID
 */
export function findPrimaryKeys(
  rows: readonly KeyRow[],
  relations: ReadonlyMap<string, Relation>,
  columnShowings: ColumnShowings,
): (id: string) => readonly string[] {
  const keys = rows.filter(([, kind]) => kind === 'p')
  const ofTables = keys.flatMap(([, , id, columns]) => {
    const relation = relations.get(id)
    return relation ? [[id, namesOf(relation, columns).toSorted(compareTexts)] as const] : []
  })
  // A view of several tables has the keys of all, those of the last table first.
  const ofViews = Map.groupBy(
    keys
      .toSorted((one, b) => compareTexts(sortKey(b[7] ?? []), sortKey(one[7] ?? [])))
      .flatMap(([, , id, columns]) =>
        (columnShowings.get(id) ?? []).flatMap(showing => {
          const [first] = waysToShow(showing, columns)
          return first ? [{ view: showing.view, names: namesOf(showing.view, first) }] : []
        }),
      ),
    ({ view }) => view.id,
  )
  const all = new Map<string, readonly string[]>([
    ...ofTables,
    ...[...ofViews].map(([id, parts]) => [id, parts.flatMap(({ names }) => names)] as const),
  ])
  return id => all.get(id) ?? []
}

const namesOf = ({ columnNames }: Relation, columns: readonly number[]): readonly string[] =>
  columns.map(at => columnNames.get(at) ?? '')

/** All ways in which a view shows the columns of a key, each by the numbers of the view's columns; none if it lacks one. */
function waysToShow(
  { columns: positions }: Showing,
  columns: readonly number[],
): readonly (readonly number[])[] {
  return columns.reduce<readonly (readonly number[])[]>(
    (ways, column) => ways.flatMap(prefix => (positions.get(column) ?? []).map(at => [...prefix, at])),
    [[]],
  )
}

/** A table with the columns of a key, or a view that shows them. */
interface End {
  readonly relation: Relation
  readonly columns: readonly string[]
}

/**
 * The relationships from the referencing tables, and of the views that show either side: many-to-one, or one-to-one
 * if the referencing columns are unique.
 */
export function findReferences(
  rows: readonly KeyRow[],
  relations: ReadonlyMap<string, Relation>,
  columnShowings: ColumnShowings,
): readonly KeyRelationship[] {
  const setOf = (columns: readonly number[]) => columns.toSorted((one, b) => one - b).join()
  const unique = new Set(
    rows.filter(([, kind]) => kind !== 'f').map(([, , relation, columns]) => `${relation}:${setOf(columns)}`),
  )
  const endsOf = (id: string, columns: readonly number[]): readonly End[] => {
    const relation = relations.get(id)
    const views = (columnShowings.get(id) ?? []).flatMap(showing =>
      waysToShow(showing, columns).map(choice => ({
        relation: showing.view,
        columns: namesOf(showing.view, choice),
      })),
    )
    return relation ? [{ relation, columns: namesOf(relation, columns) }, ...views] : views
  }
  return rows
    .filter(([, kind, , , , , isPart]) => kind === 'f' && !isPart)
    .flatMap(([constraint, , id, columns, referenced, referencedColumns]) => {
      const cardinality = unique.has(`${id}:${setOf(columns)}`) ? 'one-to-one' : 'many-to-one'
      const targets = endsOf(referenced, referencedColumns ?? [])
      return endsOf(id, columns).flatMap(from =>
        targets.map(to => reference(constraint, cardinality, from, to)),
      )
    })
}

function reference(
  constraint: string,
  cardinality: 'many-to-one' | 'one-to-one',
  from: End,
  to: End,
): KeyRelationship {
  return {
    kind: 'key',
    cardinality,
    isParent: false,
    constraint,
    from: nameOf(from.relation),
    to: nameOf(to.relation),
    isSelf: from.relation.id === to.relation.id,
    columns: from.columns.map((column, index): ColumnPair => [column, to.columns[index] ?? '']),
    junction: undefined,
    fromIsView: from.relation.isView,
    toIsView: to.relation.isView,
  }
}

const nameOf = ({ schema, name }: Relation) => ({ schema, name })
