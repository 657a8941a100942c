// What an access review needs to know of a database: tables with their columns, policies, functions and buckets,
// whatever the caller's role may see.
import type { Database } from '../database/index.ts'

/** Each type; for a domain, or a domain over a domain, its base type. */
const BASE_TYPES = `base_types (oid, base, is_native) as (
  with recursive steps as (
    select oid, oid as at, typbasetype, typnamespace from pg_type
    union all
    select s.oid, t.oid, t.typbasetype, t.typnamespace from steps s join pg_type t on t.oid = s.typbasetype
  )
  select oid, at, typnamespace = 'pg_catalog'::regnamespace from steps where typbasetype = 0
)`

/** Of a domain over one of PostgreSQL's own types, that type. */
const TYPE_NAME = `case when b.is_native then format_type(b.base, null) else format_type(a.atttypid, null) end`

/** One row with one JSON document, so that any client of PostgreSQL can run it. */
const CATALOG = `
with ${BASE_TYPES}, served as (
  select oid, nspname from pg_namespace where nspname = any ($1::text[])
), relations as (
  select c.*, s.nspname from pg_class c join served s on s.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
)
select json_build_object(
  'format', 'chartroom-access-catalog',
  'version', 1,
  'tables', coalesce((
    select json_agg(json_build_object(
      'schema', c.nspname, 'name', c.relname,
      'kind', case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
      'rowSecurity', c.relrowsecurity,
      'columnGrants', exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and a.attacl is not null),
      'invoker', coalesce(c.reloptions::text ~* 'security_invoker=(true|on|yes|1)', false),
      'columns', (
        select json_agg(json_build_object(
          'name', a.attname, 'type', ${TYPE_NAME}, 'required', a.attnotnull or t.typtype = 'd' and t.typnotnull,
          'hasDefault', a.atthasdef or a.attidentity <> '' or t.typdefaultbin is not null,
          'made', a.attgenerated <> '' or a.attidentity = 'a',
          'isKey', exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)),
          'options', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = b.base),
          'references', (
            select json_build_object('schema', rn.nspname, 'table', r.relname, 'column', ra.attname)
            from pg_constraint k join pg_class r on r.oid = k.confrelid join pg_namespace rn on rn.oid = r.relnamespace
            join pg_attribute ra on ra.attrelid = r.oid and ra.attnum = k.confkey[1]
            where k.contype = 'f' and k.conrelid = c.oid and k.conkey = array[a.attnum] order by k.conname limit 1
          )
        ) order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid join base_types b on b.oid = t.oid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      )
    ) order by c.nspname, c.relname) from relations c where c.relnatts > 0
  ), '[]'),
  'policies', coalesce((
    select json_agg(json_build_object(
      'schema', p.schemaname, 'table', p.tablename, 'name', p.policyname, 'command', lower(p.cmd),
      'permissive', p.permissive = 'PERMISSIVE', 'roles', array_to_json(p.roles), 'using', p.qual, 'check', p.with_check
    ) order by p.schemaname, p.tablename, p.policyname)
    from pg_policies p where p.schemaname in (select nspname from served) or p.schemaname = 'storage'
  ), '[]'),
  'functions', coalesce((
    select json_agg(json_build_object(
      'schema', s.nspname, 'name', p.proname, 'definer', p.prosecdef, 'isVolatile', p.provolatile = 'v',
      'args', coalesce((
        select json_agg(json_build_object(
          'name', coalesce(p.proargnames[t.at], ''), 'type', format_type(t.type, null),
          'hasDefault', t.at > p.pronargs - p.pronargdefaults
        ) order by t.at) from unnest(p.proargtypes::oid[]) with ordinality t (type, at)
      ), '[]')
    ) order by s.nspname, p.proname, p.oid)
    from pg_proc p join served s on s.oid = p.pronamespace
    where p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  ), '[]'),
  'buckets', coalesce((
    select json_agg(json_build_object('id', b.id, 'public', b.public) order by b.id) from storage.buckets b
  ), '[]')
) as catalog`

/**
 * Reads the catalog as the owner: for tools on this machine.
 * @param schemas those that REST serves
 */
export async function describeAccess(database: Database, schemas: readonly string[]): Promise<unknown> {
  const [row] = await database.owner(tx => tx.query<{ catalog: unknown }>(CATALOG, [[...schemas]]))
  return row?.catalog
}
