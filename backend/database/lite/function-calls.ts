// Calls of functions as PostgREST resolves them: by the names of the arguments, else a single unnamed argument
// gets the whole body; objects and arrays are read as PostgreSQL reads JSON.
import { parseExactly } from '../../shared/exact-json.ts'
import { json, restError } from '../../shared/errors.ts'
import type { Introspection } from './body.ts'
import { functionIn } from './request-path.ts'
import { parseCsv } from './csv.ts'

type FunctionInfo = NonNullable<Introspection['functions']>[number]
type Arguments = Readonly<Record<string, unknown>>

/** What a call's SQL says instead of lite's. */
export interface FunctionCall {
  /** The function's name as lite writes it: without quotes. */
  readonly name: string
  readonly arguments: ReadonlyMap<string, Argument>
}

interface Argument {
  readonly value: unknown
  /** The expression, given the placeholder of the value. */
  sql(placeholder: string): string
}

/** The request for lite, and what lite must not know of it. */
export interface ReadCall {
  readonly request: Request
  readonly call: FunctionCall
  /** The schema as lite must see it: with the chosen function only, and with types that it can write. */
  readonly introspection: Introspection
  /** The type of the rows that the function returns. */
  readonly row: string | undefined
}

/** The types of a single unnamed argument, by the body's type. */
const UNNAMED: Readonly<Record<string, readonly string[]>> = {
  'application/json': ['json', 'jsonb'],
  'text/plain': ['text'],
  'text/xml': ['xml'],
  'application/octet-stream': ['bytea'],
}
const IS_RAW = new Set(['text/plain', 'text/xml', 'application/octet-stream'])

/** Lite's name for an unnamed argument. */
const BODY_ARGUMENT = 'unnamed_body'

/** Reads a request for a function; a refusal if its body cannot be for any function. */
export async function readCall(
  request: Request,
  introspection: Introspection,
): Promise<ReadCall | Response | undefined> {
  const name = functionIn(request.url)
  if (name === undefined) return undefined
  const isPost = request.method === 'POST'
  const schema = request.headers.get(isPost ? 'content-profile' : 'accept-profile') ?? 'public'
  const all = introspection.functions ?? []
  const ofName = all.filter(one => one.schema === schema && one.name === name)
  if (ofName.length === 0) return undefined
  const others = all.filter(one => !ofName.includes(one))
  const named = ofName.filter(isCallable)
  const readAs = (
    given: Request,
    functions: FunctionInfo[],
    values: FunctionCall['arguments'],
  ): ReadCall => ({
    request: given,
    call: { name: `${schema}.${name}`, arguments: values },
    introspection: { ...introspection, functions: [...others, ...functions.map(withSafeTypes)] },
    row: functions.length === 1 ? rowOf(functions[0]) : undefined,
  })
  if (!isPost) return readAs(request, named, new Map())
  const body = await readBody(request)
  if (body instanceof Response) return body
  if (!body) return readAs(request, named, new Map())
  const { type, given } = body
  const isRaw = IS_RAW.has(type)
  const names = Object.keys(given)
  const matching = named.filter(one => (isRaw ? false : takes(one, names)))
  const unnamed = named.filter(one => takesBody(one, UNNAMED[type] ?? []))
  const candidates = matching.length > 0 ? matching : unnamed
  const [chosen, isAmbiguous] = candidates
  if (isAmbiguous) return ambiguous(candidates)
  if (!chosen) {
    if (isRaw) return notFound(`${schema}.${name}`, UNNAMED[type]?.[0] ?? '')
    return readAs(withJson(request, given), named, new Map())
  }
  if (chosen.arg_types.length === 0 || chosen.arg_names.length > 0)
    return readAs(withJson(request, given), [chosen], argumentsOf(chosen, given, type))
  const [bodyType = ''] = chosen.arg_types
  const whole = { value: body.whole, sql: (placeholder: string) => `${placeholder}::${bodyType}` }
  return readAs(
    withJson(request, { [BODY_ARGUMENT]: '' }),
    [{ ...chosen, arg_names: [BODY_ARGUMENT] }],
    new Map([[BODY_ARGUMENT, whole]]),
  )
}

/** Lite refuses types whose name has quotes; without a cast, PostgreSQL finds the type itself. */
function withSafeTypes(one: FunctionInfo): FunctionInfo {
  if (!one.arg_types.some(type => type.includes('"'))) return one
  return { ...one, arg_types: one.arg_types.map(type => (type.includes('"') ? 'text' : type)) }
}

/** PostgREST knows no other functions with unnamed arguments, such as computed columns. */
function isCallable({ arg_names, arg_types }: FunctionInfo): boolean {
  const [type = ''] = arg_types
  const isOfBody = arg_types.length === 1 && Object.values(UNNAMED).flat().includes(type)
  return isOfBody || (arg_names.length === arg_types.length && !arg_names.includes(''))
}

/** Whether a function may be called with arguments of these names; the name of an unnamed one is empty. */
function takes(
  { arg_names, arg_types, arg_defaults, has_variadic }: FunctionInfo,
  names: readonly string[],
): boolean {
  const own = arg_types.map((_type, at) => arg_names[at] ?? '')
  const required = own.length - arg_defaults - (has_variadic ? 1 : 0)
  return (
    names.every(name => own.includes(name)) &&
    own.slice(0, Math.max(required, 0)).every(name => names.includes(name))
  )
}

const rowOf = (one: FunctionInfo | undefined): string | undefined =>
  one?.return_typtype === 'c' ? one.return_type.replaceAll('"', '') : undefined

