// The state of a database that tests share: what it had at first, and how it gets back to that.
import postgres from 'postgres'

/** Everything that a test may define, by the catalogs that hold it, each as one text for a comparison. */
const DEFINITIONS: readonly (readonly [catalogs: string, query: string])[] = [
  [
    'pg_namespace',
    `select concat_ws(' ', oid, nspname, nspowner, nspacl) from pg_namespace where nspname !~ '^pg_(temp|toast)'`,
  ],
  [
    'pg_class pg_index pg_sequence pg_inherits',
    `select concat_ws(' ', c.oid, relname, relowner, relkind, relrowsecurity, relforcerowsecurity, relreplident, relacl, reloptions)
     from pg_class c join pg_namespace n on n.oid = relnamespace where c.oid >= 16384 and nspname !~ '^pg_'`,
  ],
  [
    'pg_attribute pg_attrdef',
    `select concat_ws(' ', attrelid, attnum, attname, atttypid, atttypmod, attnotnull, attisdropped, attidentity, attacl, pg_get_expr(adbin, adrelid))
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid >= 16384 and attnum > 0
     and attrelid not in (select oid from pg_class where relkind in ('i', 't'))`,
  ],
  [
    'pg_proc pg_aggregate',
    `select concat_ws(' ', oid, proname, proowner, prosecdef, provolatile, proacl, proconfig, md5(prosrc)) from pg_proc`,
  ],
  [
    'pg_type pg_enum pg_range',
    `select concat_ws(' ', oid, typname, typowner, typacl, (select string_agg(enumlabel, ' ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
     from pg_type t where oid >= 16384`,
  ],
  ['pg_constraint', `select concat_ws(' ', oid, conname, pg_get_constraintdef(oid)) from pg_constraint`],
  ['pg_trigger', `select concat_ws(' ', oid, tgname, tgrelid, tgenabled, tgfoid) from pg_trigger`],
  ['pg_event_trigger', `select concat_ws(' ', oid, evtname, evtenabled, evtfoid) from pg_event_trigger`],
  ['pg_policy', `select p::text from pg_policies p`],
  ['pg_rewrite', `select concat_ws(' ', oid, pg_get_ruledef(oid)) from pg_rewrite where oid >= 16384`],
  ['pg_publication', `select p::text from pg_publication p`],
  ['pg_publication_rel pg_publication_namespace', `select r::text from pg_publication_rel r`],
  ['pg_extension', `select concat_ws(' ', extname, extversion, extnamespace) from pg_extension`],
  ['pg_authid', `select a::text from pg_authid a`],
  ['pg_auth_members', `select m::text from pg_auth_members m`],
  ['pg_db_role_setting', `select s::text from pg_db_role_setting s`],
  ['pg_database', `select concat_ws(' ', datname, datacl) from pg_database`],
  ['pg_default_acl', `select a::text from pg_default_acl a`],
  ['pg_description', `select d::text from pg_description d`],
  [
    'pg_cast pg_operator pg_opclass pg_language pg_foreign_server pg_largeobject_metadata',
    `select c::text from pg_cast c`,
  ],
]
const CATALOGS = DEFINITIONS.flatMap(([names]) => names.split(' '))

/** What a test added, as statements that remove it; baselines hold the ids of what there was before. */
const addedTo = (ids: string) => `
with before (kind, id) as (select kind, id from json_to_recordset(${quoted(ids)}) as x (kind text, id oid))
select statement from (
  select 1 as place, format('drop event trigger %I', evtname) as statement from pg_event_trigger
    where oid not in (select id from before where kind = 'event')
  union all select 2, format('drop publication %I', pubname) from pg_publication
    where oid not in (select id from before where kind = 'publication')
  union all select 3, format('drop schema %I cascade', nspname) from pg_namespace
    where oid not in (select id from before where kind = 'schema') and nspname !~ '^pg_(temp|toast)'
  union all select 4, format('drop extension if exists %I cascade', extname) from pg_extension
    where oid not in (select id from before where kind = 'extension')
  union all select 5, format('drop policy if exists %I on %s', polname, polrelid::regclass) from pg_policy
    where oid not in (select id from before where kind = 'policy') and polrelid in (select id from before where kind = 'relation')
  union all select 6, format('drop trigger if exists %I on %s', tgname, tgrelid::regclass) from pg_trigger
    where oid not in (select id from before where kind = 'trigger') and not tgisinternal
      and tgrelid in (select id from before where kind = 'relation')
  union all select 7, format('drop %s if exists %s cascade',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' when 'S' then 'sequence' else 'table' end,
      oid::regclass) from pg_class
    where oid >= 16384 and oid not in (select id from before where kind = 'relation') and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and relnamespace in (select id from before where kind = 'schema') and not relispartition
  union all select 8, format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc
    where oid >= 16384 and oid not in (select id from before where kind = 'routine') and pronamespace in (select id from before where kind = 'schema')
  union all select 9, format('drop type if exists %s cascade', oid::regtype) from pg_type
    where oid >= 16384 and oid not in (select id from before where kind = 'type') and typtype in ('e', 'd', 'r')
      and typnamespace in (select id from before where kind = 'schema')
  union all select 10, format('drop owned by %1$I cascade; drop role %1$I', rolname) from pg_authid
    where oid not in (select id from before where kind = 'role')
) as added order by place`

