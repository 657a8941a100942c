// @supabase/lite, started quietly: REST on our PGlite, for a caller whom we have identified.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { json, restError } from './errors.ts'
import { fieldOf, textOf } from './fields.ts'
import type { Secrets } from './data-directory.ts'
import type { Claims } from './tokens.ts'

export interface Lite {
  fetch(request: Request): Promise<Response>
  /** Answers a REST request under the given claims; what the request itself says of its caller is not read. */
  rest(request: Request, claims: Claims): Promise<Response>
}

/** Starts lite on a connection whose roles exist, and brings its auth tables up to date. */
export async function createLite(
  connection: PgliteConnection,
  secrets: Secrets,
  accessTokenSeconds: number,
): Promise<Lite> {
  const { App, InMemoryEmailDriver } = await importQuietly()
  const app = new App({
    connection,
    auth: {
      enabled: true,
      enable_signup: true,
      jwt_secret: secrets.jwtSecret,
      jwt_expiry: accessTokenSeconds,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      enable_refresh_token_rotation: true,
    },
    studio: { enabled: false },
    storage: { enabled: false },
    options: { drivers: { email: new InMemoryEmailDriver() } },
  })
  await app.ensureSystemSchema()
  const lastError = watchErrors(connection)
  const callers = speakForCallers(connection)
  const answer = async (request: Request) => {
    lastError.take()
    const response = await quietly.run(true, () => app.fetch(request))
    return response.status === 500 ? nameError(request, response, lastError.take()) : response
  }
  return {
    fetch: answer,
    async rest(request, claims) {
      const headers = new Headers(request.headers)
      headers.set('apikey', secrets.publishableKey)
      headers.delete('authorization')
      const response = await callers.run(claims, () => answer(new Request(request, { headers })))
      // Lite takes the caller for an anonymous one, who would be asked to sign in.
      if (response.status !== 401 || claims.role === 'anon') return response
      return new Response(response.body, { status: 403, headers: response.headers })
    },
  }
}

/** Lite would identify callers by its own auth; ours does, and lite's database context is told the outcome. */
function speakForCallers(connection: PgliteConnection): AsyncLocalStorage<Claims> {
  const callers = new AsyncLocalStorage<Claims>()
  const withContext: PgliteConnection['withContext'] = connection.withContext.bind(connection)
  connection.withContext = (context, work, options) => {
    const claims = callers.getStore()
    if (!claims) return withContext(context, work, options)
    const auth = { role: claims.role, uid: claims.sub ?? null, jwt: claims }
    return withContext({ ...context, auth }, work, options)
  }
  return callers
}

/** Keeps the error that the database gave last; the mutex sees to it that it belongs to the request. */
function watchErrors(connection: PgliteConnection): { take(): unknown } {
  let last: unknown
  const normalize = connection.normalizeDbError.bind(connection)
  connection.normalizeDbError = error => {
    last = error
    return normalize(error)
  }
  return {
    take() {
      const error = last
      last = undefined
      return error
    },
  }
}

/** Lite answers 500 `SUP` for errors it does not know, a check constraint or a raised exception among them. */
async function nameError(request: Request, response: Response, error: unknown): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (request.method !== 'HEAD' && fieldOf(body, 'code') !== 'SUP') return response
  const code = textOf(error, 'code')
  // Lite stumbled without asking the database, so it is the request that makes no sense to it.
  if (code === undefined) return restError(400, 'PGRST100', 'The request could not be understood')
  const [message, details, hint] = ['message', 'detail', 'hint'].map(name => textOf(error, name) ?? null)
  return json(statusOf(code), { code, message, details, hint })
}

/** PostgREST's status for a SQLSTATE that lite leaves out. */
function statusOf(code: string): number {
  if (code.startsWith('23') || code === 'P0001') return 400
  if (code.startsWith('28') || code.startsWith('0L') || code.startsWith('0P')) return 403
  return 500
}

const quietly = new AsyncLocalStorage<boolean>()

/** Lite prints every refused request with its stack; what it answers says enough. */
function hushLite(): void {
  for (const level of ['error', 'warn', 'log'] as const) {
    const print = console[level]
    console[level] = (...values: unknown[]) => {
      if (!quietly.getStore()) print(...values)
    }
  }
}

let isHushed = false

async function importQuietly() {
  if (!isHushed) hushLite()
  isHushed = true
  // Importing lite replaces process.emitWarning by one that throws on warnings that are no strings.
  const { emitWarning } = process
  try {
    return await import('@supabase/lite')
  } finally {
    process.emitWarning = emitWarning
  }
}
