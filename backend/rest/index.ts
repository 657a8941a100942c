// The REST service: its callers, the engine, and descriptions of what it serves.
import { describeAccess } from './access-catalog.ts'
import { restErrorOf } from './database-error.ts'
import { json, restError } from '../shared/errors.ts'
import type { Clock } from '../shared/clock.ts'
import { textOf } from '../shared/fields.ts'
import { encodeHeader } from './request/bytes.ts'
import { callerOfToken, sentToken } from './token-claims.ts'
import { bearerOf, type Claims, type Tokens } from '../keys/index.ts'
import type { Database } from '../database/index.ts'

export { openRest } from './open.ts'

export interface RestDependencies {
  readonly database: Database
  readonly tokens: Tokens
  readonly clock: Clock
}

/** Handles everything under `/rest/v1`; the API key is already checked and the body is in memory. */
export function createRest(dependencies: RestDependencies): (request: Request) => Promise<Response> {
  const handle = createHandler(dependencies)
  return async request => withProxyStatus(await handle(request))
}

/** An error's code in a header too, as PostgREST sends it: HEAD requests have no body. */
async function withProxyStatus(response: Response): Promise<Response> {
  if (response.status < 400 || response.headers.has('proxy-status')) return response
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const code = textOf(body, 'code')
  if (code === undefined || !/^\w+$/.test(code)) return response
  const { status, headers } = response
  const allHeaders = new Headers(headers)
  allHeaders.set('proxy-status', `PostgREST; error=${code}`)
  allHeaders.set('content-type', 'application/json; charset=utf-8')
  if (status === 401 && !allHeaders.has('www-authenticate')) allHeaders.set('www-authenticate', 'Bearer')
  return new Response(response.body, { status, headers: allHeaders })
}

function createHandler({
  database,
  tokens,
  clock,
}: RestDependencies): (request: Request) => Promise<Response> {
  return async request => {
    const claims = await callerOf(tokens, clock, request.headers)
    if (claims instanceof Response) return claims
    const isRoot = /^\/rest\/v1\/?$/.test(new URL(request.url).pathname) && READS.includes(request.method)
    const closed = isRoot ? await refuseRoot(tokens, request.headers) : undefined
    if (closed) return closed
    return database.rest(request, claims).catch((error: unknown) => {
      // The request has ended the database.
      const refusal = restErrorOf(error, claims.role)
      if (!refusal) throw error
      return refusal.toResponse(request.method === 'HEAD')
    })
  }
}

const READS = ['GET', 'HEAD']

async function callerOf(tokens: Tokens, clock: Clock, headers: Headers): Promise<Claims | Response> {
  const token = sentToken(headers)
  return (
    tokens.keyHolder(headers.get('apikey') ?? undefined, token) ??
    (token === undefined ? withoutToken(tokens) : callerOfToken(tokens, token, clock.now()))
  )
}

/** Only where no key is needed is a caller without one anonymous. */
function withoutToken({ needsKey }: Tokens): Claims | Response {
  return needsKey ? restError(401, 'PGRST302', 'Anonymous access is disabled') : { role: 'anon' }
}

/** Hosted projects describe themselves to secret keys only, not to users. */
async function refuseRoot(tokens: Tokens, headers: Headers): Promise<Response | undefined> {
  const apikey = headers.get('apikey') ?? bearerOf(headers)
  const holder = await tokens.identify(apikey, undefined)
  const isSecret = 'claims' in holder && holder.claims.role === 'service_role'
  if (isSecret) return undefined
  return apikey?.includes('.')
    ? json(401, {
        message: 'Invalid API key',
        hint: 'Only the `service_role` API key can be used for this endpoint.',
      })
    : json(401, {
        message: 'Secret API key required',
        hint: 'Only secret API keys can be used for this endpoint.',
      })
}

/** Describes tables, policies, functions and buckets, whatever roles may use: for access reviews on this machine. */
export async function describeServedAccess(database: Database): Promise<unknown> {
  return describeAccess(database, await database.servedSchemas())
}

/** The format of `chartroom schema`. */
interface SchemaFile {
  readonly format: 'chartroom-schema'
  readonly version: 1
  /** OpenAPI documents. */
  readonly schemas: Readonly<Record<string, unknown>>
}

/** Describes all served schemas, as signed-in users may use them: for the workbench on the same origin. */
export async function describeSchemas(database: Database, url: string): Promise<SchemaFile> {
  const described = (await database.servedSchemas()).map(async schema => {
    const request = new Request(`${url}/rest/v1/`, { headers: { 'accept-profile': encodeHeader(schema) } })
    const response = await database.describe(request, { role: 'authenticated' })
    if (!response.ok) throw new Error(`${schema} could not be described: ${await response.text()}`)
    return [schema, await response.json()] as const
  })
  return {
    format: 'chartroom-schema',
    version: 1,
    schemas: Object.fromEntries(await Promise.all(described)),
  }
}
