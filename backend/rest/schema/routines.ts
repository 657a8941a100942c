// Functions that REST can call.
// Source: https://docs.postgrest.org/en/v14/references/api/functions.html
import { compareTexts, groupByName, sortKey } from './names.ts'
import type { Name, Parameter, Routine } from './schema-cache.ts'
import { splitEntry } from './settings.ts'

/** Tables of the statement: functions, aggregates and procedures of the served schemas. */
export const ROUTINES_TABLES = `
routines as (
  select p.oid, s.nspname, p.proname, p.prokind, p.proretset, p.prorows, p.prorettype, p.pronargs, p.pronargdefaults,
    p.proargtypes, p.proargnames, p.proargmodes, p.provolatile, p.provariadic, p.proconfig
  from pg_proc p join served s on s.oid = p.pronamespace
)`

/** Names belong to parameters by their numbers among all parameters, also where OUT parameters come first. */
const PARAMETERS = `(
  select json_agg(json_build_array(
    coalesce(a.name, ''), format_type(a.type, null), a.at <= p.pronargs - p.pronargdefaults, coalesce(a.mode = 'v', false)
  ) order by a.at)
  from unnest(p.proargnames, p.proargtypes::oid[], p.proargmodes) with ordinality as a (name, type, mode, at)
  where a.type is not null
)`

/** Without names, a function can only be called with the body of a request as its only argument. */
export const ROUTINES = `(
  select json_agg(json_build_array(
    p.oid, p.nspname, p.proname,
    (select description from pg_description where objoid = p.oid and classoid = 'pg_proc'::regclass and objsubid = 0),
    ${PARAMETERS},
    p.proretset, t.typtype = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false), n.nspname, t.typname,
    p.provolatile, p.provariadic <> 0, to_json(p.proconfig)
  ))
  from routines p left join domains d on d.oid = p.prorettype
  join pg_type t on t.oid = coalesce(d.base, p.prorettype) join pg_namespace n on n.oid = t.typnamespace
  where p.prokind = 'f' and t.oid <> 'trigger'::regtype and (
    p.proargnames is not null or p.pronargs = 0
    or p.pronargs = 1 and p.proargtypes[0] = any ('{bytea,json,jsonb,text,xml}'::regtype[])
  )
)`

export type RoutineRow = readonly [
  id: string,
  schema: string,
  name: string,
  comment: string | null,
  parameters: readonly ParameterRow[] | null,
  isSet: boolean,
  isComposite: boolean,
  typeSchema: string,
  typeName: string,
  volatility: 'v' | 's' | 'i',
  isVariadic: boolean,
  entries: readonly string[] | null,
]

type ParameterRow = readonly [name: string, type: string, isRequired: boolean, isVariadic: boolean]

const VOLATILITY = { v: 'volatile', s: 'stable', i: 'immutable' } as const

interface Routines {
  readonly byName: (name: Name) => readonly Routine[]
  readonly inSchema: (schema: string) => readonly Routine[]
}

/** @param hoisted patterns of the settings that functions may set */
export function decodeRoutines(rows: readonly RoutineRow[], hoisted: readonly string[]): Routines {
  const isHoisted = matcherOf(hoisted)
  const routines = rows
    .map(row => decodeRoutine(row, isHoisted))
    .map(routine => ({ routine, key: keyOf(routine) }))
    .toSorted(
      (one, b) =>
        compareTexts(one.routine.name, b.routine.name) ||
        one.routine.parameters.length - b.routine.parameters.length ||
        compareTexts(one.key, b.key),
    )
    .map(({ routine }) => routine)
  const byName = groupByName(routines, routine => routine)
  const bySchema = Map.groupBy(routines, ({ schema }) => schema)
  return { byName: name => byName.get(name) ?? [], inSchema: schema => bySchema.get(schema) ?? [] }
}

/** PostgREST's order of functions with equally many parameters. */
function keyOf({ comment, parameters }: Routine): string {
  const flag = (value: boolean) => (value ? '1' : '0')
  return sortKey([
    ...(comment === undefined ? ['0'] : ['1', comment]),
    ...parameters.flatMap(one => [
      one.name,
      one.type,
      one.readAs,
      flag(one.isRequired),
      flag(one.isVariadic),
    ]),
  ])
}

function decodeRoutine(
  [
    id,
    schema,
    name,
    comment,
    parameters,
    isSet,
    isComposite,
    typeSchema,
    typeName,
    volatility,
    isVariadic,
    entries,
  ]: RoutineRow,
  isHoisted: (entry: string) => boolean,
): Routine {
  const isolation = entries?.find(entry => entry.startsWith('default_transaction_isolation='))
  return {
    id,
    schema,
    name,
    comment: comment ?? undefined,
    parameters: parameters?.map(decodeParameter) ?? [],
    returns: { isSet, isComposite, type: { schema: typeSchema, name: typeName } },
    volatility: VOLATILITY[volatility],
    isVariadic,
    settings: Object.fromEntries(entries?.filter(isHoisted).map(splitEntry) ?? []),
    isolation: isolation === undefined ? undefined : isolationOf(splitEntry(isolation)[1]),
  }
}

const ISOLATIONS = ['serializable', 'repeatable read']

/** PostgreSQL's other level, `read uncommitted`, is the same as the default. */
const isolationOf = (setting: string): string =>
  ISOLATIONS.find(isolation => isolation === setting.toLowerCase()) ?? 'read committed'

/** Types whose values would be cut, or refused, without a length. */
const READ_AS = new Map([
  ['bit', 'bit varying'],
  ['bit[]', 'bit varying[]'],
  ['character', 'character varying'],
  ['character[]', 'character varying[]'],
])

const decodeParameter = ([name, type, isRequired, isVariadic]: ParameterRow): Parameter => ({
  name,
  type,
  readAs: READ_AS.get(type) ?? type,
  isRequired,
  isVariadic,
})

/** PostgREST takes the names for regular expressions; here, no text of a database becomes one. */
const matcherOf =
  (names: readonly string[]) =>
  (entry: string): boolean =>
    names.some(name => entry.includes(name))
