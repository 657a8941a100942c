// Tables of a project that the API of a hosted project would refuse, because no role has a GRANT for them.
import type { Queries } from '../database/index.ts'

export interface MissingGrants {
  /** The tables and views, as in SQL. */
  readonly tables: readonly string[]
  /** Whether only `auto_expose_new_tables` gives access to them. */
  readonly isExposedBySetting: boolean
  /** Statements that give signed-in users and servers access; comments name tables without row-level security. */
  readonly sql: string
}

interface Table {
  readonly name: string
  readonly schema: string
  readonly is_open: boolean
  readonly is_closed: boolean
  readonly is_default: boolean
  readonly lacks_usage: boolean
}

const OPERATIONS = 'select, insert, update, delete'
const ROLES = 'authenticated, service_role'

/** TRUNCATE comes with the default privileges, and is hardly ever granted otherwise. */
const TABLES = `
select format('%I.%I', n.nspname, c.relname) as name, format('%I', n.nspname) as schema,
  c.relkind in ('r', 'p') and not c.relrowsecurity as is_open,
  not has_schema_privilege('authenticated', n.oid, 'usage') as lacks_usage,
  not exists (select from unnest(array['anon', 'authenticated', 'service_role']) role
    where has_table_privilege(role, c.oid, '${OPERATIONS}')
      or has_any_column_privilege(role, c.oid, 'select, insert, update')) as is_closed,
  has_table_privilege('anon', c.oid, 'truncate') and has_table_privilege('anon', c.oid, 'insert')
    and has_table_privilege('authenticated', c.oid, 'truncate') as is_default
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any ($1) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
order by n.nspname, c.relname`

/** Returns undefined if every table has a GRANT. */
export async function findMissingGrants(
  query: Queries['query'],
  { schemas, exposesNew }: { readonly schemas: readonly string[]; readonly exposesNew: boolean },
): Promise<MissingGrants | undefined> {
  const rows = await query<Table>(TABLES, [[...schemas]])
  const missing = rows.filter(table => (exposesNew ? table.is_default : table.is_closed))
  if (missing.length === 0) return undefined
  return {
    tables: missing.map(({ name }) => name),
    isExposedBySetting: exposesNew,
    sql: [...usageOf(missing), ...grantsFor(missing, rows), ...warningsFor(missing)].join('\n'),
  }
}

function usageOf(missing: readonly Table[]): string[] {
  const schemas = new Set(missing.filter(table => table.lacks_usage).map(({ schema }) => schema))
  return [...schemas].map(schema => `grant usage on schema ${schema} to anon, ${ROLES};`)
}

/** More tables than fit into a line are granted by their schema, if it has no others. */
const IN_ONE_LINE = 6

function grantsFor(missing: readonly Table[], all: readonly Table[]): string[] {
  const bySchema = Map.groupBy(missing, ({ schema }) => schema)
  return [...bySchema].map(([schema, tables]) => {
    const isWhole = all.filter(table => table.schema === schema).length === tables.length
    const names =
      isWhole && tables.length > IN_ONE_LINE
        ? `all tables in schema ${schema}`
        : `table ${tables.map(({ name }) => name).join(', ')}`
    return `grant ${OPERATIONS} on ${names} to ${ROLES};`
  })
}

function warningsFor(missing: readonly Table[]): string[] {
  const open = missing.filter(table => table.is_open).map(({ name }) => name)
  if (open.length === 0) return []
  const rest = open.length - IN_ONE_LINE
  const names = [...open.slice(0, IN_ONE_LINE), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  return [`-- No row-level security, so every user would have all rows: ${names}`]
}
