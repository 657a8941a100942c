// The functions in the OpenAPI description.
import type { Queries } from '../database/index.ts'

interface FunctionRow {
  readonly name: string
  readonly note: string | null
  readonly volatility: string
  readonly argument_names: string[] | null
  readonly argument_types: string[]
  readonly defaults: number
}

/** Functions that the caller's role may execute and that can be called by name. */
const FUNCTIONS = `
select p.proname as name, obj_description(p.oid, 'pg_proc') as note, p.provolatile::text as volatility,
  p.proargnames as argument_names, p.pronargdefaults as defaults,
  array(select format_type(t.type, null) from unnest(p.proargtypes::oid[]) with ordinality t (type, at) order by at)
    as argument_types
from pg_proc p
where p.pronamespace = (select oid from pg_namespace where nspname = $1) and p.prokind = 'f' and has_function_privilege(p.oid, 'execute')
  and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
order by p.proname, p.oid`

/** JSON schemas of PostgreSQL types. */
export type TypeSchema = (type: string) => Record<string, unknown>

/** One path per function; of overloads, the last one. */
export async function describeFunctions(
  tx: Queries,
  schema: string,
  schemaOf: TypeSchema,
): Promise<Record<string, unknown>> {
  const rows = await tx.query<FunctionRow>(FUNCTIONS, [schema])
  return Object.fromEntries(rows.map(row => [`/rpc/${row.name}`, describeFunction(row, schemaOf)]))
}

function describeFunction(row: FunctionRow, schemaOf: TypeSchema): Record<string, unknown> {
  const { name, note, argument_types: types, argument_names: names, volatility } = row
  const required = types.length - row.defaults
  const parameters = types.map((type, at) => ({ name: names?.[at] ?? '', format: type, ...schemaOf(type) }))
  const operation = {
    tags: [`(rpc) ${name}`],
    ...(note === null ? {} : { summary: note }),
    produces: ['application/json', 'application/vnd.pgrst.object+json'],
    responses: { 200: { description: 'OK' } },
  }
  const properties = Object.fromEntries(parameters.map(({ name: key, ...schema }) => [key, schema]))
  const needed = parameters.slice(0, required).map(parameter => parameter.name)
  const schema = { type: 'object', properties, ...(needed.length === 0 ? {} : { required: needed }) }
  const inQuery = parameters.map((parameter, at) => ({ ...parameter, in: 'query', required: at < required }))
  return {
    ...(volatility === 'v' ? {} : { get: { ...operation, parameters: inQuery } }),
    post: { ...operation, parameters: [{ name: 'args', in: 'body', required: true, schema }] },
  }
}
