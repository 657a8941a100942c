// The auth ports: sessions are loaded and removed here; code for account requests loads on demand.
import type {
  AuthenticateEvent,
  Failure,
  LoadUserEvent,
  ReadEvent,
  RemoveEvent,
  RevokeEvent,
  SignOutScope,
  StoreSessionEvent,
  UrlEvent,
} from '../../../machines/index.ts'
import { holdStored, isSameSession, type AuthBackend } from './auth-backend.ts'
import { effect, RequestError } from '../../runtime/index.ts'
import { CorruptSessionError } from './session-store.ts'
import { createRefreshPort } from './supabase-refresh.ts'
import { detectUrl } from './url-session.ts'

interface Attempt {
  readonly attempt: string
}

export function createAuthPorts(backend: AuthBackend) {
  return {
    readSession: effect<{ readonly tokenId?: string } | undefined, ReadEvent>((input, signal) =>
      readStored(backend, input?.tokenId, signal),
    ),
    detectUrl: effect<unknown, UrlEvent>(() => detectUrl(backend)),
    authenticate: effect<Attempt, AuthenticateEvent>(async (input, signal) =>
      (await account(backend)).authenticate(backend, input.attempt, signal),
    ),
    refreshToken: createRefreshPort(backend),
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
      async ({ tokenId, scope }, signal) => {
        const { vault } = backend
        const held = vault.session(tokenId) ?? vault.current()
        if (scope !== 'others') vault.forget()
        return (await account(backend)).revoke(backend, scope, held, signal)
      },
    ),
  }
}

const unloaded: Failure = {
  kind: 'network',
  code: 'part_not_loaded',
  message: 'A part of this app could not be loaded.',
}

/** @throws RequestError like any other unreachable resource */
const account = (backend: AuthBackend) =>
  backend.account().catch(() => {
    throw new RequestError(unloaded)
  })

async function readStored(
  backend: AuthBackend,
  tokenId: string | undefined,
  signal: AbortSignal,
): Promise<ReadEvent> {
  try {
    const session = await backend.store.read()
    signal.throwIfAborted()
    if (session === undefined)
      return { type: 'stored.none', ...((await backend.store.wasRemoved()) && { by: 'otherTab' }) }
    const held = tokenId === undefined ? undefined : backend.vault.session(tokenId)
    if (held && isSameSession(session, held)) return { type: 'stored.same' }
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
