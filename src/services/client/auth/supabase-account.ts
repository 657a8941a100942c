// Account calls, loaded on first use: sign-in by any supabase-js method, user updates and revocation.
import {
  type AuthenticateEvent,
  type Failure,
  noSession,
  type RevokeEvent,
  type SignOutScope,
  terminalReason,
  timedOut,
  type Token,
} from '../../../machines/index.ts'
import { holdStored, isStillStored, keepReceived, type AuthBackend } from './auth-backend.ts'
import { authCall } from './supabase-auth-call.ts'
import { spend } from './supabase-refresh.ts'
import { userOf, type Credentials, type StoredSession } from './vault.ts'

export { authFailure, linkFailure } from './auth-failure.ts'
export { withUser } from './url-user.ts'

/** Exchanges credentials for a session. */
export async function authenticate(
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

/** Stores the result of an account call: another session, or new user data. */
export async function keepNews(
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
  if (await isStillStored(backend, present)) await store.write(next).catch(() => undefined)
  signal.throwIfAborted()
  return { token: holdStored(backend, next) }
}

/** Removes PKCE verifiers, whose storage keys only supabase-js knows. */
export const forgetVerifiers = (backend: AuthBackend, signal: AbortSignal) =>
  // This client holds no session.
  authCall(backend, signal).client.signOut({ scope: 'local' })

/** Revokes the session `held`, or the user's other sessions. */
export async function revoke(
  backend: AuthBackend,
  scope: SignOutScope,
  held: StoredSession | undefined,
  signal: AbortSignal,
): Promise<RevokeEvent> {
  const { key, fetch, fetchAsUser = fetch } = backend
  if (scope === 'others')
    return revokeEvent(await logOut({ ...backend, fetch: fetchAsUser }, key, scope, signal))
  if (!held) return revokeEvent()
  const failure = await logOut(backend, held.access_token, scope, signal)
  if (!failure || isGone(failure)) return revokeEvent()
  if (failure.status !== 401 && failure.status !== 403) return revokeEvent(failure)
  // The access token has expired, so use a new one. If there is none, this session has ended anyway.
  const spent = await spend(backend, held.refresh_token, signal)
  if ('session' in spent) return revokeEvent(await logOut(backend, spent.session.access_token, scope, signal))
  return revokeEvent(scope === 'local' && terminalReason(spent.failure) ? undefined : spent.failure)
}

const revokeEvent = (failure?: Failure): RevokeEvent =>
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
