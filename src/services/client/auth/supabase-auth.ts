// The auth ports: sessions are loaded, refreshed and removed here; code for account requests loads on demand.
import {
  type AuthenticateEvent,
  type Failure,
  type LoadUserEvent,
  type ReadEvent,
  type RemoveEvent,
  type RevokeEvent,
  type SignOutScope,
  type StoreSessionEvent,
  type UrlEvent,
  changedElsewhere,
  type RefreshTokenEvent,
} from '../../../machines/index.ts'
import {
  holdStored,
  isSameSession,
  type AuthBackend,
  CorruptSessionError,
  isStillStored,
  keepReceived,
  parseSession,
} from './session-store.ts'
import { effect, RequestError, throwIfAborted } from '../../runtime/index.ts'
import { detectUrl } from './url-session.ts'
import { plainFailure, readAuthResponse, type AuthResponse } from './auth-response.ts'
import type { StoredSession } from './vault.ts'

interface Attempt {
  readonly attempt: string
}

export function createAuthPorts(backend: AuthBackend) {
  return {
    readSession: effect<{ readonly tokenId?: string } | undefined, ReadEvent>((input, signal) =>
      readStored(backend, input?.tokenId, signal),
    ),
    detectUrl: effect<unknown, UrlEvent>(() => detectUrl(backend)),
    authenticate: effect<Attempt, AuthenticateEvent>(async (input, signal, send) =>
      (await account(backend)).authenticate(backend, input.attempt, signal, send),
    ),
    refreshToken: effect<{ readonly tokenId: string }, RefreshTokenEvent>((input, signal) =>
      refresh(backend, input.tokenId, signal),
    ),
    storeSession: effect<Attempt, StoreSessionEvent>(async ({ attempt }, signal) => {
      const { keepNews } = await account(backend)
      const result = await keepNews(backend, signal, backend.vault.take(attempt)?.run)
      return 'token' in result
        ? { type: 'session.stored', ...result }
        : { type: 'session.storeFailed', ...result }
    }),
    loadUser: effect<unknown, LoadUserEvent>(async (_, signal) => {
      const { key, fetch, fetchAsUser = fetch } = backend
      const { keepNews } = await account(backend)
      // Calls as the user carry the API key until they are sent.
      const result = await keepNews({ ...backend, fetch: fetchAsUser }, signal, client => client.getUser(key))
      return 'token' in result ? { type: 'user.loaded', ...result } : { type: 'user.failed', ...result }
    }),
    removeSession: effect<{ readonly tokenId: string; readonly isOver: boolean }, RemoveEvent>(
      (input, signal) => remove(backend, input, signal),
    ),
    revoke: effect<{ readonly tokenId: string; readonly scope: SignOutScope }, RevokeEvent>(
      async ({ tokenId, scope }, signal, send) => {
        const { vault } = backend
        const existing = vault.session(tokenId) ?? vault.current()
        if (scope !== 'others') vault.forget()
        return (await account(backend)).revoke(backend, scope, existing, signal, send)
      },
    ),
  }
}

/** A part of the client's code is missing. */
export const unloaded: Failure = {
  kind: 'network',
  code: 'part_not_loaded',
  message: 'A part of this app could not be loaded.',
}

/** @throws RequestError like any other unreachable resource; TypeError if the app's supabase-js is too old */
async function account(backend: AuthBackend) {
  const parts = await backend.account().catch(() => {
    throw new RequestError(unloaded)
  })
  parts.checkVersion()
  return parts
}

async function readStored(
  backend: AuthBackend,
  tokenId: string | undefined,
  signal: AbortSignal,
): Promise<ReadEvent> {
  try {
    const session = await backend.store.read()
    throwIfAborted(signal)
    if (session === undefined)
      return { type: 'stored.none', ...((await backend.store.wasRemoved()) && { by: 'otherTab' }) }
    const stored = tokenId === undefined ? undefined : backend.vault.session(tokenId)
    if (stored && isSameSession(session, stored)) return { type: 'stored.same' }
    return { type: 'stored.found', token: holdStored(backend, session) }
  } catch (error) {
    const message =
      error instanceof CorruptSessionError ? error.message : 'The browser blocked reading the stored session.'
    return { type: 'stored.corrupt', failure: { kind: 'auth', code: 'stored_session_unreadable', message } }
  }
}

async function remove(
  backend: AuthBackend,
  { tokenId, isOver }: { readonly tokenId: string; readonly isOver: boolean },
  signal: AbortSignal,
): Promise<RemoveEvent> {
  const { store, vault } = backend
  const held = vault.session(tokenId)
  if (isOver) vault.forget()
  // Another tab may have stored another session; a sign-out during boot ends a session that is not held yet.
  const stored = isOver || !held ? await store.read().catch(() => held) : held
  if (!isOver && !held && stored) holdStored(backend, stored)
  if (isOver && stored?.refresh_token !== held?.refresh_token) return { type: 'stored.removed' }
  await store.remove()
  await account(backend).then(
    ({ forgetVerifiers }) => forgetVerifiers(backend, signal),
    () => undefined,
  )
  return { type: 'stored.removed' }
}

/** Refreshes with our own request instead of supabase-js's. */
async function refresh(
  backend: AuthBackend,
  tokenId: string,
  signal: AbortSignal,
): Promise<RefreshTokenEvent> {
  const askedAt = backend.clock.now()
  const stored = backend.vault.session(tokenId)
  if (!stored) throw new Error(`no session is stored for ${tokenId}`)
  const spent = await spend(backend, stored.refresh_token, signal)
  if ('failure' in spent) return { type: 'refresh.failed', ...spent }
  const isOvertaken = !(await isStillStored(backend, stored, spent.session))
  throwIfAborted(signal)
  if (isOvertaken) return { type: 'refresh.failed', failure: changedElsewhere }
  return { type: 'refresh.succeeded', token: await keepReceived(backend, spent.session, askedAt) }
}

const unreachable = { failure: plainFailure({ status: 0, message: '' }) }
/** E.g. the page of a captive portal. */
const noSession = {
  failure: {
    kind: 'server',
    status: 200,
    message: 'The backend’s response is not a session.',
  },
} as const

/** Exchanges a refresh token for a session without holding or storing it. */
export async function spend(
  { url, key, fetch, account }: Pick<AuthBackend, 'url' | 'key' | 'fetch' | 'account'>,
  refreshToken: string,
  signal: AbortSignal,
): Promise<{ readonly session: StoredSession } | { readonly failure: Failure }> {
  // Supabase-js's refresh hides retries and a cooldown and loses error codes, so we make this request
  // ourselves.
  const call = fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: key, Authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
    signal,
  })
  const response = await call.catch(() => undefined)
  if (!response) return unreachable
  if (!response.ok) return { failure: await inWords(await readAuthResponse(response), account) }
  const text = await response.text().catch(() => undefined)
  if (text === undefined) return unreachable
  const session = parseSession(text)
  return session ? { session } : noSession
}

/** Adds a user-facing message to a rejection, if the messages can be loaded. Outages need none. */
function inWords(answer: AuthResponse, account: AuthBackend['account']): Promise<Failure> | Failure {
  const plain = plainFailure(answer)
  if (plain.kind === 'server' || plain.kind === 'rateLimit' || plain.kind === 'apiKey') return plain
  return account().then(
    ({ authFailure }) => authFailure(answer),
    () => plain,
  )
}
