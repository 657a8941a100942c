// Tables and views of the served schemas, with their columns.
import { compareTexts, mapByName } from './names.ts'
import type { Column, Name, Table, TableKind } from './schema-cache.ts'
import type { ViewColumns } from './view-origins.ts'

/**
 * Tables of the statement: domains with their base types, and the relations of the served schemas. Partitions are
 * not served, but other tables may have relationships to them.
 */
export const TABLES_TABLES = `
domains (oid, typname, typnamespace, base, base_namespace) as (
  with recursive steps as (
    select oid, typname, typnamespace, typbasetype as at from pg_type where typtype = 'd'
    union all
    select s.oid, s.typname, s.typnamespace, t.typbasetype from steps s join pg_type t on t.oid = s.at where t.typtype = 'd'
  )
  select s.oid, s.typname, s.typnamespace, t.oid, t.typnamespace from steps s join pg_type t on t.oid = s.at
  where t.typtype <> 'd'
),
relations as (
  select c.oid, c.relname, c.relnamespace, c.relkind, c.relispartition, s.nspname
  from pg_class c join served s on s.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and (not c.relispartition or exists (
    select from pg_constraint k where k.contype = 'f' and k.conparentid = 0 and c.oid in (k.conrelid, k.confrelid)
  ))
)`

/**
 * Reads `a` (pg_attribute), `t` (its type) and `d` (its base type, of a domain). A domain over a type that is not
 * PostgreSQL's own counts as a separate type.
 */
const BASE_TYPE = `case when coalesce(d.base_namespace, t.typnamespace) = 'pg_catalog'::regnamespace
    then format_type(coalesce(d.base, a.atttypid), null) else format_type(a.atttypid, a.atttypmod) end`

const SEQUENCE = `(
    select s.objid::regclass from pg_depend s
    where s.refclassid = 'pg_class'::regclass and s.refobjid = a.attrelid and s.refobjsubid = a.attnum
      and s.classid = 'pg_class'::regclass and s.deptype = 'i'
  )`

const LENGTH = (type: string, modifier: string) => `case
    when ${modifier} = -1 then null
    when ${type} in ('character'::regtype, 'character varying'::regtype) then ${modifier} - 4
    when ${type} in ('bit'::regtype, 'bit varying'::regtype) then ${modifier}
  end`

const COLUMN = `json_build_array(
  a.attnum, a.attname,
  (select description from pg_description where objoid = a.attrelid and classoid = 'pg_class'::regclass and objsubid = a.attnum),
  not (a.attnotnull or t.typtype = 'd' and t.typnotnull),
  format_type(a.atttypid, a.atttypmod),
  ${BASE_TYPE},
  case t.typtype when 'd' then ${LENGTH('t.typbasetype', 't.typtypmod')} else ${LENGTH('a.atttypid', 'a.atttypmod')} end,
  case
    when t.typtype = 'd' and not a.atthasdef then pg_get_expr(t.typdefaultbin, 0)
    when a.attidentity = 'd' then format('nextval(%L)', ${SEQUENCE})
    when a.atthasdef and a.attgenerated = ''
      then (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = a.attrelid and adnum = a.attnum)
  end,
  case when t.typtype in ('d', 'e')
    then (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = coalesce(d.base, t.oid)) end
)`

/**
 * Bits of the commands that are possible; of tables all: 4 update, 8 insert, 16 delete. The function fails for foreign
 * tables that nothing handles.
 */
const COMMANDS = `case
    when c.relkind in ('r', 'p') then 28
    when c.relkind = 'v' or c.relkind = 'f' and exists (
      select from pg_foreign_table f join pg_foreign_server s on s.oid = f.ftserver
      join pg_foreign_data_wrapper w on w.oid = s.srvfdw where f.ftrelid = c.oid and w.fdwhandler <> 0
    ) then pg_relation_is_updatable(c.oid, true)
    else 0
  end`

export const TABLES = `(
  select json_agg(json_build_array(
    c.oid, c.nspname, c.relname, c.relkind, c.relispartition, ${COMMANDS},
    (select description from pg_description where objoid = c.oid and classoid = 'pg_class'::regclass and objsubid = 0),
    own.columns
  ))
  from relations c left join (
    select a.attrelid, json_agg(${COLUMN} order by a.attnum) as columns
    from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid left join domains d on d.oid = t.oid
    group by a.attrelid
  ) own on own.attrelid = c.oid
)`

