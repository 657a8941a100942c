// The auth facade: supabase-js's AuthClient on top of a session that the machines sign in, refresh and end.
import {
  AuthClient,
  AuthSessionMissingError,
  type AuthError,
  type AuthResponse,
  type GoTrueClient,
  type SignOut,
  type Subscription,
  type UserResponse,
  AuthApiError,
  AuthRetryableFetchError,
  type AuthChangeEvent,
  type Session,
} from '@supabase/supabase-js'
import { type ClientStatus, type Failure, offline } from '../../../machines/index.ts'
import type { AuthApi } from '../client-types.ts'
import { hasSameTokens, type AuthReply, type StoredSession } from './vault.ts'
import type { AuthInternals } from './auth-api.ts'
import type { AuthBackend, AuthEndpoint } from './session-store.ts'
import { describedAs } from './auth-response.ts'
import { type Clock, type KeepAlive, plainCopy } from '../../runtime/index.ts'

export interface AuthFacadeHost extends AccountHost, Pick<AuthApi, 'refresh' | 'signOut'> {
  /** Errors are thrown instead of returned. */
  readonly throwOnError: boolean
  /** Turns refreshes without being asked on or off. */
  refreshAutomatically(automatic: boolean): void
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

/** Package managers other than npm only warn about a peer dependency that does not fit. */
const TOO_OLD =
  'chartroom needs @supabase/supabase-js 2.100 or newer, but an older version is installed. Update it with ' +
  '"npm install @supabase/supabase-js@2", "pnpm add @supabase/supabase-js@2" or "yarn add @supabase/supabase-js@2".'

/** No `#` fields in any of the facades: frameworks that wrap objects in proxies could not access them. */
export class AuthFacade extends AuthClient {
  private readonly ownHost: AuthFacadeHost
  private readonly ownEvents: AuthEvents
  /** A password update is running, possibly in a recovery session. */
  private setsPassword = false

  constructor(host: AuthFacadeHost) {
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
    this.ownEvents = new AuthEvents(host)
    this.storageKey = storageKey
    this.storage = accountStorage(host, this.ownEvents, () => this.setsPassword)
    const callback: Subscription['callback'] = event => this.ownEvents.release(event)
    this.stateChangeEmitters.set('', { id: '', callback, unsubscribe: () => undefined })
    for (const method of SIGN_INS) {
      const value = (...given: unknown[]) => this.attemptSignIn(method, given)
      Object.defineProperty(this, method, { value })
    }
  }

  override initialize() {
    // Only an older version does not know `skipAutoInitialize`: its constructor calls this.
    if ((this.ownHost as AuthFacadeHost | undefined) === undefined) throw new Error(TOO_OLD)
    return this.awaitBoot()
  }

  private async awaitBoot() {
    await booted(this.ownHost)
    const { session } = this.ownHost.status()
    const failure = 'linkFailure' in session ? session.linkFailure : undefined
    return this.reply({ error: failure ? authError(failure) : null })
  }

  override onAuthStateChange(callback: Subscription['callback']) {
    return { data: { subscription: this.ownEvents.add(callback) } }
  }

  override async getSession() {
    const failure = await readiness(this.ownHost)
    if (failure) return this.reply({ data: { session: null }, error: authError(failure) })
    const session = copyOf(presentSession(this.ownHost))
    return session ? { data: { session }, error: null } : { data: { session }, error: null }
  }

  override async refreshSession(given?: { refresh_token: string }): Promise<AuthResponse> {
    const { refresh, session } = this.ownHost
    const isOther = given && given.refresh_token !== session()?.refresh_token
    if (isOther) return this.attemptSignIn('refreshSession', [given])
    await booted(this.ownHost)
    const result = await refresh()
    this.ownEvents.sync()
    const present = copyOf(presentSession(this.ownHost))
    if (result.ok && present) return { data: { user: present.user, session: present }, error: null }
    return this.refusal(!result.ok && result.failure)
  }

