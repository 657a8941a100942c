// What the caller's role may do with the tables and functions of a schema.
import { type Fragment, raw, sql, value } from '../sql/fragment.ts'

export interface Access {
  readonly schemaComment: string | undefined
  readonly tables: ReadonlyMap<string, TableAccess>
  /** Types of the parameters, printed for the request's search path; by the function's OID. */
  readonly functions: ReadonlyMap<string, readonly string[]>
}

export interface TableAccess {
  readonly canDelete: boolean
  /** Triggers may set columns of a new row. */
  readonly hasTriggers: boolean
  readonly columns: ReadonlyMap<string, ColumnAccess>
}

interface ColumnAccess {
  readonly canSelect: boolean
  readonly canInsert: boolean
  readonly canUpdate: boolean
  /** False for expressions in views. */
  readonly isUpdatable: boolean
}

/** Texts of JSON. */
export interface AccessRow {
  readonly comment: string | null
  readonly tables: string | null
  readonly functions: string | null
}

type TableRow = readonly [
  name: string,
  canDelete: boolean,
  hasTriggers: boolean,
  columns: readonly ColumnRow[] | null,
]

type ColumnRow = readonly [
  name: string,
  select: boolean,
  insert: boolean,
  update: boolean,
  isUpdatable: boolean,
]

/** Bits of a trigger's type: for each row, before the statement, insert. */
const ROW_BEFORE_INSERT = 1 | 2 | 4
const INSERT_TRIGGERS = raw(
  `select from pg_trigger g where g.tgrelid = c.oid and g.tgenabled <> 'D' and g.tgtype & ${ROW_BEFORE_INSERT} = ${ROW_BEFORE_INSERT}`,
)

/** @param isForAll whether to list tables that the role may not use */
export const accessStatement = (schema: string, isForAll: boolean): Fragment => sql`
select obj_description(n.oid, 'pg_namespace') as comment, (
  select json_agg(json_build_array(c.relname, has_table_privilege(c.oid, 'delete'), exists (${INSERT_TRIGGERS}), (
    select json_agg(json_build_array(
      a.attname, has_column_privilege(c.oid, a.attnum, 'select'), has_column_privilege(c.oid, a.attnum, 'insert'),
      has_column_privilege(c.oid, a.attnum, 'update'), c.relkind <> 'v' or pg_column_is_updatable(c.oid, a.attnum, true)
    )) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  )))
  from pg_class c where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and (
    ${raw(`${isForAll}`)} or pg_has_role(c.relowner, 'usage')
    or has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
    or has_any_column_privilege(c.oid, 'select, insert, update, references')
  )
) as tables, (
  select json_agg(json_build_array(p.oid, array(
    select format_type(t.type, null) from unnest(p.proargtypes::oid[]) with ordinality t (type, at) order by at
  ))) from pg_proc p where p.pronamespace = n.oid and p.prokind = 'f' and has_function_privilege(p.oid, 'execute')
) as functions
from pg_namespace n where n.nspname = ${value(schema)}`

export function decodeAccess({ comment, tables, functions }: AccessRow): Access {
  return {
    schemaComment: comment ?? undefined,
    tables: new Map((JSON.parse(tables ?? '[]') as readonly TableRow[]).map(decodeTable)),
    functions: new Map(JSON.parse(functions ?? '[]') as readonly (readonly [string, readonly string[]])[]),
  }
}

function decodeTable([table, canDelete, hasTriggers, columns]: TableRow): readonly [string, TableAccess] {
  const decoded = (columns ?? []).map(
    ([name, canSelect, canInsert, canUpdate, isUpdatable]) =>
      [name, { canSelect, canInsert, canUpdate, isUpdatable }] as const,
  )
  return [table, { canDelete, hasTriggers, columns: new Map(decoded) }]
}
