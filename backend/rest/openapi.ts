// The OpenAPI description of a schema, as served by PostgREST at its root.
import { describeFunctions } from './openapi-functions.ts'
import type { Database } from '../database/index.ts'
import type { Claims } from '../keys/index.ts'

interface ColumnRow {
  readonly table: string
  readonly table_note: string | null
  readonly column: string
  readonly type: string
  readonly category: string
  readonly nullable: boolean
  readonly default: string | null
  readonly max_length: number | null
  readonly values: string[] | null
  readonly note: string | null
  readonly is_key: boolean
  readonly ref_table: string | null
  readonly ref_column: string | null
  readonly can_insert: boolean
  readonly can_update: boolean
  readonly can_delete: boolean
}

export interface OpenApi {
  readonly swagger: '2.0'
  readonly info: Readonly<Record<string, string>>
  readonly host: string
  readonly basePath: string
  readonly schemes: readonly string[]
  readonly paths: Readonly<Record<string, unknown>>
  readonly definitions: Readonly<Record<string, unknown>>
}

const COLUMNS = `
select c.relname as "table", obj_description(c.oid, 'pg_class') as table_note, a.attname as "column",
  format_type(a.atttypid, null) as type, t.typcategory::text as category, not a.attnotnull as nullable,
  case when a.attidentity = '' and a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as "default",
  case when a.atttypid in (1042, 1043) and a.atttypmod > 4 then a.atttypmod - 4 end as max_length,
  (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid) as "values",
  col_description(c.oid, a.attnum) as note,
  exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)) as is_key,
  f.ref_table, f.ref_column,
  has_table_privilege(c.oid, 'insert') as can_insert, has_table_privilege(c.oid, 'update') as can_update,
  has_table_privilege(c.oid, 'delete') as can_delete
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join lateral (
  select r.relname as ref_table, ra.attname as ref_column from pg_constraint k
  join pg_class r on r.oid = k.confrelid
  join pg_attribute ra on ra.attrelid = r.oid and ra.attnum = k.confkey[1]
  where k.contype = 'f' and k.conrelid = c.oid and k.conkey = array[a.attnum]
    and r.relnamespace = c.relnamespace limit 1
) f on true
where c.relnamespace = (select oid from pg_namespace where nspname = $1) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and has_table_privilege(c.oid, 'select') and has_column_privilege(c.oid, a.attnum, 'select')
order by c.relname, a.attnum`

/** Describes the tables that the caller's role may select from. */
export async function describeSchema(
  database: Database,
  claims: Claims,
  { root, schema }: { readonly root: string; readonly schema: string },
): Promise<OpenApi> {
  const [columns, functions] = await database.as(claims, async tx => [
    await tx.query<ColumnRow>(COLUMNS, [schema]),
    await describeFunctions(tx, schema, type => jsonType(type, type.endsWith('[]') ? 'A' : '')),
  ])
  const tables = Map.groupBy(columns, column => column.table)
  const url = new URL(root)
  return {
    swagger: '2.0',
    info: { title: `standard ${schema} schema`, description: '', version: '12.0.0' },
    host: url.host,
    basePath: url.pathname,
    schemes: [url.protocol.replace(':', '')],
    paths: {
      '/': { get: { summary: 'OpenAPI description (this document)', tags: ['Introspection'] } },
      ...Object.fromEntries([...tables].map(([name, rows]) => [`/${name}`, describePath(name, rows)])),
      ...functions,
    },
    definitions: Object.fromEntries([...tables].map(([name, rows]) => [name, describeTable(rows)])),
  }
}

function describePath(name: string, columns: readonly ColumnRow[]): Record<string, unknown> {
  const [table] = columns
  const filters = columns.map(({ column, type, note }) => ({
    name: column,
    in: 'query',
    type: 'string',
    format: type,
    ...(note === null ? {} : { description: note }),
  }))
  const body = { name, in: 'body', schema: { $ref: `#/definitions/${name}` } }
  const operation = (status: number, description: string, parameters: readonly object[]) => ({
    tags: [name],
    ...(table?.table_note ? { summary: table.table_note } : {}),
    parameters,
    responses: { [status]: { description } },
  })
  return {
    get: operation(200, 'OK', [...filters, ...READING]),
    ...(table?.can_insert ? { post: operation(201, 'Created', [body, SELECT, PREFER]) } : {}),
    ...(table?.can_update ? { patch: operation(204, 'No Content', [...filters, body, PREFER]) } : {}),
    ...(table?.can_delete ? { delete: operation(204, 'No Content', [...filters, PREFER]) } : {}),
  }
}

const inQuery = (name: string, description: string) => ({ name, in: 'query', type: 'string', description })
const inHeader = (name: string, description: string) => ({ name, in: 'header', type: 'string', description })
const SELECT = inQuery('select', 'Columns and related tables')
const PREFER = inHeader('Prefer', 'Response preferences and write mode')
const READING = [
  SELECT,
  inQuery('order', 'Order of the rows'),
  inQuery('offset', 'Rows to skip'),
  inQuery('limit', 'Maximum number of rows'),
  inHeader('Range', 'First and last row'),
  PREFER,
]

function describeTable(columns: readonly ColumnRow[]): Record<string, unknown> {
  const note = columns[0]?.table_note
  return {
    ...(note ? { description: note } : {}),
    required: columns.filter(column => !column.nullable).map(column => column.column),
    properties: Object.fromEntries(columns.map(column => [column.column, describeColumn(column)])),
    type: 'object',
  }
}

function describeColumn(column: ColumnRow): Record<string, unknown> {
  const description = [
    column.note,
    column.is_key ? 'Note:\nThis is a Primary Key.<pk/>' : null,
    column.ref_table
      ? `Note:\nThis is a Foreign Key to \`${column.ref_table}.${column.ref_column}\`.<fk table='${column.ref_table}' column='${column.ref_column}'/>`
      : null,
  ].filter(part => part !== null)
  return {
    ...(column.default === null ? {} : { default: plainDefault(column.default) }),
    ...(description.length === 0 ? {} : { description: description.join('\n\n') }),
    ...(column.values === null ? {} : { enum: column.values }),
    ...(column.max_length === null ? {} : { maxLength: column.max_length }),
    format: column.type,
    ...jsonType(column.type, column.category),
  }
}

/** Literals lose their quotes and cast; expressions stay SQL. */
function plainDefault(expression: string): unknown {
  const literal = /^'((?:[^']|'')*)'(?:::[\w\s".[\]]+)?$/.exec(expression)?.[1]
  if (literal !== undefined) return literal.replaceAll("''", "'")
  if (/^-?\d+(\.\d+)?$/.test(expression)) return Number(expression)
  return expression === 'true' || expression === 'false' ? expression === 'true' : expression
}

const INTEGERS = ['smallint', 'integer', 'bigint']

const NUMBERS = ['real', 'double precision', 'numeric']

function jsonType(type: string, category: string): Record<string, unknown> {
  if (category === 'A') return { type: 'array', items: {} }
  if (type === 'json' || type === 'jsonb') return {}
  if (INTEGERS.includes(type)) return { type: 'integer' }
  if (category === 'N' || NUMBERS.includes(type)) return { type: 'number' }
  return { type: type === 'boolean' ? 'boolean' : 'string' }
}
