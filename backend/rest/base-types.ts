// The type behind a domain, as PostgREST describes columns.

/** A common table expression: each type; for a domain, or a domain over a domain, its base type. */
export const BASE_TYPES = `base_types (oid, base, is_native) as (
  with recursive steps as (
    select oid, oid as at, typbasetype, typnamespace from pg_type
    union all
    select s.oid, t.oid, t.typbasetype, t.typnamespace from steps s join pg_type t on t.oid = s.typbasetype
  )
  select oid, at, typnamespace = 'pg_catalog'::regnamespace from steps where typbasetype = 0
)`

/**
 * The name of a column's type: of a domain, that of its base type, unless that is not one of PostgreSQL's own.
 * Reads `a` (pg_attribute) and `b` (the base type).
 */
export const TYPE_NAME = `case when b.is_native then format_type(b.base, null) else format_type(a.atttypid, null) end`
