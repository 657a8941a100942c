// What the columns of results are: their types, and the columns of tables that they are read from.
import type { Queries, SqlField } from '../database/index.ts'
import type { ColumnEditing } from './editing.ts'

export interface SqlColumn {
  readonly name: string
  /** As in SQL, such as `numeric(8,2)`. */
  readonly type: string
  /** The column of a table whose value it is, unchanged. */
  readonly origin?: SqlOrigin
  /** Absent for a plan. */
  readonly editing?: ColumnEditing | undefined
}

export interface SqlOrigin {
  readonly schema: string
  readonly table: string
  readonly column: string
}

/** Describes the columns of several results. */
export async function describeColumns(
  { query }: Pick<Queries, 'query'>,
  results: readonly (readonly SqlField[] | undefined)[],
): Promise<readonly (readonly SqlColumn[] | undefined)[]> {
  const fields = results.flatMap(result => result ?? [])
  if (fields.length === 0) return results.map(result => result && [])
  const types = await namesOfTypes(query, fields)
  const origins = await originsOf(query, fields)
  return results.map(result =>
    result?.map(field => {
      const origin = origins.get(`${field.tableId}.${field.columnId}`)
      return { name: field.name, type: types.get(typeKey(field)) ?? 'unknown', ...(origin ? { origin } : {}) }
    }),
  )
}

/** An array of PostgreSQL. */
export const arrayOf = (values: readonly number[]): string => `{${values.join()}}`
const typeKey = ({ typeId, typeModifier }: Pick<SqlField, 'typeId' | 'typeModifier'>) =>
  `${typeId} ${typeModifier}`

async function namesOfTypes(
  query: Queries['query'],
  fields: readonly SqlField[],
): Promise<Map<string, string>> {
  const distinct = [...new Map(fields.map(field => [typeKey(field), field])).values()]
  const rows = await query<{ name: string }>(
    `select coalesce(format_type(type::oid, modifier), 'unknown') as name
     from unnest($1::bigint[], $2::int[]) with ordinality as types (type, modifier, place) order by place`,
    [
      arrayOf(distinct.map(({ typeId }) => typeId)),
      arrayOf(distinct.map(({ typeModifier }) => typeModifier)),
    ],
  )
  return new Map(distinct.map((field, at) => [typeKey(field), rows[at]?.name ?? 'unknown']))
}

async function originsOf(
  query: Queries['query'],
  fields: readonly SqlField[],
): Promise<Map<string, SqlOrigin>> {
  const tables = [...new Set(fields.map(({ tableId }) => tableId))].filter(id => id !== 0)
  if (tables.length === 0) return new Map()
  const rows = await query<SqlOrigin & { id: string; number: number }>(
    `select c.oid::text as id, a.attnum::int as number, n.nspname as schema, c.relname as table, a.attname as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.oid = any ($1::bigint[]) and c.relpersistence <> 't'`,
    [arrayOf(tables)],
  )
  return new Map(
    rows.map(({ id, number, schema, table, column }) => [`${id}.${number}`, { schema, table, column }]),
  )
}