/** Columns that the database fills itself, of all schemas: served views may show tables of any. */
export const GENERATED = `(
  select json_agg(json_build_array(a.attrelid, a.attnum, a.attidentity = 'a'))
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where (a.attidentity = 'a' or a.attgenerated <> '') and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'f')
)`

export type GeneratedRow = readonly [relation: string, at: number, isIdentity: boolean]

/**
 * Finds what fills a column, also of views.
 * @param views origins of the columns of all views, from `traceViews`
 */
export function findGenerated(
  rows: readonly GeneratedRow[],
  views: ReadonlyMap<string, ViewColumns>,
): (relation: string, at: number) => Column['generated'] {
  const kinds = new Map(
    rows.map(
      ([relation, at, isIdentity]) => [`${relation}.${at}`, isIdentity ? 'identity' : 'expression'] as const,
    ),
  )
  return (id, number) =>
    [{ relation: id, at: number }, ...(views.get(id)?.get(number) ?? [])]
      .map(({ relation, at }) => kinds.get(`${relation}.${at}`))
      .find(kind => kind !== undefined)
}

export type RelationRow = readonly [
  id: string,
  schema: string,
  name: string,
  kind: 'r' | 'p' | 'v' | 'm' | 'f',
  isPartition: boolean,
  commands: number,
  comment: string | null,
  columns: readonly ColumnRow[] | null,
]

type ColumnRow = readonly [
  at: number,
  name: string,
  comment: string | null,
  isNullable: boolean,
  type: string,
  baseType: string,
  maxLength: number | null,
  expression: string | null,
  enumValues: readonly string[] | null,
]

/** A table or view, as keys and views refer to it. */
export interface Relation extends Name {
  readonly id: string
  readonly isView: boolean
  readonly columnNames: ReadonlyMap<number, string>
}

export function decodeRelations(rows: readonly RelationRow[]): ReadonlyMap<string, Relation> {
  return new Map(
    rows.map(([id, schema, name, kind, , , , columns]) => [
      id,
      {
        id,
        schema,
        name,
        isView: isViewKind(kind),
        columnNames: new Map(columns?.map(([at, column]) => [at, column])),
      },
    ]),
  )
}

const KINDS: Readonly<Record<RelationRow[3], TableKind>> = {
  r: 'table',
  p: 'partitioned table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
}

const isViewKind = (kind: RelationRow[3]) => kind === 'v' || kind === 'm'

const INSERT = 8
const UPDATE = 4
const DELETE = 16

interface Tables {
  readonly get: (name: Name) => Table | undefined
  readonly inSchema: (schema: string) => readonly Table[]
}

/**
 * @param primaryKey the columns of a relation's key, by its OID
 * @param generated what fills a column, by its relation's OID and its number
 */
export function decodeTables(
  rows: readonly RelationRow[],
  primaryKey: (id: string) => readonly string[],
  generated: (id: string, at: number) => Column['generated'],
): Tables {
  const tables = rows
    .filter(([, , , , isPartition]) => !isPartition)
    .map(([id, schema, name, kind, , commands, comment, columns]): Table => {
      const can = (command: number) => (commands & command) !== 0
      return {
        schema,
        name,
        comment: comment ?? undefined,
        kind: KINDS[kind],
        isView: isViewKind(kind),
        isInsertable: can(INSERT),
        isUpdatable: can(UPDATE),
        isDeletable: can(DELETE),
        primaryKey: primaryKey(id),
        columns: new Map(columns?.map(row => [row[1], decodeColumn(row, generated(id, row[0]))])),
      }
    })
  const byName = mapByName(tables.map(table => [table, table]))
  const bySchema = Map.groupBy(
    tables.toSorted((one, b) => compareTexts(one.name, b.name)),
    ({ schema }) => schema,
  )
  return { get: name => byName.get(name), inSchema: schema => bySchema.get(schema) ?? [] }
}

function decodeColumn(
  [, name, comment, isNullable, type, baseType, maxLength, expression, values]: ColumnRow,
  generated: Column['generated'],
): Column {
  return {
    name,
    comment: comment ?? undefined,
    isNullable,
    type,
    baseType,
    maxLength: maxLength ?? undefined,
    default: expression ?? undefined,
    generated,
    enumValues: values ?? [],
  }
}
