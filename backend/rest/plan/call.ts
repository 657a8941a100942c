// Chooses the function that a request calls, and plans the call.
import type { ApiRequest, MediaType } from '../request/index.ts'
import { RestError } from '../rest-error.ts'
import type { Name, Parameter, Routine, SchemaCache } from '../schema/index.ts'
import { likeliest } from './likeliest.ts'
import type { ReadPlan } from './read-plan.ts'
import { neededColumns, returnedColumns } from './returned.ts'

export interface CallPlan {
  readonly routine: Routine
  readonly arguments: Arguments
  /** Columns of the rows that the rest of the statement needs; empty: all. */
  readonly returning: readonly string[]
}

export type Arguments =
  | { readonly kind: 'none' }
  /** One value for the only parameter, which has no name. */
  | { readonly kind: 'single'; readonly type: string; readonly value: string | Uint8Array | null }
  | { readonly kind: 'values'; readonly values: readonly ArgumentValue[] }
  /** The parameters are keys of a JSON object. */
  | {
      readonly kind: 'json'
      readonly parameters: readonly Parameter[]
      readonly text: string
      readonly isObject: boolean
    }

export interface ArgumentValue {
  readonly parameter: Parameter
  /** Several of a variadic parameter. */
  readonly value: string | readonly string[]
}

export const isScalar = ({ returns }: Routine): boolean => !returns.isComposite

export const isVoid = ({ returns: { type, isSet } }: Routine): boolean =>
  !isSet && type.schema === 'pg_catalog' && type.name === 'void'

/** Names of the arguments that a request gives. */
function argumentNames({ action, query, columns }: ApiRequest): readonly string[] {
  const args =
    action.kind === 'call' && action.via === 'POST' ? columns : query.arguments.map(([name]) => name)
  return [...new Set(args)].toSorted()
}

/** @throws RestError PGRST202, PGRST203 */
export function chooseFunction(cache: SchemaCache, name: Name, request: ApiRequest): Routine {
  const overloads = cache.functions(name)
  const names = argumentNames(request)
  const overloadMatches = overloads.filter(routine => takes(routine, names, request))
  const single = overloads.filter(
    routine => !overloadMatches.includes(routine) && takesBody(routine, request),
  )
  const candidates = overloadMatches.length > 0 ? overloadMatches : single
  const [first, second] = candidates
  if (!first) throw noFunction(cache, name, names, request)
  if (second) throw severalFunctions(candidates)
  return first
}

const isPost = ({ action }: ApiRequest): boolean => action.kind === 'call' && action.via === 'POST'

const RAW: readonly MediaType['kind'][] = ['bytes', 'text', 'xml']

function takes({ parameters }: Routine, names: readonly string[], request: ApiRequest): boolean {
  if (parameters.length === 0)
    return names.length === 0 && !(isPost(request) && RAW.includes(request.contentType.kind))
  const parameterNames = new Set(parameters.map(({ name }) => name))
  return (
    names.every(name => parameterNames.has(name)) &&
    parameters.every(({ name, isRequired }) => !isRequired || names.includes(name))
  )
}

const SINGLE_TYPES: ReadonlyMap<MediaType['kind'], readonly string[]> = new Map([
  ['json', ['json', 'jsonb']],
  ['text', ['text']],
  ['xml', ['xml']],
  ['bytes', ['bytea']],
])

function takesBody(
  { parameters: [firstParameter, ...moreParameters] }: Routine,
  request: ApiRequest,
): boolean {
  if (!firstParameter || moreParameters.length > 0 || firstParameter.name !== '' || !isPost(request))
    return false
  return SINGLE_TYPES.get(request.contentType.kind)?.includes(firstParameter.type) === true
}

export function planCall(routine: Routine, request: ApiRequest, read: ReadPlan): CallPlan {
  const returning = returnedColumns(read, neededColumns(read))
  return {
    routine,
    arguments: argumentsOf(routine, request),
    returning: returning.includes('*') ? ['*'] : returning,
  }
}

