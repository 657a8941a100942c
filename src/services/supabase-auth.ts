// The auth ports: one call each, through a bare AuthClient that holds no session and so can't refresh by itself.
import { AuthClient, isAuthError } from '@supabase/auth-js'
import { timedOut, type Failure } from '../machines/failure.ts'
import type {
  AuthenticateEvent,
  ReadEvent,
  RemoveEvent,
  RevokeEvent,
  SignOutScope,
} from '../machines/ports.ts'
import { holdStored, keepReceived, type AuthBackend } from './auth-backend.ts'
import { authFailure, faultIdOf, retryAfterOf } from './auth-failure.ts'
import { effect } from './effect.ts'
import { CorruptSessionError, memoryStorage } from './session-store.ts'
import { createRefreshPort } from './supabase-refresh.ts'

export function createAuthPorts(backend: AuthBackend) {
  return {
    readSession: effect<unknown, ReadEvent>(() => readStored(backend)),
    authenticate: effect<{ readonly attempt: string }, AuthenticateEvent>((input, signal) =>
      authenticate(backend, input.attempt, signal),
    ),
    refreshToken: createRefreshPort(backend),
    removeSession: effect<unknown, RemoveEvent>(async () => {
      await backend.store.remove()
      return { type: 'stored.removed' }
    }),
    revoke: effect<{ readonly tokenId: string; readonly scope: SignOutScope }, RevokeEvent>((input, signal) =>
      revoke(backend, input, signal),
    ),
  }
}

async function readStored(backend: AuthBackend): Promise<ReadEvent> {
  try {
    const session = await backend.store.read()
    if (session === undefined) return { type: 'stored.none' }
    return { type: 'stored.found', token: holdStored(backend, session) }
  } catch (error) {
    const message =
      error instanceof CorruptSessionError
        ? error.message
        : 'The browser does not let the stored session be read.'
    return { type: 'stored.corrupt', failure: { kind: 'auth', code: 'stored_session_unreadable', message } }
  }
}

/** A client for one call: its answer's Retry-After is caught on the way, since the client drops it. */
function authCall({ url, key, fetch, id }: AuthBackend, signal: AbortSignal) {
  let retryAfter: number | undefined
  let faultId: string | undefined
  const client = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storage: memoryStorage(),
    // Clients of one key warn of each other, as if they shared a session.
    storageKey: id(),
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
    skipAutoInitialize: true,
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, signal })
      retryAfter = retryAfterOf(response)
      faultId = faultIdOf(response)
      return response
    },
  })
  const failure = (error: unknown): Failure => {
    if (!isAuthError(error)) throw error
    const { status = 0, code, message } = error
    return authFailure({ status, code, message, retryAfter, faultId })
  }
  return { client, failure }
}

async function authenticate(
  backend: AuthBackend,
  attempt: string,
  signal: AbortSignal,
): Promise<AuthenticateEvent> {
  const credentials = backend.vault.take(attempt)
  if (!credentials) return { type: 'auth.failed', failure: timedOut('This attempt to sign in') }
  const { kind, ...secret } = credentials
  const { client, failure } = authCall(backend, signal)
  const { data, error } =
    kind === 'signIn' ? await client.signInWithPassword(secret) : await client.signUp(secret)
  if (error) return { type: 'auth.failed', failure: failure(error) }
  signal.throwIfAborted()
  if (data.session) return { type: 'auth.succeeded', token: await keepReceived(backend, data.session) }
  const user = { id: data.user?.id ?? '', email: credentials.email }
  return { type: 'auth.unconfirmed', user }
}

async function revoke(
  backend: AuthBackend,
  input: { tokenId: string; scope: SignOutScope },
  signal: AbortSignal,
): Promise<RevokeEvent> {
  const accessToken = backend.vault.session(input.tokenId)?.access_token
  backend.vault.forget()
  if (accessToken === undefined) return { type: 'revoke.succeeded' }
  const { client, failure } = authCall(backend, signal)
  const { error } = await client.admin.signOut(accessToken, input.scope)
  if (!error || [401, 403, 404].includes(error.status ?? 0)) return { type: 'revoke.succeeded' }
  return { type: 'revoke.failed', failure: failure(error) }
}