const IDS = `
  select 'event' as kind, oid as id from pg_event_trigger union all select 'publication', oid from pg_publication
  union all select 'schema', oid from pg_namespace union all select 'extension', oid from pg_extension
  union all select 'policy', oid from pg_policy union all select 'trigger', oid from pg_trigger
  union all select 'relation', oid from pg_class where oid >= 16384
  union all select 'routine', oid from pg_proc where oid >= 16384
  union all select 'type', oid from pg_type where oid >= 16384 union all select 'role', oid from pg_authid`

const TABLES = `
  select c.oid::regclass::text as name, string_agg(format('%I', attname), ', ' order by attnum) as columns
  from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute on attrelid = c.oid
  where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema') and attnum > 0 and not attisdropped and attgenerated = ''
  group by c.oid order by c.oid`

interface Table {
  readonly name: string
  readonly columns: string
}

/** By table or catalog: its number of rows, and the last transaction that wrote one. */
type Versions = Readonly<Record<string, string>>

export interface DatabaseState {
  /**
   * Removes what was added, and puts rows and sequences back. Returns whether that restored the first state:
   * what else was changed stays.
   */
  restore(): Promise<boolean>
}

/** Notes the state of a database whose session is a superuser's: that of PGlite. */
export async function noteState(databaseUrl: string): Promise<DatabaseState> {
  const connect = () => postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => undefined })
  const first = connect()
  const [{ ids } = { ids: '[]' }] = await first.unsafe<{ ids: string }[]>(
    `select json_agg(all_of)::text as ids from (${IDS}) as all_of`,
  )
  const tables = await first.unsafe<Table[]>(TABLES)
  const places = [...CATALOGS, ...tables.map(({ name }) => name)]
  const definitions = await definitionsIn(first, CATALOGS)
  const kept = await first.unsafe<{ name: string; rows: string | null }[]>(
    tables
      .map(({ name }) => `select '${name}' as name, json_agg(t)::text as rows from ${name} t`)
      .join(' union all '),
  )
  const sequences = await first.unsafe<{ statement: string }[]>(
    `select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value is not null) as statement
     from pg_sequences`,
  )
  let versions = await versionsOf(first, places)
  await first.end()

  async function removeAdded(sql: postgres.Sql): Promise<void> {
    const added = await sql.unsafe<{ statement: string }[]>(addedTo(ids))
    // One by one, since some remove others.
    for (const { statement } of added) await sql.unsafe(statement)
  }

  /** Without triggers and foreign keys. */
  async function putRowsBack(sql: postgres.Sql, changed: readonly Table[]): Promise<void> {
    const rows = changed.flatMap(({ name, columns }) => {
      const were = kept.find(one => one.name === name)?.rows ?? '[]'
      const all = `select ${columns} from json_populate_recordset(null::${name}, ${quoted(were)}::json)`
      return [`delete from ${name}`, `insert into ${name} (${columns}) overriding system value ${all}`]
    })
    const statements = [...rows, ...sequences.map(({ statement }) => statement)].join('; ')
    await sql.unsafe(`begin; set local session_replication_role = replica; ${statements}; commit`)
  }

  return {
    async restore() {
      const sql = connect()
      try {
        const found = await versionsOf(sql, places)
        const isChanged = (name: string) => found[name] !== versions[name]
        const hasDefined = CATALOGS.some(isChanged)
        if (hasDefined) await removeAdded(sql)
        await putRowsBack(
          sql,
          tables.filter(({ name }) => isChanged(name)),
        )
        const left = await versionsOf(sql, places)
        const others = CATALOGS.filter(name => left[name] !== versions[name])
        versions = left
        const now = await definitionsIn(sql, others)
        if (hasDefined) await sql.unsafe(`notify pgrst, 'reload schema'; notify pgrst, 'reload config'`)
        return Object.entries(now).every(([name, sum]) => definitions[name] === sum)
      } catch {
        // A table is gone, or PostgreSQL does not answer.
        return false
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
  }
}

/** @param changed catalogs whose definitions are compared */
async function definitionsIn(sql: postgres.Sql, changed: readonly string[]): Promise<Versions> {
  const parts = DEFINITIONS.filter(([catalogs]) =>
    catalogs.split(' ').some(name => changed.includes(name)),
  ).map(
    ([catalogs, query]) =>
      `select '${catalogs}' as name, md5(string_agg(one, ',' order by one)) as sum from (${query}) as all_of (one)`,
  )
  return parts.length === 0 ? {} : byName(await sql.unsafe(parts.join(' union all ')))
}

async function versionsOf(sql: postgres.Sql, places: readonly string[]): Promise<Versions> {
  const parts = places.map(
    name => `select '${name}' as name, concat_ws(' ', count(*), max(xmin::text::bigint)) as sum from ${name}`,
  )
  return byName(await sql.unsafe(parts.join(' union all ')))
}

const byName = (rows: readonly Record<string, unknown>[]): Versions =>
  Object.fromEntries(rows.map(({ name, sum }) => [String(name), String(sum)]))

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
