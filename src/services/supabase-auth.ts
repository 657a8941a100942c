// The auth ports: how sessions are read, won by any official method, forgotten and revoked.
import { timedOut } from '../machines/failure.ts'
import type {
  AuthenticateEvent,
  ReadEvent,
  RemoveEvent,
  RevokeEvent,
  SignOutScope,
} from '../machines/ports.ts'
import { holdStored, isSameSession, keepReceived, type AuthBackend } from './auth-backend.ts'
import { effect } from './effect.ts'
import { CorruptSessionError } from './session-store.ts'
import { authCall } from './supabase-auth-call.ts'
import { createRefreshPort } from './supabase-refresh.ts'
import { userOf } from './vault.ts'

export function createAuthPorts(backend: AuthBackend) {
  return {
    readSession: effect<{ readonly tokenId?: string } | undefined, ReadEvent>(input =>
      readStored(backend, input?.tokenId),
    ),
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

async function readStored(backend: AuthBackend, tokenId?: string): Promise<ReadEvent> {
  try {
    const session = await backend.store.read()
    if (session === undefined) return { type: 'stored.none' }
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
  const { client, failure } = authCall(backend, signal)
  const { data, error } = await credentials.run(client)
  if (error) return { type: 'auth.failed', failure: failure(error) }
  signal.throwIfAborted()
  if (data?.session) return { type: 'auth.succeeded', token: await keepReceived(backend, data.session) }
  return { type: 'auth.unconfirmed', user: userOf(data?.user ?? { id: '' }) }
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