  override async updateUser(...given: Parameters<GoTrueClient['updateUser']>): Promise<UserResponse> {
    this.setsPassword = given[0].password !== undefined
    try {
      return await super.updateUser(...given)
    } finally {
      this.setsPassword = false
    }
  }

  override async signOut({ scope = 'global' }: SignOut = {}) {
    const result = await this.ownHost.signOut({ scope })
    this.ownEvents.sync()
    return this.reply({ error: result.ok ? null : authError(result.failure) })
  }

  /** The machines refresh on their own schedule. */
  override startAutoRefresh = () => Promise.resolve(this.ownHost.refreshAutomatically(true))
  override stopAutoRefresh = () => Promise.resolve(this.ownHost.refreshAutomatically(false))

  override dispose() {
    this.ownEvents.clear()
    return Promise.resolve()
  }

  private async attemptSignIn(
    method: (typeof SIGN_INS)[number] | 'refreshSession',
    given: readonly unknown[],
  ): Promise<AuthResponse> {
    const run = (client: GoTrueClient): Promise<AuthReply> =>
      Reflect.apply(client[method], client, given) as Promise<AuthReply>
    await booted(this.ownHost)
    this.ownEvents.hold()
    const { settled, answer } = await this.ownHost.attempt(method, secretsIn(given), run, isRecovery(given))
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
  const named = Object.entries(first ?? {}).filter(([name]) => SECRET.test(name))
  return named.flatMap(([, secret]) => (typeof secret === 'string' ? [secret] : []))
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
const LENT = 'the-live-token'

/**
 * Storage for account calls. PKCE verifiers keep their usual keys. The session is a copy that never expires.
 * Writes to it are committed; when it is removed, the server is asked whether and why the session has ended.
 */
function accountStorage(host: AccountHost, events: AuthEvents, isRecovered: () => boolean) {
  const { storage, storageKey, attempt, commit, verifyUser } = host
  const lend = async () => {
    await booted(host)
    const present = presentSession(host)
    return present && JSON.stringify({ ...present, access_token: LENT, expires_at: null })
  }
  const signIn = async (session: StoredSession) =>
    (await attempt('session', [], () => Promise.resolve({ data: { session }, error: null }))).settled
  const storeSession = async (written: StoredSession) => {
    const present = presentSession(host)
    const isNews = written.access_token === LENT
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
    if (headers.get('authorization') !== `Bearer ${LENT}`) return fetch(input, init)
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

function authError(failure: Failure): AuthError {
  const { kind, code, status, message } = failure
  const isMissing = code === 'signed_out' || code === 'session_not_found'
  const error = isMissing
    ? new AuthSessionMissingError()
    : PASSING.includes(kind)
      ? new AuthRetryableFetchError(message, status ?? 0)
      : new AuthApiError(message, status ?? 400, code)
  return describedAs(error, failure)
}

/** Session changes, emitted after the transition with supabase-js's event names. */
class AuthEvents {
  private readonly view: SessionView
  private readonly listeners = new Map<string | symbol, Subscription['callback']>()
  /** The session that listeners were last notified of; undefined while booting. */
  private announced: StoredSession | null | undefined
  private isHeld = false
  private stop: (() => void) | undefined

  constructor(view: SessionView) {
    this.view = view
  }

  /** Adds a listener and notifies it of the current session once that is known. */
  add(callback: Subscription['callback']): Subscription {
    const id = Symbol('auth-callback')
    if (!this.stop) {
      // Changes before the first listener are not emitted.
      this.stop = this.view.onStatus(() => this.sync())
      this.sync()
    }
    this.listeners.set(id, callback)
    if (this.announced !== undefined) this.notify('INITIAL_SESSION', id)
    return { id, callback, unsubscribe: () => this.remove(id) }
  }

  private remove(id: symbol): void {
    this.listeners.delete(id)
    if (this.listeners.size === 0) this.clear()
  }

  clear(): void {
    this.listeners.clear()
    this.stop?.()
    this.stop = undefined
  }

  /** Delays events during a call that names its change. */
  hold(): void {
    this.sync()
    this.isHeld = true
  }

  /** Emits the delayed change, or any change if there is no event name. */
  release(event?: AuthChangeEvent): void {
    if (!this.isHeld) return
    this.isHeld = false
    if (event) this.become(event)
    else this.sync()
  }

  /** Emits session changes since the last call. */
  sync(): void {
    const { session } = this.view.status()
    if (session.phase === 'booting' || session.phase === 'disposed' || this.isHeld) return
    if (session.phase === 'authenticating' && this.announced !== undefined) return
    this.become(eventOf(this.announced ?? null, presentSession(this.view)))
  }

  private become(event: AuthChangeEvent | undefined): void {
    const { session } = this.view.status()
    const isFirst = this.announced === undefined
    const isRecovery = session.phase === 'authenticated' && session.recovery === 'active'
    this.announced = presentSession(this.view)
    if (event) this.notify(event === 'SIGNED_IN' && isRecovery ? 'PASSWORD_RECOVERY' : event)
    if (isFirst) this.notify('INITIAL_SESSION')
  }

  private notify(event: AuthChangeEvent, only?: symbol): void {
    const session = this.announced ?? null
    for (const [id, callback] of this.listeners) {
      if (only !== undefined && id !== only) continue
      // Each listener runs in its own microtask: it may await any call, and one that throws does not affect
      // the others.
      queueMicrotask(() => void (this.listeners.has(id) && callback(event, copyOf(session))))
    }
  }
}

function eventOf(before: StoredSession | null, now: StoredSession | null): AuthChangeEvent | undefined {
  if (before === now) return undefined
  if (!now) return 'SIGNED_OUT'
  if (before?.user.id !== now.user.id) return 'SIGNED_IN'
  if (!hasSameTokens(before, now)) return 'TOKEN_REFRESHED'
  return JSON.stringify(before.user) === JSON.stringify(now.user) ? undefined : 'USER_UPDATED'
}

export interface SessionView {
  /** The current session, or the last one. */
  session(): StoredSession | undefined
  status(): ClientStatus
  onStatus(listener: () => void): () => void
  /** Requests a new token without waiting for it. */
  wake(): void
  readonly keepAlive: KeepAlive
  readonly clock: Clock
  /** Timeout for the boot and for a valid token, in ms. */
  readonly tokenTimeout: number
}

const late: Failure = { kind: 'timeout', message: 'No live access token was available in time.' }

/** Returns the session for calls if a user is signed in. */
const presentSession = ({ session, status }: SessionView): StoredSession | null =>
  (status().session.phase === 'authenticated' && session()) || null

/** A copy that the app may modify, with the official fields only. */
function copyOf(session: StoredSession | null): Session | null {
  if (!session) return null
  const { received_at: _, ...official } = plainCopy(session)
  return official as Session
}

const booted = (view: SessionView): Promise<unknown> =>
  until(view, ({ session }) => session.phase !== 'booting' || undefined)

/** Waits for a valid token while that can help. Returns a failure if a user is signed in without one. */
async function readiness(view: SessionView): Promise<Failure | undefined> {
  let isAsked = false
  const answer = await until(view, ({ session, network }): { failure?: Failure } | undefined => {
    if (session.phase === 'booting') return undefined
    if (session.phase !== 'authenticated' || view.clock.now() < session.token.expiresAt) return {}
    if (network === 'offline') return { failure: offline }
    if (!isAsked) view.wake()
    isAsked = true
    return undefined
  })
  return answer ? answer.failure : late
}

/** Resolves with the first result, or undefined after the timeout. */
function until<T>(
  { status, onStatus, clock, tokenTimeout, keepAlive }: SessionView,
  find: (status: ClientStatus) => T | undefined,
): Promise<T | undefined> {
  return new Promise(resolve => {
    const letEnd = keepAlive()
    const settle = (found: T | undefined) => {
      letEnd()
      stop()
      clock.clearTimeout(timer)
      resolve(found)
    }
    const look = () => {
      const found = find(status())
      if (found !== undefined) settle(found)
    }
    const stop = onStatus(look)
    const timer = clock.setTimeout(() => settle(undefined), tokenTimeout)
    look()
  })
}
