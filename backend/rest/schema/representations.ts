// Casts of domains, and functions that produce media types.
// Sources: https://docs.postgrest.org/en/v14/references/api/domain_representations.html,
// https://docs.postgrest.org/en/v14/references/api/media_type_handlers.html
import { groupByName } from './names.ts'
import type { MediaHandler, Name } from './schema-cache.ts'

/** Implicit casts by functions between a domain and `json` or `text`, as far as `authenticator` may use them. */
export const REPRESENTATIONS = `(
  select json_agg(json_build_array(format_type(castsource, null), format_type(casttarget, null), castfunc::regproc::text))
  from pg_cast
  where castcontext = 'i' and castmethod = 'f' and (
    casttarget in ('json'::regtype, 'text'::regtype) and castsource in (select oid from domains)
    or castsource in ('json'::regtype, 'text'::regtype) and casttarget in (select oid from domains)
  ) and has_function_privilege(coalesce(to_regrole('authenticator')::oid, current_user::regrole::oid), castfunc, 'execute')
)`

export type RepresentationRow = readonly [source: string, target: string, call: string]

export function decodeRepresentations(
  rows: readonly RepresentationRow[],
): (source: string, target: string) => string | undefined {
  const bySource = Map.groupBy(rows, ([source]) => source)
  return (source, target) => bySource.get(source)?.find(row => row[1] === target)?.[2]
}

/**
 * Domains that are named like a media type are produced by aggregates of rows, and by functions, which REST calls for
 * itself: for their results, the domain is the handler.
 */
export const MEDIA_HANDLERS = `(
  with media as (
    select oid, typname, typnamespace from domains where typname = '*/*' or typname ~* '^[a-z0-9.-]+/[a-z0-9.+-]+$'
  )
  select json_agg(handler) from (
    select json_build_array(p.nspname, p.proname, n.nspname, t.typname, m.typname) as handler
    from routines p join media m on m.oid = p.prorettype
    join pg_type t on t.oid = p.proargtypes[0] join pg_namespace n on n.oid = t.typnamespace
    where p.prokind = 'a' and p.pronargs = 1 and (t.oid = 'anyelement'::regtype or exists (
      select from pg_class c where c.oid = t.typrelid and c.relkind in ('r', 'p', 'v', 'm', 'f')
    ))
    union all
    select json_build_array(n.nspname, m.typname, p.nspname, p.proname, m.typname)
    from routines p join media m on m.oid = p.prorettype join pg_namespace n on n.oid = m.typnamespace
    where p.prokind = 'f' and not p.proretset
  ) handlers
)`

export type MediaHandlerRow = readonly [
  schema: string,
  name: string,
  ofSchema: string,
  of: string,
  media: string,
]

export function decodeMediaHandlers(
  rows: readonly MediaHandlerRow[],
): (of: Name | undefined, media: string) => MediaHandler | undefined {
  const handlers = rows.map(([schema, name, ofSchema, ofName, media]): MediaHandler => {
    const isAny = ofSchema === 'pg_catalog' && ofName === 'anyelement'
    return { function: { schema, name }, of: isAny ? undefined : { schema: ofSchema, name: ofName }, media }
  })
  const general = handlers.filter(({ of }) => of === undefined)
  const byName = groupByName(
    handlers.flatMap(handler => (handler.of ? [{ handler, of: handler.of }] : [])),
    ({ of }) => of,
  )
  return (of, media) => {
    const candidates = of ? (byName.get(of)?.map(({ handler }) => handler) ?? []) : general
    return candidates.find(handler => handler.media.toLowerCase() === media)
  }
}
