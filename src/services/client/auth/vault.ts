// The vault: stores tokens and passwords, so that machines and traces contain only their handles.
import type { ChartroomUser, Token } from '../../../machines/index.ts'
import { jwtClaims } from '../../runtime/index.ts'
import type { AuthClient } from '../client-types.ts'

/** A user as returned by the auth server; other fields are kept for the app. */
export interface StoredUser {
  readonly id: string
  readonly email?: string | undefined
  readonly is_anonymous?: boolean | undefined
  /** The new address that awaits confirmation. */
  readonly new_email?: string | undefined
  readonly factors?: readonly { readonly status: string }[] | undefined
}

/** A session as returned by the auth server, with the wall-clock time when it was received. */
export interface StoredSession {
  readonly access_token: string
  readonly refresh_token: string
  /** Seconds. */
  readonly expires_in: number
  readonly token_type: string
  readonly user: StoredUser
  readonly provider_token?: string | null | undefined
  readonly provider_refresh_token?: string | null | undefined
  /** Epoch seconds by the server's clock; kept for other clients that use the same storage. */
  readonly expires_at?: number | undefined
  /**
   * Epoch milliseconds by this device's clock. Expiry is computed from it, so a skewed clock does no harm.
   */
  readonly received_at?: number
}

/**
 * Whether two sessions have the same tokens. Both are compared: a server that signs with a shared secret issues
 * the same access token again when it is refreshed within a second.
 */
export const hasSameTokens = (one: StoredSession, b: StoredSession): boolean =>
  one.access_token === b.access_token && one.refresh_token === b.refresh_token

/** Session-related parts of a supabase-js auth response. */
export interface AuthReply {
  readonly data: {
    readonly session?: StoredSession | null
    readonly user?: StoredUser | null
    /** `recovery` if the exchanged code belongs to a password reset. */
    readonly redirectType?: string | null
  } | null
  readonly error: unknown
}

/** One call that returns a session. Its secrets leave the vault only through this call. */
export interface Credentials {
  /** Passwords, codes and tokens that the call sends. */
  readonly secrets: readonly string[]
  /** Makes the call on a client that holds no session and does not refresh. */
  readonly run: (client: AuthClient) => Promise<AuthReply>
  /** The session is for setting a new password. */
  readonly recovery?: boolean
}

export interface Vault {
  /** Stores a session and returns its handle for machines. `age` is the time since it was received. */
  store(session: StoredSession, now: number, age?: number): Token
  session(tokenId: string): StoredSession | undefined
  /** The current session, if there is one. */
  current(): StoredSession | undefined
  /** Whether it is the current or the previous access token. */
  knows(accessToken: string): boolean
  /** Stores credentials until they are taken, once. */
  put(attempt: string, credentials: Credentials): void
  take(attempt: string): Credentials | undefined
  forget(): void
}

/** The current and the previous session: a request may still be using the old handle. */
const REMEMBERED = 2

/** @param onSecret called with every stored secret, so that it can be redacted elsewhere */
export function createVault(onSecret: (secret: string) => void): Vault {
  let recentSessions: readonly { readonly token: Token; readonly session: StoredSession }[] = []
  let count = 0
  const credentials = new Map<string, Credentials>()
  return {
    store(session, now, age = 0) {
      for (const secret of secretsOf(session)) onSecret(secret)
      const [before] = recentSessions
      const isSame = before !== undefined && hasSameTokens(before.session, session)
      const fresh = describe(isSame ? before.token.id : `token-${++count}`, session, now, age)
      // New user data does not change the age of a token.
      const token = isSame
        ? { ...before.token, user: fresh.user, hasFactor: fresh.hasFactor ?? false }
        : fresh
      recentSessions = [{ token, session }, ...recentSessions.slice(isSame ? 1 : 0)].slice(0, REMEMBERED)
      return token
    },
    session: tokenId => recentSessions.find(({ token }) => token.id === tokenId)?.session,
    current: () => recentSessions[0]?.session,
    knows: accessToken => recentSessions.some(({ session }) => session.access_token === accessToken),
    put(attempt, value) {
      for (const secret of value.secrets) onSecret(secret)
      credentials.set(attempt, value)
    },
    take(attempt) {
      const value = credentials.get(attempt)
      credentials.delete(attempt)
      return value
    },
    forget() {
      recentSessions = []
    },
  }
}

const secretsOf = (session: StoredSession) =>
  [
    session.access_token,
    session.refresh_token,
    session.provider_token,
    session.provider_refresh_token,
  ].flatMap(secret => secret || [])

function describe(id: string, session: StoredSession, now: number, age: number): Token {
  const lifetime = session.expires_in * 1000
  const receivedAt = now - age
  return {
    id,
    receivedAt,
    heldSince: now,
    expiresAt: receivedAt + lifetime,
    lifetime,
    aal: claimsOf(session.access_token)['aal'] === 'aal2' ? 'aal2' : 'aal1',
    hasFactor: session.user.factors?.some(({ status }) => status === 'verified') ?? false,
    user: userOf(session.user),
  }
}

/** Public user data for machines and apps. */
export const userOf = ({ id, email, is_anonymous, new_email }: StoredUser): ChartroomUser => ({
  id,
  ...(email !== undefined && email !== '' && { email }),
  ...(is_anonymous === true && { isAnonymous: true }),
  ...(new_email !== undefined && new_email !== '' && { newEmail: new_email }),
})

/** Returns the claims of a JWT; empty if it is not a JWT. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> => jwtClaims(token) ?? {}
