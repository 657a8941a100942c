// The OpenAPI description of a schema, as served by PostgREST at its root.
import { BASE_TYPES, TYPE_NAME } from './base-types.ts'
import { describeFunctions } from './openapi-functions.ts'
import { type ColumnPlace, type Trace, traceViews } from './view-columns.ts'
import type { Database } from '../database/index.ts'
import type { Claims } from '../keys/index.ts'

interface ColumnRow {
  readonly table: string
  readonly relation: string
  readonly table_note: string | null
  readonly column: string
  readonly at: number
  readonly type: string
  readonly nullable: boolean
  readonly default: string | null
  readonly max_length: number | null
  readonly values: string[] | null
  readonly note: string | null
  readonly ref_table: string | null
  readonly ref_column: string | null
  /** Whether the relation, or the column of a view, can be written at all. */
  readonly is_insertable: boolean
  readonly is_updatable: boolean
  readonly is_deletable: boolean
  readonly is_computed: boolean
  /** Whether the role may. */
  readonly can_select: boolean
  readonly can_insert: boolean
  readonly can_update: boolean
  readonly can_delete: boolean
}

/** What REST needs to know of a column of a table: a view's column inherits it. */
interface TraitRow extends ColumnPlace {
  readonly is_key: boolean
  /** Number of columns in the key. */
  readonly key_size: number
  readonly identity: string
  readonly generated: string
}

