// The workbench's REST client: sends requests, reads counts and errors, and explains failures to the user.
import { array, safeParse } from 'valibot'
import { type ChartroomClient, describeFailure, type Failure } from '../../client/index.ts'
import { isAnyKeyOf } from '../storage/safe-record.ts'
import { parseExact } from '../text/json-format.ts'
import { type DataAction, type DataFailure, explainRest } from './explain-failure.ts'
import { explainCall, OFFLINE } from './failed-call.ts'
import { explainHost, type RestError, restErrorIn, wordsIn } from './rest-error.ts'

/** A request below the REST root, as plain data. */
export interface RestRead {
  /** Path below the REST root. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: Readonly<Record<string, string>>
}

export interface RestCall extends RestRead {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** Value of the `Prefer` header. */
  readonly prefer?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Overall timeout in milliseconds. */
  readonly deadline?: number
  readonly isLow?: boolean
  /** Called with the request's id in the recording. */
  readonly onStart?: ((request: string) => void) | undefined
}

/** Row as the backend sent it. */
type AnyRow = Readonly<Record<string, unknown>>

export type RestResponse =
  | {
      readonly ok: true
      readonly rows: readonly AnyRow[]
      /** From the response's `Content-Range`. */
      readonly total: number | null
      /** The preferences that the server applied, by its own words. */
      readonly applied?: string
      readonly request: string | undefined
    }
  | { readonly ok: false; readonly failure: DataFailure; readonly request: string | undefined }

/** A response that was read. */
export type RestAnswer =
  | {
      readonly ok: true
      readonly text: string
      readonly total: number | null
      /** From `Preference-Applied`. */
      readonly applied: string
    }
  | {
      readonly ok: false
      /** 0: no response. */
      readonly status: number
      /** A `RestError` or, without a response, what the call was rejected with. */
      readonly error: unknown
    }

type Fetch = ChartroomClient['fetch']

const parse = (text: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

const totalIn = (headers: Headers): number | null => {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  return total === undefined ? null : Number(total)
}

/** A gateway responds with HTML, which says nothing. */
const errorIn = (text: string, status: number): RestError => {
  const error = restErrorIn(parse(text))
  return error.message === '' ? { ...error, message: `The backend responded with status ${status}.` } : error
}

/**
 * Sends a request and reads its response. Never rejects, except when its signal aborted.
 * @param path below the origin, with the query
 */
export async function sendRest(
  fetch: Fetch,
  path: string,
  init: RequestInit,
  options?: Parameters<Fetch>[2],
): Promise<RestAnswer> {
  try {
    const response = await fetch(path, init, options)
    const text = init.method === 'HEAD' ? '' : await response.text()
    init.signal?.throwIfAborted()
    const { headers } = response
    if (response.ok)
      return { ok: true, text, total: totalIn(headers), applied: headers.get('preference-applied') ?? '' }
    return { ok: false, status: response.status, error: errorIn(text, response.status) }
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    return { ok: false, status: 0, error }
  }
}

const rowsSchema = array(isAnyKeyOf)

/** The rows of a response; undefined when it is not a list of rows. */
export const rowsIn = (text: string): readonly AnyRow[] | undefined => {
  const read = safeParse(rowsSchema, text === '' ? [] : parse(text))
  return read.success ? read.output : undefined
}

const ACTIONS: Readonly<Record<RestCall['method'], DataAction>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'insert',
  PATCH: 'update',
  DELETE: 'delete',
}

