// Formats a call as supabase-js code, if it has a method for it.
import { bodyText, headersOf, queryOf, type CallSpec } from './call-spec.ts'
import { filterCalls } from './filter-calls.ts'
import { literal, quoted } from './js-literal.ts'
import { describeStorage } from './describe-storage.ts'

/** Undefined if supabase-js has no method for the call. */
export function supabaseJsOf(spec: CallSpec): string | undefined {
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
  const own = headers.get('accept') === 'application/vnd.pgrst.object+json' ? ['.single()'] : []
  return [
    ...(schema && schema !== 'public' ? [`.schema(${quoted(schema)})`] : []),
    ...first,
    ...filters,
    ...select,
    ...own,
  ].join('\n  ')
}

function tableWords(spec: CallSpec, rest: string, prefer: string): readonly string[] | undefined {
  if (rest === '' || rest.includes('/')) return undefined
  const query = new Map(queryOf(spec))
  const from = `.from(${quoted(decoded(rest))})`
  const body = () => literal(jsonOf(spec), 2)
  const [, count] = /count=(exact|planned|estimated)/.exec(prefer) ?? []
  switch (spec.method) {
    case 'GET':
    case 'HEAD': {
      const options = {
        ...(count !== undefined && { count }),
        ...(spec.method === 'HEAD' && { head: true }),
      }
      const select = quoted(query.get('select') ?? '*')
      const given = Object.keys(options).length === 0 ? select : `${select}, ${literal(options)}`
      return [from, `.select(${given === "'*'" ? '' : given})`]
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
  const given = isBare ? (isGet ? ', {}' : '') : `, ${literal(args, 0)}`
  return [`.rpc(${quoted(name)}${given}${isGet ? ', { get: true }' : ''})`]
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
  const name = quoted(query === '' ? rest : `${rest}?${query}`)
  return `.functions.invoke(${name}${Object.keys(options).length === 0 ? '' : `, ${literal(options)}`})`
}

/** The body as a value; text that is not JSON stays a string. */
function jsonOf(spec: CallSpec): unknown {
  if (typeof spec.body !== 'string') return spec.body
  try {
    return JSON.parse(bodyText(spec) ?? '') as unknown
  } catch {
    return spec.body
  }
}
