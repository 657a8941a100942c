// The shape of a changed table: columns and their readers, key, identity, row-level security.
import type { Queries } from '../../database/index.ts'
import type { Claims } from '../../keys/index.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Column {
  readonly name: string
  /** The short name of its type, e.g. `int8`, as sent to clients. */
  readonly type: string
  /** The type in SQL syntax, without a length. */
  readonly sqlType: string
  readonly isKey: boolean
  /** Part of the replica identity, which identifies an old row. */
  readonly isIdentity: boolean
  /** The roles that may select it. */
  readonly readers: readonly string[]
}

export interface TableShape {
  /** Schema-qualified and quoted. */
  readonly name: string
  readonly columns: readonly Column[]
  readonly hasPolicies: boolean
}

type ColumnRow = Column & { readonly schema: string; readonly table: string; readonly hasPolicies: boolean }

const ROLES = ['anon', 'authenticated', 'service_role']

/** The database role of a caller. */
export function roleOf({ role }: Claims): string {
  return ROLES.includes(role) ? role : 'anon'
}

const SHAPES = `
select n.nspname "schema", c.relname "table", a.attname "name", t.typname "type",
  format_type(a.atttypid, null) "sqlType", c.relrowsecurity "hasPolicies",
  coalesce(a.attnum = any (k.indkey), false) "isKey",
  c.relreplident = 'f' or coalesce(a.attnum = any (case when c.relreplident = 'i' then i.indkey else k.indkey end), false)
    "isIdentity",
  array(select r from unnest($2::text[]) r
    where has_schema_privilege(r, n.oid, 'usage') and has_column_privilege(r, c.oid, a.attnum, 'select')) "readers"
from jsonb_to_recordset($1) as w (schema text, "table" text)
join pg_namespace n on n.nspname = w.schema
join pg_class c on c.relnamespace = n.oid and c.relname = w."table" and c.relkind = 'r'
left join pg_index k on k.indrelid = c.oid and k.indisprimary
left join pg_index i on i.indrelid = c.oid and i.indisreplident
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
order by c.oid, a.attnum`

export function tableKey(schema: string, table: string): string {
  return `${quote(schema)}.${quote(table)}`
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Shapes of the existing tables, by `tableKey`. */
export async function describeTables(
  tx: Queries,
  requestedTables: readonly { schema: string; table: string }[],
): Promise<ReadonlyMap<string, TableShape>> {
  const tables = new Map(
    requestedTables.map(({ schema, table }) => [tableKey(schema, table), { schema, table }]),
  )
  if (tables.size === 0) return new Map()
  const rows = await tx.query<ColumnRow>(SHAPES, [JSON.stringify([...tables.values()]), ROLES])
  const grouped = Map.groupBy(rows, row => tableKey(row.schema, row.table))
  return new Map(
    [...grouped].map(([name, columns]) => [
      name,
      { name, columns, hasPolicies: columns[0]?.hasPolicies ?? true },
    ]),
  )
}
