// The auth facade: the official AuthClient, over a session that is signed in, refreshed and ended by the machines.
import { AuthApiError, AuthClient, AuthRetryableFetchError, AuthSessionMissingError } from '@supabase/auth-js'
import type {
  AuthChangeEvent,
  AuthError,
  AuthResponse,
  GoTrueClient,
  Session,
  SignOut,
  Subscription,
} from '@supabase/auth-js'
import type { Failure } from '../machines/failure.ts'
import type { ClientStatus } from '../machines/status.ts'
import type { AuthDesk } from './auth-api.ts'
import type { AuthEndpoint } from './auth-backend.ts'
import type { Result } from './client-types.ts'
import type { Clock } from './clock.ts'
import type { AuthReply, StoredSession } from './vault.ts'

export interface AuthFacadeHost extends AuthDesk, Omit<AuthEndpoint, 'fetch'> {
  refresh(): Promise<Result<void>>
  signOut(options: SignOut): Promise<Result<void>>
  /** The gated fetch; `user` calls get the token that is live when they go out. */
  fetch(access: 'user' | 'public', ...call: Parameters<typeof globalThis.fetch>): Promise<Response>
  /** Takes over what an account call brought. */
  commit(session: StoredSession): Promise<unknown>
  /** Asks for a new token without waiting for it. */
  wake(): void
  status(): ClientStatus
  onStatus(listener: () => void): () => void
  readonly clock: Clock
  /** How long to wait for the boot and for a live token. */
  readonly tokenTimeout: number
}

/** The methods that give a session. */
const SIGN_INS = [
  'exchangeCodeForSession',
  'setSession',
  'signInAnonymously',
  'signInWithIdToken',
  'signInWithPassword',
  'signInWithWeb3',
  'signUp',
  'verifyOtp',
] as const

/** Stands for the access token in the session that account calls are lent. */
const LENT = 'the-live-token'

const late: Failure = { kind: 'timeout', message: 'There was no live access token in time.' }
const offline: Failure = { kind: 'network', message: 'This device is offline.' }

export class AuthFacade extends AuthClient {
  readonly #host: AuthFacadeHost
  readonly #listeners = new Map<string | symbol, Subscription['callback']>()
  /** The session that listeners know of; undefined while booting. */
  #told: StoredSession | null | undefined
  /** An account call stored something and has not said yet by which event that is told. */
  #isUnnamed = false

