// The REST service: lite's PostgREST, and the OpenAPI root that lite does not serve.
import { readsBefore, stillThere, withoutKept } from './deleted-rows.ts'
import { describeSchema } from './openapi.ts'
import { restError } from '../shared/errors.ts'
import { bearerOf, type Tokens } from '../keys/index.ts'
import type { Database } from '../database/index.ts'

export interface RestDependencies {
  readonly database: Database
  readonly tokens: Tokens
}

/** Handles everything under `/rest/v1`; the API key is already checked and the body is in memory. */
export function createRest({ database, tokens }: RestDependencies): (request: Request) => Promise<Response> {
  return async request => {
    const { pathname, origin, searchParams } = new URL(request.url)
    // Lite would resolve such a filter to Object.prototype and omit it from the query.
    const inherited = [...searchParams.keys()].find(name => name in Object.prototype)
    if (inherited !== undefined) {
      const table = pathname.split('/').at(-1)
      return restError(400, '42703', `column ${table}.${inherited} does not exist`)
    }
    const identified = await tokens.identify(
      request.headers.get('apikey') ?? undefined,
      bearerOf(request.headers),
    )
    const isAnonymous = 'refusal' in identified && identified.refusal === 'noKey' && !tokens.needsKey
    const caller = isAnonymous ? { claims: { role: 'anon' } } : identified
    if ('refusal' in caller) {
      return caller.refusal === 'tokenExpired'
        ? restError(401, 'PGRST303', 'JWT expired')
        : restError(401, 'PGRST301', 'No suitable key or wrong key type')
    }
    if (!/^\/rest\/v1\/?$/.test(pathname)) {
      const answer = await database.rest(request, caller.claims)
      if (!readsBefore(request) || !answer.ok) return answer
      return withoutKept(answer, await database.rest(stillThere(request), caller.claims))
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return restError(405, 'PGRST117', `Unsupported HTTP method: ${request.method}`)
    }
    const root = `${origin}/rest/v1/`
    const schema = request.headers.get('accept-profile') ?? 'public'
    if (schema !== 'public') {
      // Lite knows which schemas are served: it refuses others before it looks up the table.
      const answer = await database.rest(new Request(`${root}_`, { headers: request.headers }), caller.claims)
      if (answer.status === 406) return answer
    }
    const description = await describeSchema(database, caller.claims, { root, schema })
    return Response.json(description, {
      headers: { 'content-type': 'application/openapi+json; charset=utf-8' },
    })
  }
}
