// Formats a call as supabase-js, curl or fetch code, with placeholders for keys.
import {
  type CodeRequest,
  curlCommand,
  fetchCall,
  jsKey,
  jsString,
  maskedHeader,
} from '../../../trace/index.ts'
import { parseExact } from '../text/index.ts'
import { addressOf, bodyText, headersOf, type CallSpec, queryOf } from './call-spec.ts'

export interface CopiedCall {
  readonly supabaseJs: string
  readonly curl: string
  readonly fetch: string
}

/** The same call in three formats. URL, key and token are placeholders and never copied. */
export function copyAs(spec: CallSpec): CopiedCall {
  const fetch = fetchOf(spec)
  return { supabaseJs: supabaseJsOf(spec) ?? fetch, curl: curlOf(spec), fetch }
}

function requestOf(spec: CallSpec): CodeRequest {
  const headers = Object.entries(headersOf(spec)).map(([name, value]) => ({ name, value, isMasked: false }))
  return {
    method: spec.method,
    address: addressOf(spec),
    headers: [maskedHeader('apikey'), maskedHeader('Authorization'), ...headers],
  }
}

/** For POSIX shells, with the secrets in variables. */
function curlOf(spec: CallSpec): string {
  const text = bodyText(spec)
  return curlCommand(requestOf(spec), text === undefined ? undefined : { text })
}

function fetchOf(spec: CallSpec): string {
  const { method, body } = spec
  const text =
    typeof body === 'string'
      ? jsString(body)
      : body === undefined
        ? undefined
        : `JSON.stringify(${literal(body, 2)})`
  return [
    fetchCall(requestOf(spec), text),
    'if (!response.ok) throw new Error(await response.text())',
    ...(method === 'HEAD' ? [] : ['const data = await response.json()']),
  ].join('\n')
}

/** Undefined if supabase-js has no method for the call. */
function supabaseJsOf(spec: CallSpec): string | undefined {
  const [, family, , rest = ''] = /^\/(rest|functions|storage)\/(v1)\/(.*)$/.exec(spec.path) ?? []
  const text =
    family === 'rest'
      ? restWords(spec, rest)
      : family === 'functions'
        ? invokeWords(spec, rest)
        : family === 'storage'
          ? describeStorage(spec, rest)
          : undefined
  return text && `const { data, error } = await supabase${text}`
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function restWords(spec: CallSpec, rest: string): string | undefined {
  const headers = new Headers(headersOf(spec))
  const schema = headers.get('accept-profile') ?? headers.get('content-profile')
  const prefer = headers.get('prefer') ?? ''
  const [, rpc] = /^rpc\/([^/]+)$/.exec(rest) ?? []
  const first = rpc === undefined ? tableWords(spec, rest, prefer) : rpcWords(spec, decoded(rpc))
  if (first === undefined) return undefined
  // A function called with GET has its arguments in the query.
  const filters = rpc !== undefined && spec.method === 'GET' ? [] : filterCalls(queryOf(spec))
  const selects = spec.method === 'GET' || spec.method === 'HEAD' || prefer.includes('return=representation')
  const select = selects && rpc === undefined && spec.method !== 'GET' ? ['.select()'] : []
  const modifiers = headers.get('accept') === 'application/vnd.pgrst.object+json' ? ['.single()'] : []
  return [
    ...(schema && schema !== 'public' ? [`.schema(${jsString(schema)})`] : []),
    ...first,
    ...filters,
    ...select,
    ...modifiers,
  ].join('\n  ')
}

function tableWords(spec: CallSpec, rest: string, prefer: string): readonly string[] | undefined {
  if (rest === '' || rest.includes('/')) return undefined
  const query = new Map(queryOf(spec))
  const from = `.from(${jsString(decoded(rest))})`
  const body = () => literal(jsonOf(spec), 2)
  const [, count] = /count=(exact|planned|estimated)/.exec(prefer) ?? []
  switch (spec.method) {
    case 'GET':
    case 'HEAD': {
      const options = {
        ...(count !== undefined && { count }),
        ...(spec.method === 'HEAD' && { head: true }),
      }
      const select = jsString(query.get('select') ?? '*')
      const args = Object.keys(options).length === 0 ? select : `${select}, ${literal(options)}`
      return [from, `.select(${args === "'*'" ? '' : args})`]
    }
    case 'POST': {
      const [, resolution] = /resolution=(merge|ignore)-duplicates/.exec(prefer) ?? []
      if (resolution === undefined) return [from, `.insert(${body()})`]
      const options = {
        ...(query.has('on_conflict') && { onConflict: query.get('on_conflict') }),
        ...(resolution === 'ignore' && { ignoreDuplicates: true }),
      }
      return [from, `.upsert(${body()}${Object.keys(options).length === 0 ? '' : `, ${literal(options)}`})`]
    }
    case 'PATCH':
      return [from, `.update(${body()})`]
    case 'DELETE':
      return [from, '.delete()']
    default:
      return undefined
  }
}

function rpcWords(spec: CallSpec, name: string): readonly string[] | undefined {
  const isGet = spec.method === 'GET'
  if (!isGet && spec.method !== 'POST') return undefined
  const args = isGet ? Object.fromEntries(queryOf(spec)) : jsonOf(spec)
  const isBare =
    args === undefined || (typeof args === 'object' && args !== null && Object.keys(args).length === 0)
  const argsText = isBare ? (isGet ? ', {}' : '') : `, ${literal(args, 0)}`
  return [`.rpc(${jsString(name)}${argsText}${isGet ? ', { get: true }' : ''})`]
}

function invokeWords(spec: CallSpec, rest: string): string {
  const { method, body } = spec
  const query = new URLSearchParams(queryOf(spec).map(pair => [...pair])).toString()
  const { 'Content-Type': type, 'x-region': region, ...headers } = headersOf(spec)
  const options = {
    ...(method !== 'POST' && { method }),
    ...(region !== undefined && { region }),
    ...((Object.keys(headers).length > 0 || (type !== undefined && type !== 'application/json')) && {
      headers: {
        ...(type !== undefined && type !== 'application/json' && { 'Content-Type': type }),
        ...headers,
      },
    }),
    ...(body !== undefined && { body: jsonOf(spec) }),
  }
  const name = jsString(query === '' ? rest : `${rest}?${query}`)
  return `.functions.invoke(${name}${Object.keys(options).length === 0 ? '' : `, ${literal(options)}`})`
}

/** The body as a value; text that is not JSON stays a string. */
function jsonOf(spec: CallSpec): unknown {
  if (typeof spec.body !== 'string') return spec.body
  try {
    return parseExact(bodyText(spec) ?? '')
  } catch {
    return spec.body
  }
}

type Pair = readonly [name: string, value: string]

/** Operators with a supabase-js method of the same name that takes a column and a value. */
const METHODS: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])
const RESERVED: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
])

