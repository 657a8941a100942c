// What a request is for: its path, its method and its schema.
import { RestError } from '../rest-error.ts'
import type { RestSettings } from '../schema/schema-cache.ts'
import type { Action } from './api-request.ts'
import { decodeHeader, decodeSegment } from './bytes.ts'

type Resource =
  | { readonly kind: 'table'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'root' }

/** @param path Starts with a slash. */
export function readResource(
  path: string,
  { openApi, rootFunction }: Pick<RestSettings, 'openApi' | 'rootFunction'>,
): Resource {
  const [first, second, ...moreSegments] = path === '/' ? [] : path.slice(1).split('/').map(decodeSegment)
  if (first === undefined) return rootResource(openApi, rootFunction)
  if (second === undefined) return { kind: 'table', name: first }
  if (first === 'rpc' && moreSegments.length === 0) return { kind: 'function', name: second }
  throw new RestError({ status: 404, code: 'PGRST125', message: 'Invalid path specified in request URL' })
}

function rootResource(openApi: RestSettings['openApi'], rootFunction: string | undefined): Resource {
  if (openApi === 'disabled')
    throw new RestError({ status: 404, code: 'PGRST126', message: 'Root endpoint metadata is disabled' })
  return rootFunction === undefined ? { kind: 'root' } : { kind: 'function', name: rootFunction }
}

export function readAction(resource: Resource, method: string): Action {
  switch (resource.kind) {
    case 'function':
      return callAction(resource.name, method)
    case 'table':
      return tableAction(resource.name, method)
    default:
      return rootAction(method)
  }
}

function callAction(name: string, method: string): Action {
  if (method === 'GET' || method === 'HEAD' || method === 'POST')
    return { kind: 'call', function: name, via: method }
  if (method === 'OPTIONS') return { kind: 'options', of: { function: name } }
  throw new RestError({ status: 405, code: 'PGRST101', message: `Cannot use the ${method} method on RPC` })
}

function tableAction(table: string, method: string): Action {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { kind: 'read', table, isHead: method === 'HEAD' }
    case 'POST':
      return { kind: 'insert', table }
    case 'PUT':
      return { kind: 'upsert', table }
    case 'PATCH':
      return { kind: 'update', table }
    case 'DELETE':
      return { kind: 'delete', table }
    case 'OPTIONS':
      return { kind: 'options', of: { table } }
    default:
      throw unsupported(method)
  }
}

function rootAction(method: string): Action {
  if (method === 'GET' || method === 'HEAD') return { kind: 'root', isHead: method === 'HEAD' }
  if (method === 'OPTIONS') return { kind: 'options', of: 'root' }
  throw unsupported(method)
}

const unsupported = (method: string): RestError =>
  new RestError({ status: 405, code: 'PGRST117', message: `Unsupported HTTP method: ${method}` })

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** By the profile's header; writes have another one than reads. */
export function readSchema(
  { method, headers }: Request,
  schemas: readonly string[],
): { readonly schema: string; readonly namesSchema: boolean } {
  const header = headers.get(WRITES.has(method) ? 'content-profile' : 'accept-profile')
  if (header === null) return { schema: schemas[0] ?? '', namesSchema: schemas.length !== 1 }
  const schema = decodeHeader(header)
  if (schemas.includes(schema)) return { schema, namesSchema: true }
  throw new RestError({
    status: 406,
    code: 'PGRST106',
    message: `Invalid schema: ${schema}`,
    hint: `Only the following schemas are exposed: ${schemas.join(', ')}`,
  })
}
