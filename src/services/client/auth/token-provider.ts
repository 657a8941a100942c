// Tokens of a third-party auth service: the app's `accessToken` function is asked in place of storage and auth
// server, so that the session and refresh machines manage its tokens like those of a session.
import {
  type AuthenticateEvent,
  changedElsewhere,
  type ClientStatus,
  type Failure,
  type ReadEvent,
  type RefreshTokenEvent,
  timedOut,
  type Timings,
  type Token,
} from '../../../machines/index.ts'
import { type Clock, jwtClaims, RequestError, type TimerHandle } from '../../runtime/index.ts'
import { holdStored } from './session-store.ts'
import type { AuthInternals } from './auth-api.ts'
import type { AuthApi } from '../client-types.ts'
import type { StoredSession, Vault } from './vault.ts'

export interface TokenProviderHost extends Pick<AuthInternals, 'attempt'>, Pick<AuthApi, 'signOut'> {
  readonly accessToken: () => Promise<string | null>
  readonly clock: Clock
  readonly vault: Vault
  readonly timings: Timings
  /** Whether the token should be replaced now. */
  readonly isDue: (token: Token) => boolean
  /** In [0, 1). */
  readonly random: () => number
  status(): ClientStatus
  onStatus(listener: () => void): () => void
}

/**
 * How long an answer is used for further requests, in ms. A service keeps its token itself; asking it again
 * shows that its user has signed out or changed, of which there is no other sign.
 */
const FRESH_FOR = 1_000

/** Lifetime of a token that does not name its expiry, in seconds. */
const UNKNOWN_LIFETIME = 86_400

interface Answer {
  readonly at: number
  readonly session: StoredSession | undefined
}

export type TokenProvider = ReturnType<typeof createTokenProvider>

export function createTokenProvider(host: TokenProviderHost) {
  const { clock, vault, timings } = host
  let answer: Answer | undefined
  let asking: Promise<Answer> | undefined
  let syncing: Promise<void> | undefined
  let timer: TimerHandle
  let isDisposed = false

  /** Joins a question that is being asked. @throws RequestError if there is no answer */
  const ask = (): Promise<Answer> =>
    (asking ??= answered(host)
      .then(session => (answer = { at: clock.now(), session }))
      .finally(() => (asking = undefined)))

  const hold = (session: StoredSession): Token => ({ ...holdStored(host, session), byApp: true })

  const present = () => {
    const { session } = host.status()
    if (session.phase !== 'authenticated') return undefined
    return { isLive: clock.now() < session.token.expiresAt, token: vault.current()?.access_token }
  }

  /** Asks, and makes the session the answer's. */
  const sync = async (): Promise<void> => {
    const result = await ask()
    await booted(host)
    const { session } = result
    if (session?.access_token === present()?.token) return
    if (!session) await host.signOut({ scope: 'local' })
    else await host.attempt('accessToken', [], () => Promise.resolve({ data: { session }, error: null }))
  }
  const synced = () => (syncing ??= sync().finally(() => (syncing = undefined)))

  /** Without an answer, nothing is known about the user: asks until there is one. */
  const retry = (attempt = 0): void => {
    const delay = Math.min(timings.backoffMin * 2 ** attempt, timings.backoffMax)
    timer = clock.setTimeout(() => {
      if (!isDisposed) void synced().catch(() => retry(attempt + 1))
    }, delay)
  }

  return {
    /** Resolves when the session is that of the service's user. @throws RequestError if it does not answer */
    async ready(): Promise<void> {
      if (answer && clock.now() - answer.at < FRESH_FOR && !syncing) return
      await synced().catch((error: unknown) => {
        if (!present()?.isLive) throw error
      })
    },
    /** Asks for the user and for a new token now. */
    synced,
    async readSession(tokenId: string | undefined): Promise<ReadEvent> {
      try {
        const { session } = tokenId === undefined || !answer ? await ask() : answer
        if (!session) return { type: 'stored.none' }
        const isSame = vault.session(tokenId ?? '')?.access_token === session.access_token
        return isSame ? { type: 'stored.same' } : { type: 'stored.found', token: hold(session) }
      } catch (error) {
        retry()
        if (!(error instanceof RequestError)) throw error
        return { type: 'stored.corrupt', failure: error.failure }
      }
    },
    async refreshToken(tokenId: string): Promise<RefreshTokenEvent> {
      const stored = vault.session(tokenId)
      const { session } = await ask()
      if (!session) return { type: 'refresh.failed', failure: signedOut }
      if (session.user.id !== stored?.user.id) return { type: 'refresh.failed', failure: changedElsewhere }
      if (session.access_token !== stored.access_token)
        return { type: 'refresh.succeeded', token: hold(session) }
      // The same token, after a server rejected it: under another handle, it is tried once more.
      vault.forget()
      const token = hold(session)
      const remaining = token.expiresAt - clock.now()
      if (!host.isDue(token)) return { type: 'refresh.succeeded', token }
      return { type: 'refresh.failed', failure: { ...unchanged, retryAfter: Math.ceil(remaining / 4_000) } }
    },
    async authenticate(attempt: string): Promise<AuthenticateEvent> {
      const session = answer?.session
      vault.take(attempt)
      return session
        ? { type: 'auth.succeeded', token: hold(session) }
        : { type: 'auth.failed', failure: signedOut }
    },
    forget: vault.forget,
    dispose() {
      isDisposed = true
      clock.clearTimeout(timer)
    },
  }
}