function argumentsOf({ parameters }: Routine, request: ApiRequest): Arguments {
  const [firstParameter, ...moreParameters] = parameters
  const { payload } = request
  if (firstParameter && moreParameters.length === 0 && firstParameter.name === '')
    return singleArgument(firstParameter, request)
  const names = new Set(argumentNames(request))
  const passedParameters = parameters.filter(({ name }) => names.has(name))
  if (passedParameters.length === 0) return { kind: 'none' }
  if (isPost(request) && payload?.kind === 'json')
    return { ...payload, kind: 'json', parameters: passedParameters }
  const pairs = isPost(request) && payload?.kind === 'form' ? payload.fields : request.query.arguments
  return {
    kind: 'values',
    values: passedParameters.map(parameter => {
      const values = pairs.filter(([name]) => name === parameter.name).map(([, value]) => value)
      return { parameter, value: parameter.isVariadic ? values : (values.at(-1) ?? '') }
    }),
  }
}

function singleArgument({ type }: Parameter, request: ApiRequest): Arguments {
  const { payload, query } = request
  if (payload?.kind === 'json') return { kind: 'single', type, value: payload.text }
  if (payload?.kind === 'raw')
    return {
      kind: 'single',
      type,
      value: type === 'bytea' ? payload.bytes : Buffer.from(payload.bytes).toString(),
    }
  // PostgreSQL refuses it where it is no value of the type.
  if (!payload && isPost(request)) return { kind: 'single', type, value: '' }
  const fields = payload?.kind === 'form' ? payload.fields : query.arguments
  return { kind: 'single', type, value: JSON.stringify(Object.fromEntries(fields)) }
}

function noFunction(
  cache: SchemaCache,
  { schema, name }: Name,
  names: readonly string[],
  request: ApiRequest,
): RestError {
  const list = names.join(', ')
  const single = isPost(request) ? request.contentType.kind : undefined
  const isRaw = single !== undefined && RAW.includes(single)
  const message = isRaw ? '' : names.length === 0 ? ' without parameters' : `(${list})`
  const matching =
    names.length === 0 ? ' without parameters' : ` with parameter${names.length > 1 ? 's' : ''} ${list}`
  const searched = isRaw
    ? ` with a single unnamed ${single === 'bytes' ? 'bytea' : single} parameter`
    : `${matching}${single === 'json' ? ' or with a single unnamed json/jsonb parameter' : ''}`
  return new RestError({
    status: 404,
    code: 'PGRST202',
    message: `Could not find the function ${schema}.${name}${message} in the schema cache`,
    details: `Searched for the function ${schema}.${name}${searched}, but no matches were found in the schema cache.`,
    hint: isRaw ? undefined : functionHint(cache, { schema, name }, names),
  })
}

const LEAST_LIKE = 0.75

function functionHint(
  cache: SchemaCache,
  { schema, name }: Name,
  names: readonly string[],
): string | undefined {
  const listOf = (list: readonly string[]) => `(${list.toSorted().join(', ')})`
  const overloads = cache.functions({ schema, name })
  const matchingRoutine =
    overloads.length === 0
      ? likeliest(
          name,
          cache.allFunctions(schema).map(routine => routine.name),
          LEAST_LIKE,
        )
      : likeliest(
          listOf(names),
          overloads.map(({ parameters }) => listOf(parameters.map(one => one.name))),
        )
  if (matchingRoutine === undefined) return undefined
  return `Perhaps you meant to call the function ${schema}.${overloads.length === 0 ? '' : name}${matchingRoutine}`
}

function severalFunctions(candidates: readonly Routine[]): RestError {
  const list = candidates.map(({ schema, name, parameters }) => {
    const all = parameters.map(parameter => `${parameter.name} => ${parameter.type}`)
    return `${schema}.${name}(${all.join(', ')})`
  })
  return new RestError({
    status: 300,
    code: 'PGRST203',
    message: `Could not choose the best candidate function between: ${list.join(', ')}`,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })
}
