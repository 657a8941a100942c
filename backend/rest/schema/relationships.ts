// The relationships of tables and views: by foreign keys, through junctions, and by functions.
// Source: https://docs.postgrest.org/en/v14/references/api/resource_embedding.html
import { compareTexts, groupByName, isSameName, memoizeByName, sortKey } from './names.ts'
import type {
  ColumnPair,
  ComputedRelationship,
  KeyRelationship,
  Name,
  Relationship,
  Table,
} from './schema-cache.ts'

/** Served functions of one row that return rows. */
export const COMPUTED = `(
  select json_agg(json_build_array(
    p.nspname, p.proname, fs.nspname, f.relname, ts.nspname, t.relname, not p.proretset or p.prorows = 1
  ))
  from routines p
  join pg_class f on f.reltype = p.proargtypes[0] and f.relkind in ('r', 'p', 'v', 'm', 'f')
  join pg_class t on t.reltype = p.prorettype and t.relkind in ('r', 'p', 'v', 'm', 'f')
  join served fs on fs.oid = f.relnamespace
  join served ts on ts.oid = t.relnamespace
  where p.pronargs = 1
)`

export type ComputedRow = readonly [
  schema: string,
  name: string,
  fromSchema: string,
  from: string,
  toSchema: string,
  to: string,
  isToOne: boolean,
]

export function decodeComputed(rows: readonly ComputedRow[]): readonly ComputedRelationship[] {
  return rows.map(([schema, name, fromSchema, fromName, toSchema, toName, isToOne]) => {
    const from = { schema: fromSchema, name: fromName }
    const to = { schema: toSchema, name: toName }
    return { kind: 'computed', function: { schema, name }, from, to, isToOne, isSelf: isSameName(from, to) }
  })
}

/**
 * Finds the relationships of a table when they are first needed: in large schemas, all junctions would take long.
 * @param references from the referencing side, of tables and views
 */
export function findRelationships(
  references: readonly KeyRelationship[],
  computed: readonly ComputedRelationship[],
  table: (name: Name) => Table | undefined,
): (of: Name, schema: string) => readonly Relationship[] {
  const outgoing = groupByName(references, ({ from }) => from)
  const incoming = groupByName(references, ({ to }) => to)
  const byFunction = groupByName(computed, ({ from }) => from)
  const all = memoizeByName(of => {
    const outgoingKeys = outgoing.get(of) ?? []
    const inverse = (incoming.get(of) ?? []).map(invert)
    const throughJunctions = (incoming.get(of) ?? []).flatMap(first =>
      (outgoing.get(first.from) ?? []).flatMap(second => join(first, second, table(first.from))),
    )
    const functions = byFunction.get(of) ?? []
    // A function replaces the relationships to the table of its name.
    const keys = [...outgoingKeys, ...inverse, ...throughJunctions].filter(
      ({ to }) => !functions.some(one => isSameName(one.function, to)),
    )
    const bySchema = Map.groupBy([...keys, ...functions], relationship =>
      relationship.kind === 'key' ? relationship.to.schema : relationship.function.schema,
    )
    return new Map([...bySchema].map(([schema, group]) => [schema, inOrder(group)]))
  })
  return (of, schema) => all(of).get(schema) ?? []
}

const swap = (pairs: readonly ColumnPair[]): readonly ColumnPair[] => pairs.map(([from, to]) => [to, from])

function invert({ from, to, fromIsView, toIsView, ...rest }: KeyRelationship): KeyRelationship {
  const isParent = rest.cardinality === 'one-to-one'
  return {
    ...rest,
    cardinality: isParent ? 'one-to-one' : 'one-to-many',
    isParent,
    from: to,
    to: from,
    columns: swap(rest.columns),
    fromIsView: toIsView,
    toIsView: fromIsView,
  }
}

/** Many-to-many, if the columns of both references belong to the junction's primary key. */
function join(
  first: KeyRelationship,
  second: KeyRelationship,
  junction: Table | undefined,
): readonly KeyRelationship[] {
  if (!junction || first.constraint === second.constraint) return []
  if (first.cardinality !== 'many-to-one' || second.cardinality !== 'many-to-one') return []
  const columns = [...first.columns, ...second.columns].map(([column]) => column)
  if (!columns.every(column => junction.primaryKey.includes(column))) return []
  return [
    {
      kind: 'key',
      cardinality: 'many-to-many',
      isParent: false,
      constraint: first.constraint,
      from: first.to,
      to: second.to,
      isSelf: isSameName(first.to, second.to),
      columns: [],
      junction: {
        table: first.from,
        toConstraint: second.constraint,
        fromColumns: swap(first.columns),
        toColumns: swap(second.columns),
      },
      fromIsView: first.toIsView,
      toIsView: second.toIsView,
    },
  ]
}

const CARDINALITIES = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many']

/** The order in which PostgREST lists ambiguous relationships. */
function inOrder(relationships: readonly Relationship[]): readonly Relationship[] {
  const keyed = relationships.map(relationship => ({ relationship, key: keyOf(relationship) }))
  return keyed.toSorted((one, b) => compareTexts(one.key, b.key)).map(({ relationship }) => relationship)
}

function keyOf(relationship: Relationship): string {
  const { from, to } = relationship
  const flag = (value: boolean) => (value ? '1' : '0')
  if (relationship.kind === 'computed')
    return sortKey(['1', relationship.function.schema, relationship.function.name, from.schema, from.name])
  const { cardinality, constraint, columns, junction, isSelf, isParent, fromIsView, toIsView } = relationship
  // A list ends with an empty text, so that it comes before longer ones.
  const list = (pairs: readonly ColumnPair[]) => [...pairs.flat(), '']
  const via = junction
    ? [
        junction.table.schema,
        junction.table.name,
        constraint,
        junction.toConstraint,
        ...list(junction.fromColumns),
        ...list(junction.toColumns),
      ]
    : [constraint, ...list(columns), flag(isParent)]
  const kind = String(CARDINALITIES.indexOf(cardinality))
  const ends = [from.schema, from.name, to.schema, to.name]
  return sortKey(['0', ...ends, flag(isSelf), kind, ...via, flag(fromIsView), flag(toIsView)])
}
