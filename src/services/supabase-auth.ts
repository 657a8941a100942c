// The auth ports: how sessions are read, won by any official method, forgotten and revoked.
import type { Token } from '../machines/expiry.ts'
import { terminalReason, timedOut, type Failure } from '../machines/failure.ts'
import type {
  AuthenticateEvent,
  KeepEvent,
  LoadUserEvent,
  ReadEvent,
  RemoveEvent,
  RevokeEvent,
  SignOutScope,
  UrlEvent,
} from '../machines/ports.ts'
import { noSession } from '../machines/session-context.ts'
import { holdStored, isSameSession, keepReceived, type AuthBackend } from './auth-backend.ts'
import { effect } from './effect.ts'
import { CorruptSessionError } from './session-store.ts'
import { authCall } from './supabase-auth-call.ts'
import { createRefreshPort, spend } from './supabase-refresh.ts'
import { detectUrl } from './url-session.ts'
import { userOf, type Credentials } from './vault.ts'

interface Attempt {
  readonly attempt: string
}

export function createAuthPorts(backend: AuthBackend) {
  return {
    readSession: effect<{ readonly tokenId?: string } | undefined, ReadEvent>((input, signal) =>
      readStored(backend, input?.tokenId, signal),
    ),
    detectUrl: effect<unknown, UrlEvent>(() => detectUrl(backend)),
    authenticate: effect<Attempt, AuthenticateEvent>((input, signal) =>
      authenticate(backend, input.attempt, signal),
    ),
    refreshToken: createRefreshPort(backend),
    keepSession: effect<Attempt, KeepEvent>(async ({ attempt }, signal) => {
      const told = await keepNews(backend, signal, backend.vault.take(attempt)?.run)
      return 'token' in told ? { type: 'session.kept', ...told } : { type: 'keep.failed', ...told }
    }),
    loadUser: effect<unknown, LoadUserEvent>(async (_, signal) => {
      const { key, fetch, fetchAsUser = fetch } = backend
      // Calls as the user carry the key until they go out.
      const told = await keepNews({ ...backend, fetch: fetchAsUser }, signal, client => client.getUser(key))
      return 'token' in told ? { type: 'user.loaded', ...told } : { type: 'user.failed', ...told }
    }),
    removeSession: effect<{ readonly tokenId: string; readonly isOver: boolean }, RemoveEvent>(
      (input, signal) => remove(backend, input, signal),
    ),
    revoke: effect<{ readonly tokenId: string; readonly scope: SignOutScope }, RevokeEvent>((input, signal) =>
      revoke(backend, input, signal),
    ),
  }
}

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
      error instanceof CorruptSessionError
        ? error.message
        : 'The browser does not let the stored session be read.'
    return { type: 'stored.corrupt', failure: { kind: 'auth', code: 'stored_session_unreadable', message } }
  }
}

async function authenticate(
  backend: AuthBackend,
  attempt: string,
  signal: AbortSignal,
): Promise<AuthenticateEvent> {
  const credentials = backend.vault.take(attempt)
  if (!credentials) return { type: 'auth.failed', failure: timedOut('This attempt to sign in') }
  const askedAt = backend.clock.now()
  const { client, failure } = authCall(backend, signal)
  const { data, error } = await credentials.run(client)
  if (error) return { type: 'auth.failed', failure: await failure(error) }
  signal.throwIfAborted()
  if (data?.session) {
    const recovery = credentials.recovery === true || data.redirectType === 'recovery'
    return { type: 'auth.succeeded', token: await keepReceived(backend, data.session, askedAt), recovery }
  }
  return { type: 'auth.unconfirmed', user: userOf(data?.user ?? { id: '' }) }
}

/** What an account call brought: another session, or news of its user. */
async function keepNews(
  backend: AuthBackend,
  signal: AbortSignal,
  run: Credentials['run'] | undefined,
): Promise<{ readonly token: Token } | { readonly failure: Failure }> {
  const { vault, store } = backend
  const { client, failure } = authCall(backend, signal)
  const answer = await run?.(client)
  if (answer?.error) return { failure: await failure(answer.error) }
  signal.throwIfAborted()
  const present = vault.current()
  const session = answer?.data?.session
  const user = session?.user ?? answer?.data?.user
  if (!present || user?.id !== present.user.id) return { failure: noSession }
  if (session && !vault.knows(session.access_token)) return { token: await keepReceived(backend, session) }
  const next = { ...present, user }
  await store.write(next).catch(() => undefined)
  signal.throwIfAborted()
  return { token: holdStored(backend, next) }
}

async function remove(
  backend: AuthBackend,
  { tokenId, isOver }: { readonly tokenId: string; readonly isOver: boolean },
  signal: AbortSignal,
): Promise<RemoveEvent> {
  const { store, vault } = backend
  const held = vault.session(tokenId)
  if (isOver) vault.forget()
  // Another tab may have stored another session since; who signs out during the boot ends one not yet held.
  const stored = isOver || !held ? await store.read().catch(() => held) : held
  if (!isOver && !held && stored) holdStored(backend, stored)
  if (isOver && stored?.refresh_token !== held?.refresh_token) return { type: 'stored.removed' }
  await store.remove()
  // With no session in its hands this removes the verifiers of redirects, whose names only official code knows.
  await authCall(backend, signal).client.signOut({ scope: 'local' })
  return { type: 'stored.removed' }
}

async function revoke(
  backend: AuthBackend,
  { tokenId, scope }: { tokenId: string; scope: SignOutScope },
  signal: AbortSignal,
): Promise<RevokeEvent> {
  const { vault, key, fetch, fetchAsUser = fetch } = backend
  if (scope === 'others') return told(await logOut({ ...backend, fetch: fetchAsUser }, key, scope, signal))
  const held = vault.session(tokenId) ?? vault.current()
  vault.forget()
  if (!held) return told()
  const failure = await logOut(backend, held.access_token, scope, signal)
  if (!failure || isGone(failure)) return told()
  if (failure.status !== 401 && failure.status !== 403) return told(failure)
  // The access token has run out: a new one can tell, and without one there is only this session to be over.
  const spent = await spend(backend, held.refresh_token, signal)
  if ('session' in spent) return told(await logOut(backend, spent.session.access_token, scope, signal))
  return told(scope === 'local' && terminalReason(spent.failure) ? undefined : spent.failure)
}

const told = (failure?: Failure): RevokeEvent =>
  failure ? { type: 'revoke.failed', failure } : { type: 'revoke.succeeded' }

const GONE = ['session_not_found', 'user_not_found']
const isGone = ({ code = '', status }: Failure) => GONE.includes(code) || status === 404

async function logOut(
  backend: AuthBackend,
  accessToken: string,
  scope: SignOutScope,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { client, failure } = authCall(backend, signal)
  const { error } = await client.admin.signOut(accessToken, scope)
  return error ? failure(error) : undefined
}
