// @supabase/lite, started quietly: REST and the first form of auth on our PGlite.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PgliteConnection } from '@supabase/lite/pglite'
import type { Secrets } from './data-directory.ts'

export interface Lite {
  fetch(request: Request): Promise<Response>
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
  return { fetch: request => quietly.run(true, () => app.fetch(request)) }
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
