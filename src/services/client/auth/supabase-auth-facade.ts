// The auth facade: auth-js's client on top of a session that the machines sign in, refresh and end. Loads with the
// first of its calls.
import {
  AuthClient,
  AuthSessionMissingError,
  type AuthError,
  type AuthResponse,
  type GoTrueClient,
  type Subscription,
  type UserResponse,
  AuthApiError,
  AuthRetryableFetchError,
} from '@supabase/supabase-js'
import type { Failure } from '../../../machines/index.ts'
import type { AuthApi } from '../client-types.ts'
import { type AuthEvents, booted, copyOf, presentSession, type SessionView } from './auth-events.ts'
import type { AuthReply, StoredSession } from './vault.ts'
import type { AuthInternals } from './auth-api.ts'
import type { AuthBackend, AuthEndpoint } from './session-store.ts'
import { describedAs } from './auth-response.ts'

export interface AuthFacadeHost extends AccountHost, Pick<AuthApi, 'refresh' | 'signOut'> {
  /** Errors are thrown instead of returned. */
  readonly throwOnError: boolean
  /** Turns refreshes without being asked on or off. */
  refreshAutomatically(automatic: boolean): void
}

/** What needs no auth-js, and is present before it loads. */
interface OwnAuth {
  readonly events: AuthEvents
  getSession(): ReturnType<GoTrueClient['getSession']>
}

/**
 * Methods that return a session: each is one attempt of the session machine. Methods that only send a prompt
 * to the user are not.
 */
const SIGN_INS = [
  'exchangeCodeForSession',
  'setSession',
  'signInAnonymously',
  'signInWithIdToken',
  'signInWithPassword',
  'signUp',
  'verifyOtp',
] as const

const nobody = { user: null, session: null }

/** No `#` fields in any of the facades: frameworks that wrap objects in proxies could not access them. */
export class AuthFacade extends AuthClient {
  private readonly ownHost: AuthFacadeHost
  private readonly ownAuth: OwnAuth
  private readonly ownEvents: AuthEvents
  /** A password update is running, possibly in a recovery session. */
  private setsPassword = false

  constructor(host: AuthFacadeHost, ownAuth: OwnAuth) {
    const { url, key, flowType, id, storageKey, throwOnError, experimental = {} } = host
    super({
      url: `${url}/auth/v1`,
      headers: { apikey: key, Authorization: `Bearer ${key}` },
      fetch: accountFetch(host),
      // Clients with the same key log a warning as if they shared a session.
      storageKey: id(),
      flowType,
      throwOnError,
      experimental,
      autoRefreshToken: false,
      persistSession: false,
      detectSessionInUrl: false,
      skipAutoInitialize: true,
    })
    this.ownHost = host
    this.ownAuth = ownAuth
    this.ownEvents = ownAuth.events
    this.storageKey = storageKey
    this.storage = accountStorage(host, this.ownEvents, () => this.setsPassword)
    const callback: Subscription['callback'] = event => this.ownEvents.release(event)
    this.stateChangeEmitters.set('', { id: '', callback, unsubscribe: () => undefined })
    for (const method of SIGN_INS) {
      const value = (...args: unknown[]) => this.attemptSignIn(method, args)
      Object.defineProperty(this, method, { value })
    }
  }

  /** Also used by methods of auth-js. */
  override getSession() {
    return this.ownAuth.getSession()
  }

  override async refreshSession(currentSession?: { refresh_token: string }): Promise<AuthResponse> {
    const { refresh, session } = this.ownHost
    const isOther = currentSession && currentSession.refresh_token !== session()?.refresh_token
    if (isOther) return this.attemptSignIn('refreshSession', [currentSession])
    await booted(this.ownHost)
    const result = await refresh()
    this.ownEvents.sync()
    const present = copyOf(presentSession(this.ownHost))
    if (result.ok && present) return { data: { user: present.user, session: present }, error: null }
    return this.refusal(!result.ok && result.failure)
  }

  override async updateUser(...args: Parameters<GoTrueClient['updateUser']>): Promise<UserResponse> {
    this.setsPassword = args[0].password !== undefined
    try {
      return await super.updateUser(...args)
    } finally {
      this.setsPassword = false
    }
  }

  private async attemptSignIn(
    method: (typeof SIGN_INS)[number] | 'refreshSession',
    args: readonly unknown[],
  ): Promise<AuthResponse> {
    const run = (client: GoTrueClient): Promise<AuthReply> =>
      Reflect.apply(client[method], client, args) as Promise<AuthReply>
    await booted(this.ownHost)
    this.ownEvents.hold()
    const { settled, answer } = await this.ownHost.attempt(method, secretsIn(args), run, isRecovery(args))
    const { failure } = settled
    this.ownEvents.release(failure || !answer?.data?.session ? undefined : 'SIGNED_IN')
    if (!answer?.error && (failure || !answer)) return this.refusal(failure)
    return this.reply(answer as AuthResponse)
  }