const initOf = ({ method, headers, prefer, body, signal }: RestCall): RequestInit => ({
  method,
  headers: {
    ...headers,
    accept: 'application/json',
    ...(prefer === undefined ? {} : { prefer }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  ...(signal === undefined ? {} : { signal }),
})

/** The path below the origin. */
const pathOf = ({ path, query }: RestRead): string => {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
  return `/rest/v1${path}${search === '' ? '' : `?${search}`}`
}

const UNREADABLE = { message: 'The response could not be read: it is not a list of rows.', retry: false }

/** Reads or writes the rows of a table. Never rejects, except when the call was aborted. */
export const callRest = async (client: ChartroomClient, call: RestCall): Promise<RestResponse> => {
  let request: string | undefined
  const options = {
    onStart: (id: string) => {
      request = id
      call.onStart?.(id)
    },
    ...(call.deadline === undefined ? {} : { deadline: call.deadline }),
    ...(call.isLow === true ? { priority: 'low' as const } : {}),
  }
  const answer = await sendRest(client.fetch, pathOf(call), initOf(call), options)
  if (!answer.ok) {
    const { status, error } = answer
    const table = decodeURIComponent(call.path.slice(1))
    if (status !== 0)
      return {
        ok: false,
        failure: await explainRest(error, status, ACTIONS[call.method], table),
        request,
      }
    const failure = await explainCall(error)
    const isOffline = failure.retry && client.status().network === 'offline'
    return { ok: false, failure: isOffline ? OFFLINE : failure, request }
  }
  const rows = rowsIn(answer.text)
  return rows !== undefined
    ? {
        ok: true,
        rows,
        total: answer.total,
        request,
        ...(answer.applied !== '' && { applied: answer.applied }),
      }
    : { ok: false, failure: UNREADABLE, request }
}

/** How a backend describes a schema. */
export type SchemaDescription =
  | { readonly phase: 'known'; /** OpenAPI. */ readonly document: unknown }
  /** The backend hides it; hosted projects show it to secret keys only. */
  | { readonly phase: 'refused'; /** The backend's own words. */ readonly message: string }
  /** The backend does not expose the schema; `served` are those it exposes. */
  | { readonly phase: 'unserved'; readonly served: readonly string[] }
  /** The host answers for the backend, which does not run. */
  | { readonly phase: 'unavailable'; readonly title: string; readonly message: string }

/** Parses PostgREST's messages, old and new. */
export const schemasIn = (text: string): readonly string[] => {
  const [, list] = /(?:schemas are exposed|one of the following): ([^"]+)/.exec(text) ?? []
  return (list ?? '').split(/,\s*/).filter(name => name !== '')
}

const openApi = 'application/openapi+json'
/** A path of no table, which every caller may ask for. */
const NOWHERE = '/rest/v1/_?limit=0'

/**
 * Reads how the backend describes the tables and functions of a schema. Rejects when aborted.
 * @param schema the backend's default when it is `public`
 */
export async function describeSchema(
  { fetch }: Pick<ChartroomClient, 'fetch'>,
  schema: string,
  signal: AbortSignal,
): Promise<
  { readonly ok: true; readonly value: SchemaDescription } | { readonly ok: false; readonly failure: Failure }
> {
  const headers = { accept: openApi, ...profileOf(schema) }
  const root = await sendRest(fetch, '/rest/v1/', { headers, signal })
  if (root.ok) {
    const document = parse(root.text)
    if (document !== undefined) return { ok: true, value: { phase: 'known', document } }
    return { ok: true, value: { phase: 'refused', message: 'The REST root is not a description.' } }
  }
  const failure = await failedWith(root)
  const value = refusalIn(root)
  // A host that explains itself says more than that the key was refused.
  const isOfKey = failure.failure.kind === 'apiKey' && value?.phase === 'refused'
  return value === undefined || isOfKey ? failure : { ok: true, value }
}

/**
 * What keeps a schema from being used, by a request for no table: a gateway that refuses the description has not
 * looked the schema up. Undefined if nothing does. Rejects when aborted.
 */
export async function findObstacle(
  { fetch }: Pick<ChartroomClient, 'fetch'>,
  schema: string,
  signal: AbortSignal,
): Promise<Extract<SchemaDescription, { phase: 'unserved' | 'unavailable' }> | undefined> {
  const headers = { accept: 'application/json', ...profileOf(schema) }
  const table = await sendRest(fetch, NOWHERE, { headers, signal })
  const refusal = table.ok ? undefined : refusalIn(table)
  return refusal?.phase === 'refused' ? undefined : refusal
}

const profileOf = (schema: string) => (schema === 'public' ? {} : { 'Accept-Profile': schema })

/** Lists the exposed schemas, which PostgREST names when it refuses another. Rejects when aborted. */
export async function exposedSchemas(
  { fetch }: Pick<ChartroomClient, 'fetch'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const headers = { accept: 'application/json', 'Accept-Profile': 'which schemas are there?' }
  const answer = await sendRest(fetch, NOWHERE, { headers, signal })
  return answer.ok ? [] : schemasIn(wordsIn(answer.error))
}

type Refused = Extract<RestAnswer, { readonly ok: false }>

const failedWith = async ({ status, error }: Refused) => ({
  ok: false as const,
  failure: await describeFailure(error, status === 0 ? undefined : status),
})

/** Undefined if the backend may answer later. */
function refusalIn({ status, error }: Refused): Exclude<SchemaDescription, { phase: 'known' }> | undefined {
  const host = explainHost(status, error)
  if (host) return { phase: 'unavailable', ...host }
  if (status === 0 || status >= 500) return undefined
  const words = wordsIn(error)
  const served = schemasIn(words.replace(/\.$/, ''))
  return served.length === 0 ? { phase: 'refused', message: words } : { phase: 'unserved', served }
}
