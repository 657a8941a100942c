// @supabase/lite without its log output: REST on our PGlite, for a caller that the backend has identified.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { prepareBody } from './body.ts'
import { takeOverTransactions } from './call.ts'
import { markNumbers } from './exact-numbers.ts'
import { nameFailure } from './failures.ts'
import { followSchema } from './schema-cache.ts'
import type { Secrets } from '../../shared/data-directory.ts'
import type { Claims } from '../../keys/index.ts'

export interface Lite {
  /** Handles a REST request with the given claims; the request's own credentials are ignored. */
  rest(request: Request, claims: Claims): Promise<Response>
}

/** What REST exposes of the database, and how many rows per request. */
export interface RestLimits {
  readonly schemas?: readonly string[]
  readonly maxRows?: number
}

/** Starts lite on a connection whose roles exist; its own auth stays off. */
export async function createLite(
  connection: PgliteConnection,
  secrets: Secrets,
  { schemas, maxRows }: RestLimits = {},
): Promise<Lite> {
  const { App } = await importQuietly()
  const app = new App({
    connection,
    auth: {
      enabled: false,
      jwt_secret: secrets.jwtSecret,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
    },
    api: { ...(schemas ? { schemas: [...schemas] } : {}), ...(maxRows ? { max_rows: maxRows } : {}) },
    studio: { enabled: false },
    storage: { enabled: false },
  })
  await app.ensureSystemSchema()
  const schema = await followSchema(connection)
  const lastError = watchErrors(connection)
  const introspect = () => quietly.run(true, () => connection.introspect({ useCache: true }))
  const calls = takeOverTransactions(connection)
  return {
    async rest(request, claims) {
      const headers = new Headers(request.headers)
      headers.set('apikey', secrets.publishableKey)
      headers.delete('authorization')
      await schema.refresh()
      lastError.take()
      const marked = await markNumbers(new Request(request, { headers }))
      const introspection = await introspect()
      const prepared = await prepareBody(marked, introspection)
      const response = await calls.run({ request, claims }, () =>
        quietly.run(true, () => app.fetch(prepared)),
      )
      return nameFailure(response, { error: lastError.take(), role: claims.role, introspection })
    },
  }
}

/** Stores the database's last error; the mutex ensures that it belongs to the request. */
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

const quietly = new AsyncLocalStorage<boolean>()

/** Lite prints every refused request with its stack; the response has enough details. */
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
  // Importing lite replaces process.emitWarning with a version that throws if a warning is not a string.
  const { emitWarning } = process
  try {
    return await import('@supabase/lite')
  } finally {
    process.emitWarning = emitWarning
  }
}
