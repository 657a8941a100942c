// The auth ports: one call each, through a bare AuthClient that holds no session and so can't refresh by itself.
import { AuthClient, isAuthError, type Session } from '@supabase/auth-js'
import { timedOut, type Failure } from '../machines/failure.ts'
import type {
  AuthenticateEvent,
  ReadEvent,
  RefreshTokenEvent,
  RemoveEvent,
  RevokeEvent,
  SignOutScope,
} from '../machines/ports.ts'
import { authFailure, faultIdOf, readAuthAnswer, retryAfterOf } from './auth-failure.ts'
import type { Clock } from './clock.ts'
import { effect } from './effect.ts'
import { CorruptSessionError, memoryStorage, type SessionStore } from './session-store.ts'
import type { StoredSession, Vault } from './vault.ts'

export interface AuthBackend {
  readonly url: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly vault: Vault
  readonly store: SessionStore
  /** A new, unused id. */
  readonly id: () => string
}

export function createAuthPorts(backend: AuthBackend) {
  return {
    readSession: effect<unknown, ReadEvent>(() => readStored(backend)),
    authenticate: effect<{ readonly attempt: string }, AuthenticateEvent>((input, signal) =>
      authenticate(backend, input.attempt, signal),
    ),
    refreshToken: effect<{ readonly tokenId: string }, RefreshTokenEvent>((input, signal) =>
      refresh(backend, input.tokenId, signal),
    ),
    removeSession: effect<unknown, RemoveEvent>(async () => {
      await backend.store.remove()
      return { type: 'stored.removed' }
    }),
    revoke: effect<{ readonly tokenId: string; readonly scope: SignOutScope }, RevokeEvent>((input, signal) =>
      revoke(backend, input, signal),
    ),
  }
}

async function readStored({ store, vault, clock }: AuthBackend): Promise<ReadEvent> {
  try {
    const session = await store.read()
    if (session === undefined) return { type: 'stored.none' }
    return {
      type: 'stored.found',
      token: vault.keep(session, clock.now(), ageOf(session, clock.wall().getTime())),
    }
  } catch (error) {
    const message =
      error instanceof CorruptSessionError
        ? error.message
        : 'The browser does not let the stored session be read.'
    return { type: 'stored.corrupt', failure: { kind: 'auth', code: 'stored_session_unreadable', message } }
  }
}

/** Milliseconds since the session was received; by the server's clock where nothing else is known. */
function ageOf(session: StoredSession, wall: number): number {
  const receivedAt = session.received_at ?? ((session.expires_at ?? 0) - session.expires_in) * 1000
  return Math.max(0, wall - receivedAt)
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
  if (data.session) return { type: 'auth.succeeded', token: await keep(backend, data.session) }
  const user = { id: data.user?.id ?? '', email: credentials.email }
  return { type: 'auth.unconfirmed', user }
}

async function keep({ vault, store, clock }: AuthBackend, session: Session | StoredSession) {
  const received: StoredSession = { ...session, received_at: clock.wall().getTime() }
  const token = vault.keep(received, clock.now())
  // A full or forbidden storage costs the session its survival of a reload, never the session itself.
  await store.write(received).catch(() => undefined)
  return token
}

async function refresh(
  backend: AuthBackend,
  tokenId: string,
  signal: AbortSignal,
): Promise<RefreshTokenEvent> {
  const { url, key, fetch, vault, store, clock } = backend
  const held = vault.session(tokenId)
  if (!held) throw new Error(`there is no secret behind ${tokenId}`)
  const stored = await store.read().catch(() => undefined)
  if (stored && isNewerRotation(stored, held)) {
    const age = ageOf(stored, clock.wall().getTime())
    return { type: 'refresh.succeeded', token: vault.keep(stored, clock.now(), age) }
  }
  // The official client's refresh hides retries and a cooldown and loses codes: this one call is ours.
  const call = fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: key, Authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: held.refresh_token }),
    signal,
  })
  const response = await call.catch(() => undefined)
  if (!response) return { type: 'refresh.failed', failure: authFailure({ status: 0, message: '' }) }
  if (!response.ok) return { type: 'refresh.failed', failure: authFailure(await readAuthAnswer(response)) }
  const session = (await response.json()) as StoredSession
  signal.throwIfAborted()
  return { type: 'refresh.succeeded', token: await keep(backend, session) }
}

/** Another tab rotated the token already: its session is taken over instead of spending ours twice. */
function isNewerRotation(stored: StoredSession, held: StoredSession): boolean {
  return (
    stored.user.id === held.user.id &&
    stored.refresh_token !== held.refresh_token &&
    (stored.received_at ?? 0) > (held.received_at ?? 0)
  )
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
