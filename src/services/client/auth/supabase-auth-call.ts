// A client for a single auth call: it holds no session, does not refresh, and its writes are intercepted.
import { GoTrueClient, isAuthError, type GoTrueClientOptions } from '@supabase/auth-js'
import type { Failure } from '../../../machines/index.ts'
import { readAuthResponse } from './auth-response.ts'
import type { AuthEndpoint } from './auth-backend.ts'
import { authFailure } from './auth-failure.ts'
import type { StoredSession } from './vault.ts'

export interface CallSession {
  /** The session for the call; passed on without expiry. */
  readonly read?: () => StoredSession | undefined
  /** Receives the session that the call would store. */
  readonly write?: (session: StoredSession) => void
}

type Storage = NonNullable<GoTrueClientOptions['storage']>

/** The supabase-js client on a custom storage, without its default channel to other tabs. */
class CallClient extends GoTrueClient {
  constructor(options: GoTrueClientOptions, storage: Storage) {
    super(options)
    this.storage = storage
  }
}

/** Creates a client for one call; see "How to own refresh". */
function createCallClient(endpoint: AuthEndpoint, session: CallSession = {}): GoTrueClient {
  const { url, key, fetch, flowType, id } = endpoint
  // Clients with the same key log a warning as if they shared a session.
  const storageKey = id()
  const options: GoTrueClientOptions = {
    url: `${url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey,
    flowType,
    fetch,
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
    skipAutoInitialize: true,
  }
  return new CallClient(options, callStorage(endpoint, storageKey, session))
}

/**
 * PKCE verifiers are stored under supabase-js's key, so that they survive the page; the session is `session`.
 */
function callStorage({ storage, storageKey }: AuthEndpoint, name: string, session: CallSession): Storage {
  const real = (key: string) => storageKey + key.slice(name.length)
  return {
    getItem(key) {
      if (key !== name) return storage.getItem(real(key))
      const held = session.read?.()
      return held ? JSON.stringify({ ...held, expires_at: null }) : null
    },
    setItem(key, value) {
      if (key !== name) return storage.setItem(real(key), value)
      session.write?.(JSON.parse(value) as StoredSession)
    },
    removeItem: key => (key === name ? undefined : storage.removeItem(real(key))),
  }
}

/**
 * Creates a client for one call that `signal` aborts, and a function that reads its errors from the response,
 * since supabase-js errors lack Retry-After and the code of a revoked session.
 */
export function authCall(endpoint: AuthEndpoint, signal: AbortSignal, session?: CallSession) {
  let refused: Response | undefined
  const fetch: typeof globalThis.fetch = async (input, init) => {
    refused = undefined
    const response = await endpoint.fetch(input, { ...init, signal })
    if (!response.ok) refused = response.clone()
    return response
  }
  const failure = async (error: unknown): Promise<Failure> => {
    if (!isAuthError(error)) throw error
    const { status = 0, code, message } = error
    return authFailure(refused ? await readAuthResponse(refused) : { status, code, message })
  }
  return { client: createCallClient({ ...endpoint, fetch }, session), failure }
}