  private refusal(failure: Failure | false | undefined): AuthResponse {
    return this.reply({ data: nobody, error: failure ? authError(failure) : new AuthSessionMissingError() })
  }

  private reply<Answer extends { readonly error: AuthError | null }>(answer: Answer): Answer {
    if (this.throwOnError && answer.error) throw answer.error
    return answer
  }
}

const SECRET = /password|token|nonce|message|signature/

/** Returns the secrets in the arguments of a sign-in, so that they can be redacted. */
function secretsIn([first]: readonly unknown[]): string[] {
  if (typeof first === 'string') return [first]
  const secretNames = Object.entries(first ?? {}).filter(([name]) => SECRET.test(name))
  return secretNames.flatMap(([, secret]) => (typeof secret === 'string' ? [secret] : []))
}

const isRecovery = ([first]: readonly unknown[]): boolean =>
  typeof first === 'object' && first !== null && 'type' in first && first.type === 'recovery'

type Fetch = typeof globalThis.fetch

interface AccountHost
  extends
    SessionView,
    AuthEndpoint,
    Pick<AuthBackend, 'account'>,
    Pick<AuthInternals, 'attempt' | 'commit'>,
    Pick<AuthApi, 'verifyUser'> {
  /** Waits for a valid token and adds it when the request is sent. */
  readonly fetchAsUser: Fetch
}

/** Placeholder for the access token in the session that supabase-js reads. */
const LENT_TOKEN = 'the-live-token'

/**
 * Storage for account calls. PKCE verifiers keep their usual keys. The session is a copy that never expires.
 * Writes to it are committed; when it is removed, the server is asked whether and why the session has ended.
 */
function accountStorage(host: AccountHost, events: AuthEvents, isRecovered: () => boolean) {
  const { storage, storageKey, attempt, commit, verifyUser } = host
  const lend = async () => {
    await booted(host)
    const present = presentSession(host)
    return present && JSON.stringify({ ...present, access_token: LENT_TOKEN, expires_at: null })
  }
  const signIn = async (session: StoredSession) =>
    (await attempt('session', [], () => Promise.resolve({ data: { session }, error: null }))).settled
  const storeSession = async (written: StoredSession) => {
    const present = presentSession(host)
    const isNews = written.access_token === LENT_TOKEN
    const isSame = present?.user.id === written.user.id
    if (isNews && !isSame) throw new AuthSessionMissingError()
    events.hold()
    const session = isNews && present ? { ...present, user: written.user } : written
    const { failure } = await (isSame ? commit(session, isRecovered()) : signIn(session))
    if (!failure) return
    events.release()
    throw authError(failure)
  }
  const isSession = (key: string) => key === storageKey
  return {
    getItem: (key: string) => (isSession(key) ? lend() : storage.getItem(key)),
    setItem: (key: string, value: string) =>
      isSession(key) ? storeSession(JSON.parse(value) as StoredSession) : storage.setItem(key, value),
    removeItem: async (key: string) => {
      if (isSession(key)) await verifyUser()
      else await storage.removeItem(key)
    },
  }
}

/**
 * Sends account calls as the user, with the token that is valid at that time, and all others with the API key
 * only. Errors are described if the code for it can be loaded.
 */
function accountFetch({ key, fetch, fetchAsUser, account }: AccountHost): Fetch {
  const send: Fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    if (headers.get('authorization') !== `Bearer ${LENT_TOKEN}`) return fetch(input, init)
    headers.set('authorization', `Bearer ${key}`)
    return fetchAsUser(input, { ...init, headers })
  }
  return async (...call) => {
    const sent = send(...call)
    const isOk = await sent.then(
      ({ ok }) => ok,
      () => false,
    )
    const parts = isOk ? undefined : await account().catch(() => undefined)
    return parts?.withDescribedError(sent) ?? sent
  }
}

/** Kinds that supabase-js reports as retryable. */
const PASSING: readonly Failure['kind'][] = ['network', 'timeout', 'aborted', 'server', 'disposed']

export function authError(failure: Failure): AuthError {
  const { kind, code, status, message } = failure
  const isMissing = code === 'signed_out' || code === 'session_not_found'
  const error = isMissing
    ? new AuthSessionMissingError()
    : PASSING.includes(kind)
      ? new AuthRetryableFetchError(message, status ?? 0)
      : new AuthApiError(message, status ?? 400, code)
  return describedAs(error, failure)
}