  constructor(host: AuthFacadeHost) {
    super({
      url: `${host.url}/auth/v1`,
      headers: { apikey: host.key, Authorization: `Bearer ${host.key}` },
      fetch: (input, init) => send(host, input, init),
      // Clients of one key warn of each other, as if they shared a session.
      storageKey: host.id(),
      flowType: host.flowType,
      autoRefreshToken: false,
      persistSession: false,
      detectSessionInUrl: false,
      skipAutoInitialize: true,
    })
    const { storage, storageKey, wake } = host
    this.#host = host
    this.storageKey = storageKey
    this.storage = {
      getItem: key => (key === storageKey ? this.#lend() : storage.getItem(key)),
      setItem: (key, value) =>
        key === storageKey ? this.#commit(JSON.parse(value) as StoredSession) : storage.setItem(key, value),
      // The server denies the session: a refresh tells whether it is over, and why.
      removeItem: key => (key === storageKey ? wake() : storage.removeItem(key)),
    }
    const unsubscribe = () => undefined
    this.stateChangeEmitters.set('', { id: '', callback: event => this.#name(event), unsubscribe })
    Object.assign(
      this,
      Object.fromEntries(
        SIGN_INS.map(method => [method, (...given: unknown[]) => this.#signIn(method, given)]),
      ),
    )
    host.onStatus(() => this.#sync())
  }

  override async getSession() {
    const error = await this.#ready()
    if (error) return { data: { session: null }, error }
    const session = this.#session()
    return session ? { data: { session }, error: null } : { data: { session }, error: null }
  }

  override async refreshSession(given?: { refresh_token: string }): Promise<AuthResponse> {
    const { refresh, session, status } = this.#host
    if (given && given.refresh_token !== session()?.refresh_token)
      return this.#signIn('refreshSession', [given])
    await this.initialize()
    const result = await refresh()
    this.#sync()
    const present = this.#session()
    if (result.ok && present) return { data: { user: present.user, session: present }, error: null }
    const { session: ended } = status()
    const { failure = result.ok ? late : result.failure } = ended.phase === 'signedOut' ? ended : {}
    return { data: { user: null, session: null }, error: authError(failure) }
  }

  override async signOut({ scope = 'global' }: SignOut = {}) {
    const result = await this.#host.signOut({ scope })
    this.#sync()
    return { error: result.ok ? null : authError(result.failure) }
  }

  override onAuthStateChange(callback: Subscription['callback']) {
    const id = Symbol('auth-callback')
    this.#listeners.set(id, callback)
    if (this.#told !== undefined) this.#tell('INITIAL_SESSION', id)
    return { data: { subscription: { id, callback, unsubscribe: () => void this.#listeners.delete(id) } } }
  }

  override async initialize() {
    await until(this.#host, ({ session }) => session.phase !== 'booting' || undefined)
    const { session } = this.#host.status()
    const failure = session.phase === 'signedOut' ? session.failure : undefined
    return { error: failure ? authError(failure) : null }
  }

  /** The machines refresh, on a schedule of their own. */
  override startAutoRefresh = () => Promise.resolve()
  override stopAutoRefresh = () => Promise.resolve()

  /** Any method that gives a session: one attempt of the session machine. */
  async #signIn(
    method: (typeof SIGN_INS)[number] | 'refreshSession',
    given: readonly unknown[],
  ): Promise<AuthResponse> {
    const isRecovery = JSON.stringify(given).includes('"type":"recovery"')
    const run = (client: GoTrueClient): Promise<AuthReply> =>
      Reflect.apply(client[method], client, given) as Promise<AuthReply>
    const { settled, answer } = await this.#host.attempt(method, secretsIn(given), run, isRecovery)
    this.#sync()
    if (answer && (answer.error || !settled.failure)) return answer as AuthResponse
    return { data: { user: null, session: null }, error: authError(settled.failure ?? late) }
  }

  /** Why there is no telling which session there is; waits for a live one while that can help. */
  async #ready(): Promise<AuthError | undefined> {
    const { clock, wake } = this.#host
    let isAsked = false
    const failure = await until(this.#host, ({ session, network }): Failure | 'none' | undefined => {
      if (session.phase === 'booting') return undefined
      if (session.phase !== 'authenticated' || clock.now() < session.token.expiresAt) return 'none'
      if (network === 'offline') return offline
      if (!isAsked) wake()
      isAsked = true
      return undefined
    })
    return failure === 'none' ? undefined : authError(failure ?? late)
  }

  #present(): StoredSession | null {
    return (this.#host.status().session.phase === 'authenticated' && this.#host.session()) || null
  }

  #session(): Session | null {
    return structuredClone(this.#present()) as Session | null
  }

  async #lend(): Promise<string | null> {
    const error = await this.#ready()
    if (error) throw error
    const session = this.#present()
    return session && JSON.stringify({ ...session, access_token: LENT, expires_at: null })
  }

  async #commit(written: StoredSession): Promise<void> {
    const present = this.#present()
    if (!present || present.user.id !== written.user.id) throw new AuthSessionMissingError()
    this.#isUnnamed = true
    const isNewsOfUser = written.access_token === LENT
    await this.#host.commit(isNewsOfUser ? { ...present, user: written.user } : written)
  }

  #name(event: AuthChangeEvent): void {
    if (!this.#isUnnamed) return
    this.#isUnnamed = false
    this.#told = this.#present()
    this.#tell(event)
  }

  /** Tells listeners what became of the session since they were told last. */
  #sync(): void {
    const { session } = this.#host.status()
    if (session.phase === 'booting' || this.#isUnnamed) return
    const before = this.#told
    const now = this.#present()
    if (before !== undefined && session.phase === 'authenticating') return
    this.#told = now
    const event = eventOf(before ?? null, now)
    if (event) this.#tell(event)
    if (before === undefined) this.#tell('INITIAL_SESSION')
  }

  #tell(event: AuthChangeEvent, only?: symbol): void {
    for (const [id, callback] of this.#listeners) {
      if (only !== undefined && id !== only) continue
      // Each in a task of its own: it may await any call, and one that throws takes nothing from the others.
      queueMicrotask(() => void (this.#listeners.has(id) && callback(event, this.#session())))
    }
  }
}

function eventOf(before: StoredSession | null, now: StoredSession | null): AuthChangeEvent | undefined {
  if (before === now) return undefined
  if (!now) return 'SIGNED_OUT'
  if (before?.user.id !== now.user.id) return 'SIGNED_IN'
  if (before.access_token !== now.access_token) return 'TOKEN_REFRESHED'
  return JSON.stringify(before.user) === JSON.stringify(now.user) ? undefined : 'USER_UPDATED'
}

/** Resolves with the first thing found, or with nothing when that took too long. */
function until<T>(
  { status, onStatus, clock, tokenTimeout }: AuthFacadeHost,
  find: (status: ClientStatus) => T | undefined,
): Promise<T | undefined> {
  return new Promise(resolve => {
    const settle = (found: T | undefined) => {
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

function send(
  host: AuthFacadeHost,
  ...[input, init]: Parameters<typeof globalThis.fetch>
): Promise<Response> {
  const headers = new Headers(init?.headers)
  const isUsers = headers.get('authorization') === `Bearer ${LENT}`
  if (isUsers) headers.set('authorization', `Bearer ${host.key}`)
  return host.fetch(isUsers ? 'user' : 'public', input, { ...init, headers })
}

/** A failure of the machines as the official client would have told it. */
function authError({ kind, code, status, message }: Failure): AuthError {
  if (code === 'signed_out') return new AuthSessionMissingError()
  if (['network', 'timeout', 'aborted', 'server', 'disposed'].includes(kind)) {
    return new AuthRetryableFetchError(message, status ?? 0)
  }
  return new AuthApiError(message, status ?? 400, code)
}

const SECRET = /^\d*$|password|token|nonce|message|signature/

/** The secrets among the arguments of a sign-in: they must not turn up anywhere else. */
function secretsIn(given: unknown, name = ''): string[] {
  if (typeof given === 'string') return SECRET.test(name) ? [given] : []
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([key, value]) => secretsIn(value, key))
}
