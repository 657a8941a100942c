// What a change needs to know of its table: columns, primary key, row-level security, replica identity.
import type { Queries } from '../database.ts'

export type Row = Readonly<Record<string, unknown>>

export interface TableShape {
  /** Schema-qualified and quoted. */
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Column types as SQL writes them. */
  readonly types: ReadonlyMap<string, string>
  readonly primaryKey: readonly string[]
  readonly hasPolicies: boolean
  /** The part of an old row that subscribers may see. */
  oldRecord(row: Row): Row
}

interface ColumnRow {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly udt: string
  readonly type: string
  readonly is_key: boolean
  readonly has_policies: boolean
  readonly is_full: boolean
}

const SHAPES = `
select n.nspname as schema, c.relname as "table", a.attname as name, t.typname as udt,
  format_type(a.atttypid, a.atttypmod) as type, c.relrowsecurity as has_policies, c.relreplident = 'f' as is_full,
  exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)) as is_key
from jsonb_to_recordset($1) as w (schema text, "table" text)
join pg_namespace n on n.nspname = w.schema
join pg_class c on c.relnamespace = n.oid and c.relname = w."table" and c.relkind in ('r', 'p')
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
order by c.oid, a.attnum`

export function tableKey(schema: string, table: string): string {
  return `${quote(schema)}.${quote(table)}`
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Shapes of the tables that exist, by `tableKey`. */
export async function describeTables(
  tx: Queries,
  wanted: readonly { schema: string; table: string }[],
): Promise<ReadonlyMap<string, TableShape>> {
  const tables = new Map(wanted.map(({ schema, table }) => [tableKey(schema, table), { schema, table }]))
  if (tables.size === 0) return new Map()
  const rows = await tx.query<ColumnRow>(SHAPES, [JSON.stringify([...tables.values()])])
  const grouped = Map.groupBy(rows, row => tableKey(row.schema, row.table))
  return new Map([...grouped].map(([name, columns]) => [name, toShape(name, columns)]))
}

function toShape(name: string, rows: readonly ColumnRow[]): TableShape {
  const primaryKey = rows.filter(row => row.is_key).map(row => row.name)
  const hasPolicies = rows[0]?.has_policies ?? true
  const showsAll = rows[0]?.is_full === true && !hasPolicies
  return {
    name,
    columns: rows.map(row => ({ name: row.name, type: row.udt })),
    types: new Map(rows.map(row => [row.name, row.type])),
    primaryKey,
    hasPolicies,
    oldRecord: row =>
      showsAll
        ? row
        : Object.fromEntries(Object.entries(row).filter(([column]) => primaryKey.includes(column))),
  }
}