/** One line per condition, then the order, then the range. */
export function filterCalls(query: readonly Pair[]): readonly string[] {
  const of = (valuesName: string) => query.filter(([name]) => name === valuesName).map(([, value]) => value)
  return [
    ...query.filter(([name]) => !RESERVED.has(name)).map(filterCall),
    ...of('order').flatMap(orderCalls),
    ...rangeCalls(of('limit')[0], of('offset')[0]),
  ]
}

function filterCall([name, value]: Pair): string {
  if (name === 'or' || name === 'and') {
    const inner = /^\((.*)\)$/s.exec(value)?.[1] ?? value
    return name === 'or' ? `.or(${jsString(inner)})` : `.or(${jsString(`and(${inner})`)})`
  }
  const [, not, operator = 'eq', operand = ''] = /^(not\.)?([a-z]+(?:\([^)]*\))?)\.(.*)$/s.exec(value) ?? []
  const column = jsString(name)
  if (not !== undefined) return `.not(${column}, ${jsString(operator)}, ${plain(operator, operand)})`
  if (METHODS.has(operator)) return `.${operator}(${column}, ${jsString(operand)})`
  if (operator === 'is') return `.is(${column}, ${plain(operator, operand)})`
  if (operator === 'in') {
    const items = listOf(operand)
    if (items) return `.in(${column}, [${items.map(jsString).join(', ')}])`
  }
  return `.filter(${column}, ${jsString(operator)}, ${jsString(operand)})`
}

const plain = (operator: string, operand: string): string =>
  operator === 'is' && /^(null|true|false)$/.test(operand) ? operand : jsString(operand)

/** Items of `(a,"b,c")`. */
function listOf(operand: string): readonly string[] | undefined {
  const inner = /^\((.*)\)$/s.exec(operand)?.[1]
  if (inner === undefined) return undefined
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)].map(([, quotedItem, bare = '']) =>
    quotedItem === undefined ? bare : quotedItem.replace(/\\(.)/gs, '$1'),
  )
}

