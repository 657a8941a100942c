// Account calls, loaded on first use: sign-in by any supabase-js method, user updates and revocation.
import { RequestError, throwIfAborted } from '../../runtime/index.ts'
import {
  type AuthenticateEvent,
  type Failure,
  type HttpEvent,
  noSession,
  type RevokeEvent,
  type SignOutScope,
  terminalReason,
  timedOut,
  type Token,
} from '../../../machines/index.ts'
import {
  holdStored,
  isStillStored,
  keepReceived,
  type AuthBackend,
  type AuthEndpoint,
} from './session-store.ts'
import { reportedFetch } from '../requests/reported-fetch.ts'
import { spend } from './supabase-auth.ts'
import { userOf, type Credentials, type StoredSession, type AuthReply } from './vault.ts'
import {
  AuthAdminApi,
  type AuthError,
  GoTrueClient,
  isAuthError,
  type GoTrueClientOptions,
} from '@supabase/supabase-js'
import { describedAs, readAuthResponse } from './auth-response.ts'
import { authFailure } from './auth-failure.ts'
export { authFailure, linkFailure } from './auth-failure.ts'
export { checkVersion } from '../official/supabase-version.ts'
import type { AuthClient } from '../client-types.ts'
import { secondsOf } from './url-session.ts'

type Report = (event: HttpEvent) => void

/** The same backend, which reports each call. */
const reported = (backend: AuthBackend, report: Report): AuthBackend => ({
  ...backend,
  fetch: reportedFetch(backend, report),
})

/** Exchanges credentials for a session. */
export async function authenticate(
  backend: AuthBackend,
  attempt: string,
  signal: AbortSignal,
  report: Report,
): Promise<AuthenticateEvent> {
  const credentials = backend.vault.take(attempt)
  if (!credentials) return { type: 'auth.failed', failure: timedOut('This attempt to sign in') }
  const askedAt = backend.clock.now()
  const { client, failure } = authCall(reported(backend, report), signal)
  const { data, error } = await credentials.run(client)
  if (error) return { type: 'auth.failed', failure: failure(error) }
  throwIfAborted(signal)
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
  if (answer?.error) return { failure: failure(answer.error) }
  throwIfAborted(signal)
  const present = vault.current()
  const session = answer?.data?.session
  const user = session?.user ?? answer?.data?.user
  if (!present || user?.id !== present.user.id) return { failure: noSession }
  if (session && !vault.knows(session.access_token)) return { token: await keepReceived(backend, session) }
  const next = { ...present, user }
  if (await isStillStored(backend, present)) await store.write(next).catch(() => undefined)
  throwIfAborted(signal)
  return { token: holdStored(backend, next) }
}

/** Removes PKCE verifiers, whose storage keys only supabase-js knows. */
export const forgetVerifiers = (backend: AuthBackend, signal: AbortSignal) =>
  // This client holds no session.
  authCall(backend, signal).client.signOut({ scope: 'local' })

/** Revokes the session `held`, or the user's other sessions. */
export async function revoke(
  host: AuthBackend,
  scope: SignOutScope,
  session: StoredSession | undefined,
  signal: AbortSignal,
  report: Report,
): Promise<RevokeEvent> {
  const { key, fetch, fetchAsUser = fetch } = host
  // A separate request, which is recorded as such.
  if (scope === 'others')
    return revokeEvent(await logOut({ ...host, fetch: fetchAsUser }, key, scope, signal))
  const backend = reported(host, report)
  if (!session) return revokeEvent()
  const failure = await logOut(backend, session.access_token, scope, signal)
  if (!failure || isGone(failure)) return revokeEvent()
  if (failure.kind === 'apiKey' || (failure.status !== 401 && failure.status !== 403))
    return revokeEvent(failure)
  // The access token has expired, so use a new one. If there is none, this session has ended anyway.
  const spent = await spend(backend, session.refresh_token, signal)
  if ('session' in spent) return revokeEvent(await logOut(backend, spent.session.access_token, scope, signal))
  return revokeEvent(scope === 'local' && terminalReason(spent.failure) ? undefined : spent.failure)
}

const revokeEvent = (failure?: Failure): RevokeEvent =>
  failure ? { type: 'revoke.failed', failure } : { type: 'revoke.succeeded' }

const ENDED_CODES = ['session_not_found', 'user_not_found']
const isGone = ({ code = '', status }: Failure) => ENDED_CODES.includes(code) || status === 404

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

interface CallSession {
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
  const { url, key, fetch, flowType, id, experimental = {} } = endpoint
  // Clients with the same key log a warning as if they shared a session.
  const storageKey = id()
  const options: GoTrueClientOptions = {
    url: `${url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey,
    flowType,
    experimental,
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
      const currentSession = session.read?.()
      return currentSession ? JSON.stringify({ ...currentSession, expires_at: null }) : null
    },
    setItem(key, value) {
      if (key !== name) return storage.setItem(real(key), value)
      session.write?.(JSON.parse(value) as StoredSession)
    },
    removeItem: key => (key === name ? undefined : storage.removeItem(real(key))),
  }
}

type DescribedError = AuthError & { readonly failure?: Failure }

/** Creates a client for one call that `signal` aborts, and a function that returns the failure of its error. */
function authCall(endpoint: AuthEndpoint, signal: AbortSignal, session?: CallSession) {
  const fetch: typeof globalThis.fetch = (input, init) =>
    withDescribedError(endpoint.fetch(input, { ...init, signal }))
  const failure = (error: unknown): Failure => {
    if (!isAuthError(error)) throw error
    const { status = 0, code, message, failure: described } = error as DescribedError
    return described ?? authFailure({ status, code, message })
  }
  return { client: createCallClient({ ...endpoint, fetch }, session), failure }
}

/**
 * Makes the official error of a failed call here, where its response is known. An auth client reads `ok` outside
 * of its error handling, so what that throws is the error of exactly this call.
 */
export async function withDescribedError(sent: Promise<Response>): Promise<Response> {
  const failure = await sent.then(refusalIn, (reason: unknown) =>
    reason instanceof RequestError ? reason.failure : undefined,
  )
  if (!failure) return sent
  const { error } = await new AuthAdminApi({ url: '', fetch: () => sent }).signOut('')
  if (!error) return sent
  const get = () => {
    throw describedAs(error, failure)
  }
  return Object.defineProperty(new Response(), 'ok', { get })
}

const refusalIn = async (response: Response): Promise<Failure | undefined> =>
  response.ok ? undefined : authFailure(await readAuthResponse(response.clone()))

/** Only the server knows whether the tokens are valid, and whose they are. */
export async function withUser(
  client: AuthClient,
  params: Readonly<Record<string, string>>,
): Promise<AuthReply> {
  const { access_token = '', refresh_token = '', token_type = 'bearer' } = params
  const { data, error } = await client.getUser(access_token)
  if (error) return { data: null, error }
  const provider = ['provider_token', 'provider_refresh_token'].flatMap(name =>
    params[name] === undefined ? [] : [[name, params[name]]],
  )
  const expires_at = secondsOf(params['expires_at'])
  const session = {
    ...(Object.fromEntries(provider) as Readonly<Record<string, string>>),
    access_token,
    refresh_token,
    token_type,
    expires_in: secondsOf(params['expires_in']) ?? 0,
    ...(expires_at !== undefined && { expires_at }),
    user: data.user,
  }
  return { data: { session }, error: null }
}
