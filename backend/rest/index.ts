// The REST service: lite's PostgREST, and the OpenAPI root that lite does not serve.
import { readsBefore, refuseTrial, stillThere, withoutKept } from './deleted-rows.ts'
import { describeAccess } from './access-catalog.ts'
import { describeSchema, type OpenApi } from './openapi.ts'
import { json, restError } from '../shared/errors.ts'
import type { Clock } from '../shared/clock.ts'
import { textOf } from '../shared/fields.ts'
import { refuseBulk } from './bulk.ts'
import { callerOfToken, sentToken } from './token-claims.ts'
import { bearerOf, type Claims, type Tokens } from '../keys/index.ts'
import type { Database } from '../database/index.ts'

export { openRest } from './open.ts'

/** Until the engine replaces lite, both can be compared. */
export const usesOwnEngine = process.env['CHARTROOM_REST'] === 'own'

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
  if (response.status < 400) return response
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const code = textOf(body, 'code')
  if (code === undefined || !/^\w+$/.test(code)) return response
  const { status, headers } = response
  const named = new Headers(headers)
  named.set('proxy-status', `PostgREST; error=${code}`)
  named.set('content-type', 'application/json; charset=utf-8')
  if (status === 401 && !named.has('www-authenticate')) named.set('www-authenticate', 'Bearer')
  return new Response(response.body, { status, headers: named })
}

function createHandler({
  database,
  tokens,
  clock,
}: RestDependencies): (request: Request) => Promise<Response> {
  return async request => {
    const { pathname, origin, searchParams } = new URL(request.url)
    const isRoot = /^\/rest\/v1\/?$/.test(pathname)
    if (usesOwnEngine && (!isRoot || request.method === 'OPTIONS')) {
      const caller = await callerOf(tokens, clock, request.headers)
      return caller instanceof Response ? caller : database.rest(request, caller)
    }
    // Lite would resolve such a filter to Object.prototype and omit it from the query.
    const inherited = [...searchParams.keys()].find(name => name in Object.prototype)
    if (inherited !== undefined) {
      const table = decodeURIComponent(pathname.split('/').at(-1) ?? '')
      return restError(400, '42703', `column ${table}.${inherited} does not exist`)
    }
    const claims = await callerOf(tokens, clock, request.headers)
    if (claims instanceof Response) return claims
    if (!isRoot) {
      const unsupported = refuseTrial(request) ?? (await refuseBulk(request))
      if (unsupported) return unsupported
      const answer = await database.rest(request, claims)
      if (!readsBefore(request) || !answer.ok) return answer
      return withoutKept(answer, await database.rest(stillThere(request), claims))
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return restError(405, 'PGRST117', `Unsupported HTTP method: ${request.method}`)
    }
    const closed = await refuseRoot(tokens, request.headers)
    if (closed) return closed
    const root = `${origin}/rest/v1/`
    const schema = request.headers.get('accept-profile') ?? (await defaultSchema(database, root))
    const unserved = await refuseSchema(database, { root, schema, claims })
    if (unserved) return unserved
    const description = await describeSchema(database, claims, { root, schema })
    return Response.json(description, {
      headers: { 'content-type': 'application/openapi+json; charset=utf-8' },
    })
  }
}

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

interface SchemaRequest {
  readonly root: string
  readonly schema: string
  readonly claims: Claims
}

/** Lite knows which schemas are served: it refuses others before it looks up the table. */
async function refuseSchema(
  database: Database,
  { root, schema, claims }: SchemaRequest,
): Promise<Response | undefined> {
  if (schema === 'public') return undefined
  const answer = await database.rest(
    new Request(`${root}_`, { headers: { 'accept-profile': schema } }),
    claims,
  )
  return answer.status === 406 ? answer : undefined
}

/** Lite returns the schemas in another order. */
async function defaultSchema(database: Database, root: string): Promise<string> {
  const served = await servedSchemas(database, root)
  return served.includes('public') ? 'public' : (served[0] ?? 'public')
}

/** Lite names the served schemas when it refuses another. */
async function servedSchemas(database: Database, root: string): Promise<readonly string[]> {
  const asked = { root, schema: 'which schemas are there?', claims: { role: 'anon' } }
  const refusal: unknown = await (await refuseSchema(database, asked))?.json()
  const words = ['message', 'hint'].map(name => textOf(refusal, name)).join(' ')
  const list = /(?:exposed|following): ([^"]+)/.exec(words)?.[1]
  return list === undefined ? ['public'] : list.split(/,\s*/)
}

/** Describes tables, policies, functions and buckets, whatever roles may use: for access reviews on this machine. */
export async function describeServedAccess(database: Database, url: string): Promise<unknown> {
  return describeAccess(database, await servedSchemas(database, `${url}/rest/v1/`))
}

/** The format of `chartroom schema`. */
interface SchemaFile {
  readonly format: 'chartroom-schema'
  readonly version: 1
  readonly schemas: Readonly<Record<string, OpenApi>>
}

/** Describes all served schemas, as signed-in users may use them: for the workbench on the same origin. */
export async function describeSchemas(database: Database, url: string): Promise<SchemaFile> {
  const claims = { role: 'authenticated' }
  const root = `${url}/rest/v1/`
  const described = (await servedSchemas(database, root)).map(
    async name => [name, await describeSchema(database, claims, { root, schema: name })] as const,
  )
  return {
    format: 'chartroom-schema',
    version: 1,
    schemas: Object.fromEntries(await Promise.all(described)),
  }
}