function orderCalls(order: string): readonly string[] {
  return order
    .split(',')
    .filter(part => part !== '')
    .map(part => {
      const [, column = part, words = ''] =
        /^(.*?)((?:\.(?:asc|desc|nullsfirst|nullslast)){0,2})$/s.exec(part) ?? []
      const options = [
        ...(words.includes('.desc') ? ['ascending: false'] : []),
        ...(words.includes('.nullsfirst') ? ['nullsFirst: true'] : []),
        ...(words.includes('.nullslast') ? ['nullsFirst: false'] : []),
      ]
      return `.order(${jsString(column)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`
    })
}

function rangeCalls(limit: string | undefined, offset: string | undefined): readonly string[] {
  const [from, size] = [Number(offset ?? 0), limit === undefined ? undefined : Number(limit)]
  if (size === undefined) return from > 0 ? [`.range(${from}, ${Number.MAX_SAFE_INTEGER})`] : []
  return from > 0 ? [`.range(${from}, ${from + size - 1})`] : [`.limit(${size})`]
}

/** A malformed part is not changed, without affecting the others. */
const decodedPath = (path: string): string => path.split('/').map(decoded).join('/')

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(spec: CallSpec): Fields {
  try {
    const body: unknown = typeof spec.body === 'string' ? parseExact(bodyText(spec) ?? '') : spec.body
    return typeof body === 'object' && body !== null ? (body as Fields) : {}
  } catch {
    return {}
  }
}

/** @param rest the path after `/storage/v1/`; returns undefined if supabase-js has no method for the call */
function describeStorage(spec: CallSpec, rest: string): string | undefined {
  const [, what = '', bucket = '', path = ''] =
    /^(object(?:\/(?:list|sign|public|info|authenticated|move|copy))?)\/?([^/]*)\/?(.*)$/s.exec(rest) ?? []
  const from = (text: string) => `.storage.from(${jsString(decodedPath(bucket))}).${text}`
  const fields = fieldsOf(spec)
  const name = jsString(decodedPath(path))
  switch (`${spec.method} ${what}`) {
    case 'GET object':
    case 'GET object/authenticated':
      return from(`download(${name})`)
    case 'GET object/info':
      return from(`info(${name})`)
    case 'GET object/public':
      return from(`getPublicUrl(${name})`)
    case 'POST object/list': {
      const { prefix = '', ...options } = fields
      return from(`list(${literal(prefix)}, ${literal(options)})`)
    }
    case 'POST object/sign':
      return from(`createSignedUrl(${name}, ${literal(fields['expiresIn'] ?? 3600)})`)
    case 'POST object':
      return from(`upload(${name}, file)`)
    case 'DELETE object':
      return from(`remove(${literal(path === '' ? (fields['prefixes'] ?? []) : [decodedPath(path)])})`)
    case 'POST object/move':
    case 'POST object/copy': {
      const { bucketId, sourceKey, destinationKey } = fields
      const verb = what.slice('object/'.length)
      return `.storage.from(${literal(bucketId)}).${verb}(${literal(sourceKey)}, ${literal(destinationKey)})`
    }
    default:
      return undefined
  }
}

const WIDTH = 80

/** Exact digits that JavaScript numbers would round: `{ rawJSON }` of `JSON.rawJSON`. */
const digitsOf = (value: object): string | undefined =>
  'rawJSON' in value && typeof value.rawJSON === 'string' && Object.getPrototypeOf(value) === null
    ? jsString(value.rawJSON)
    : undefined

/** A JSON value as source; on one line if it fits. */
export function literal(value: unknown, indent = 0): string {
  if (typeof value === 'string') return jsString(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const digits = digitsOf(value)
  if (digits !== undefined) return digits
  const parts = Array.isArray(value)
    ? value.map(item => literal(item, indent + 2))
    : Object.entries(value).map(([name, item]) => `${jsKey(name)}: ${literal(item, indent + 2)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const gap = Array.isArray(value) ? '' : ' '
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`
  if (line.length + indent <= WIDTH && !line.includes('\n')) return line
  const pad = ' '.repeat(indent)
  return `${open}\n${parts.map(part => `${pad}  ${part},\n`).join('')}${pad}${close}`
}