/** A column with what it inherits. */
interface Column extends ColumnRow {
  readonly isKey: boolean
  readonly generated: 'identity' | 'expression' | undefined
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

/** Lists relations, and describes columns and what can be written, as PostgREST does. */
const COLUMNS = `
with ${BASE_TYPES}
select c.relname as "table", c.oid::text as relation, obj_description(c.oid, 'pg_class') as table_note,
  a.attname as "column", a.attnum as at, ${TYPE_NAME} as type,
  not (a.attnotnull or t.typtype = 'd' and t.typnotnull) as nullable,
  case
    when t.typbasetype <> 0 and d.adbin is null then pg_get_expr(t.typdefaultbin, 0)
    when a.attidentity = 'd' then format('nextval(%L::regclass)', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
    when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid)
  end as "default",
  information_schema._pg_char_max_length(
    information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*)
  )::int as max_length,
  (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = b.base) as "values",
  col_description(c.oid, a.attnum) as note, f.ref_table, f.ref_column,
  w.written & 8 = 8 as is_insertable, w.written & 4 = 4 as is_updatable, w.written & 16 = 16 as is_deletable,
  c.relkind = 'v' and w.written & 4 = 4 and not pg_column_is_updatable(c.oid, a.attnum, true) as is_computed,
  has_column_privilege(c.oid, a.attnum, 'select') as can_select,
  has_column_privilege(c.oid, a.attnum, 'insert') as can_insert,
  has_column_privilege(c.oid, a.attnum, 'update') as can_update,
  has_table_privilege(c.oid, 'delete') as can_delete
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
join base_types b on b.oid = t.oid
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
cross join lateral (
  select case when c.relkind in ('r', 'p') then 28 when c.relkind in ('v', 'f') then pg_relation_is_updatable(c.oid, true) else 0 end
) w (written)
left join lateral (
  select r.relname as ref_table, ra.attname as ref_column from pg_constraint k
  join pg_class r on r.oid = k.confrelid
  join pg_attribute ra on ra.attrelid = r.oid and ra.attnum = k.confkey[1]
  where k.contype = 'f' and k.conrelid = c.oid and k.conkey = array[a.attnum]
    and r.relnamespace = c.relnamespace limit 1
) f on true
where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and (
    pg_has_role(c.relowner, 'usage')
    or has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
    or has_any_column_privilege(c.oid, 'select, insert, update, references')
  )
order by c.relname, a.attnum`

const TRAITS = `
select a.attrelid::text as relation, a.attnum as at, a.attidentity::text as identity, a.attgenerated::text as generated,
  k.conkey is not null as is_key, coalesce(cardinality(k.conkey), 0) as key_size
from pg_attribute a
join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'f')
left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey)
where a.attnum > 0 and not a.attisdropped and (k.conkey is not null or a.attidentity <> '' or a.attgenerated <> '')
  and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`

const placeKey = ({ relation, at }: ColumnPlace): string => `${relation}.${at}`

const GENERATED: Readonly<Record<string, Column['generated']>> = { a: 'identity' }

/** Adds the key and what is generated; columns of views inherit both, the key only if they show each of its columns. */
function inherited(rows: readonly ColumnRow[], traits: readonly TraitRow[], trace: Trace): readonly Column[] {
  const traitOf = new Map(traits.map(trait => [placeKey(trait), trait]))
  const found = rows.map(row => ({ row, trait: traitOf.get(placeKey(trace(row))) }))
  const isFirst = new Set<string>()
  const shown = new Map<string, number>()
  const keys = new Set<ColumnRow>()
  for (const { row, trait } of found) {
    if (trait?.is_key !== true) continue
    const place = `${row.relation} ${placeKey(trait)}`
    // Of a view that shows it twice, the first.
    if (isFirst.has(place)) continue
    isFirst.add(place)
    keys.add(row)
    const of = `${row.relation} ${trait.relation}`
    shown.set(of, (shown.get(of) ?? 0) + 1)
  }
  return found.map(({ row, trait }) => ({
    ...row,
    isKey:
      trait !== undefined &&
      keys.has(row) &&
      shown.get(`${row.relation} ${trait.relation}`) === trait.key_size,
    generated:
      row.is_computed || (trait !== undefined && trait.generated !== '')
        ? 'expression'
        : GENERATED[trait?.identity ?? ''],
  }))
}

/** Describes the tables on which the caller's role has a privilege. */
export async function describeSchema(
  database: Database,
  claims: Claims,
  { root, schema }: { readonly root: string; readonly schema: string },
): Promise<OpenApi> {
  const [columns, functions] = await database.as(claims, async tx => [
    inherited(
      await tx.query<ColumnRow>(COLUMNS, [schema]),
      await tx.query<TraitRow>(TRAITS),
      await traceViews(tx),
    ),
    await describeFunctions(tx, schema, jsonType),
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

function describePath(name: string, columns: readonly Column[]): Record<string, unknown> {
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
    ...(columns.some(mayInsert) ? { post: operation(201, 'Created', [body, SELECT, PREFER]) } : {}),
    ...(columns.some(mayUpdate) ? { patch: operation(204, 'No Content', [...filters, body, PREFER]) } : {}),
    ...(table?.is_deletable && table.can_delete
      ? { delete: operation(204, 'No Content', [...filters, PREFER]) }
      : {}),
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

const mayInsert = (column: Column): boolean => column.is_insertable && column.can_insert
const mayUpdate = (column: Column): boolean => column.is_updatable && column.can_update

/**
 * What PostgREST's description lacks: columns that the database generates, and privileges that the role has on other columns
 * of the table, or for reading, on none. Its presence says that both are complete.
 */
function describeOwn(columns: readonly Column[]): Record<string, unknown> {
  const generated = columns.flatMap(column =>
    column.generated === undefined ? [] : [[column.column, column.generated] as const],
  )
  const [inserts, updates] = [columns.some(mayInsert), columns.some(mayUpdate)]
  const denied = columns.flatMap(column => {
    const lacks = [
      column.can_select ? [] : ['select'],
      inserts && !column.can_insert ? ['insert'] : [],
      updates && !column.can_update ? ['update'] : [],
    ].flat()
    return lacks.length === 0 ? [] : [[column.column, lacks] as const]
  })
  return { generated: Object.fromEntries(generated), denied: Object.fromEntries(denied) }
}

function describeTable(columns: readonly Column[]): Record<string, unknown> {
  const note = columns[0]?.table_note
  return {
    ...(note ? { description: note } : {}),
    required: columns.filter(column => !column.nullable).map(column => column.column),
    properties: Object.fromEntries(columns.map(column => [column.column, describeColumn(column)])),
    type: 'object',
    'x-chartroom': describeOwn(columns),
  }
}

function describeColumn(column: Column): Record<string, unknown> {
  const description = [
    column.note,
    column.isKey ? 'Note:\nThis is a Primary Key.<pk/>' : null,
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
    ...jsonType(column.type),
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

function jsonType(type: string): Record<string, unknown> {
  if (type.endsWith('[]')) return { type: 'array', items: {} }
  if (type === 'json' || type === 'jsonb') return {}
  if (INTEGERS.includes(type)) return { type: 'integer' }
  if (NUMBERS.includes(type)) return { type: 'number' }
  return { type: type === 'boolean' ? 'boolean' : 'string' }
}