const failed: Failure = {
  kind: 'auth',
  code: 'access_token_failed',
  message: 'The app’s `accessToken` function failed, so nothing was sent.',
}
const timeout: Failure = { ...timedOut('The app’s `accessToken` function'), code: 'access_token_failed' }
/** With this status and code, the session ends. */
const signedOut: Failure = {
  kind: 'auth',
  code: 'session_not_found',
  status: 401,
  message: 'The app’s `accessToken` function returned no token.',
}
const unchanged: Failure = {
  kind: 'auth',
  code: 'access_token_unchanged',
  message: 'The app’s `accessToken` function returned the same token, which expires soon.',
}

/** Asks once, within the time for a token. */
function answered({ accessToken, clock, timings }: TokenProviderHost): Promise<StoredSession | undefined> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new RequestError(timeout)), timings.tokenTimeout)
    const fail = () => reject(new RequestError(failed))
    const take = (token: unknown) => {
      if (token === null || token === undefined || token === '') return resolve(undefined)
      if (typeof token !== 'string') return fail()
      resolve(sessionOf(token, clock.wall().getTime()))
    }
    // What the app throws may contain anything.
    void new Promise(done => done(accessToken())).then(take, fail).finally(() => clock.clearTimeout(timer))
  })
}

/** A session with the token's user and expiry. */
function sessionOf(token: string, now: number): StoredSession {
  const { sub, email, exp, iat } = jwtClaims(token) ?? {}
  return {
    access_token: token,
    refresh_token: '',
    token_type: 'bearer',
    expires_in: lifetimeOf(exp, iat, now / 1000),
    received_at: now,
    user: { id: typeof sub === 'string' ? sub : 'accessToken', ...(typeof email === 'string' && { email }) },
  }
}

/** In seconds. A service returns no expired tokens: if one seems to be, this device's clock is wrong. */
function lifetimeOf(exp: unknown, iat: unknown, now: number): number {
  if (typeof exp !== 'number') return UNKNOWN_LIFETIME
  const lifetime = typeof iat === 'number' ? exp - iat : UNKNOWN_LIFETIME
  return exp > now ? exp - now : lifetime
}

/** Resolves when it is known whether a user is signed in. */
function booted({ status, onStatus }: TokenProviderHost): Promise<void> {
  return new Promise(resolve => {
    const isKnown = () => status().session.phase !== 'booting'
    if (isKnown()) return resolve()
    const stop = onStatus(() => {
      if (!isKnown()) return
      stop()
      resolve()
    })
  })
}