function ambiguous(candidates: readonly FunctionInfo[]): Response {
  const written = candidates
    .map(({ schema, name, arg_names, arg_types }) => {
      const own = arg_types.map((type, at) => `${arg_names[at] ?? ''} => ${type}`)
      return { count: own.length, text: `${schema}.${name}(${own.join(', ')})` }
    })
    .toSorted((one, other) => one.count - other.count || (one.text < other.text ? -1 : 1))
    .map(({ text }) => text)
  return json(300, {
    code: 'PGRST203',
    message: `Could not choose the best candidate function between: ${written.join(', ')}`,
    details: null,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })
}

function takesBody({ arg_names, arg_types, has_variadic }: FunctionInfo, types: readonly string[]): boolean {
  const [type = ''] = arg_types
  return arg_names.length === 0 && arg_types.length === 1 && !has_variadic && types.includes(type)
}

function notFound(name: string, type: string): Response {
  const details = `Searched for the function ${name} with a single unnamed ${type} parameter, but no matches were found in the schema cache.`
  return restError(404, 'PGRST202', `Could not find the function ${name} in the schema cache`, details)
}

interface Body {
  /** The body's media type. */
  readonly type: string
  /** The arguments that it may be. */
  readonly given: Arguments
  /** The body as a single argument. */
  readonly whole: unknown
}

/** Nothing if lite refuses such a body. */
async function readBody(request: Request): Promise<Body | Response | undefined> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/octet-stream')
    return { type, given: {}, whole: new Uint8Array(await request.clone().arrayBuffer()) }
  const text = await request.clone().text()
  switch (type) {
    case 'text/plain':
    case 'text/xml':
      return { type, given: {}, whole: text }
    case 'application/x-www-form-urlencoded':
      return { type, given: readForm(text), whole: text }
    case 'text/csv': {
      const rows = parseCsv(text)
      return rows instanceof Response ? rows : { type, given: rows[0] ?? {}, whole: text }
    }
    case '':
    case undefined:
    case 'application/json':
      return readJson(text, new URL(request.url).searchParams.get('columns')?.split(','))
    default:
      return undefined
  }
}

/** A value that is given repeatedly is a list, for a variadic argument. */
function readForm(text: string): Arguments {
  const form = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(form.keys())].map(name => {
      const values = form.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

function readJson(text: string, columns: readonly string[] | undefined): Body | Response | undefined {
  const type = 'application/json'
  if (text === '') return { type, given: {}, whole: '' }
  let body: unknown
  try {
    body = parseExactly(text)
  } catch {
    return undefined
  }
  // PostgREST calls functions with the first row of a list.
  const rows: readonly unknown[] = Array.isArray(body) ? body : [body]
  const [row = {}] = rows
  if (columns) {
    const given = isRow(row) ? row : {}
    return { type, given: Object.fromEntries(columns.map(name => [name, given[name] ?? null])), whole: text }
  }
  if (Array.isArray(body) && !haveSameKeys(body))
    return restError(400, 'PGRST102', 'All object keys must match')
  return isRow(body) || (Array.isArray(body) && isRow(row))
    ? { type, given: isRow(row) ? row : {}, whole: text }
    : { type, given: {}, whole: '[]' }
}

const isRow = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

function haveSameKeys(rows: readonly unknown[]): boolean {
  const keysOf = (row: unknown) => (isRow(row) ? Object.keys(row).toSorted().join('\n') : undefined)
  const first = keysOf(rows[0])
  return rows.every(row => isRow(row) && keysOf(row) === first)
}

function withJson(request: Request, body: Arguments): Request {
  const headers = new Headers(request.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) })
}

/** Arguments that lite reads differently from PostgreSQL's own conversion of JSON. */
function argumentsOf(chosen: FunctionInfo, given: Arguments, type: string): FunctionCall['arguments'] {
  const isForm = type === 'application/x-www-form-urlencoded'
  const entries = Object.entries(given).flatMap(([name, value]): [string, Argument][] => {
    const argType = chosen.arg_types[chosen.arg_names.indexOf(name)] ?? ''
    const isJson = !isForm && /^jsonb?$/.test(argType)
    if (value === null || (!isJson && typeof value !== 'object')) return []
    const id = `"${name.replaceAll('"', '""')}"`
    const sql = (placeholder: string) =>
      `(select ${id} from json_to_record(${placeholder}::json) as _(${id} ${argType}))`
    return [[name, { value: JSON.stringify({ [name]: value }), sql }]]
  })
  return new Map(entries)
}

/** Quoted names and texts are left alone; lite writes names of functions and arguments without quotes. */
const TOKENS =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|(?<!\w)([A-Za-z_]\w*) := \$(\d+)(?:::[^,()]+)?|(?<!\w)([A-Za-z_]\w*\.\w+)(?=\()/g

/** Lite's SQL for a call, with the quotes that lite leaves out and the arguments as PostgREST reads them. */
export function writeCall(
  sql: string,
  parameters: readonly unknown[],
  call: FunctionCall,
): { sql: string; parameters: unknown[] } {
  const values = [...parameters]
  const written = sql.replaceAll(
    TOKENS,
    (whole: string, name: string | undefined, at: string | undefined, called: string | undefined) => {
      if (called !== undefined) return called === call.name ? `"${called.replace('.', '"."')}"` : whole
      if (name === undefined || at === undefined) return whole
      const argument = call.arguments.get(name)
      if (!argument) return whole.replace(name, `"${name}"`)
      values[Number(at) - 1] = argument.value
      const expression = argument.sql(`$${at}`)
      return name === BODY_ARGUMENT ? expression : `"${name}" := ${expression}`
    },
  )
  return { sql: written, parameters: values }
}
