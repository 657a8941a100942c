// The vault: where tokens and passwords live, so that machines and traces hold only their handles.
import type { ChartroomUser, Token } from '../../machines/expiry.ts'
import type { AuthClient } from '../client-types.ts'

/** A user as the auth server tells of it; other fields are kept for the app. */
export interface StoredUser {
  readonly id: string
  readonly email?: string | undefined
  readonly is_anonymous?: boolean | undefined
  /** The address that is to be confirmed before it takes the place of the present one. */
  readonly new_email?: string | undefined
  readonly factors?: readonly { readonly status: string }[] | undefined
}

/** A session as the auth server answers it, with the wall-clock time of its receipt. */
export interface StoredSession {
  readonly access_token: string
  readonly refresh_token: string
  /** Seconds. */
  readonly expires_in: number
  readonly token_type: string
  readonly user: StoredUser
  readonly provider_token?: string | null | undefined
  readonly provider_refresh_token?: string | null | undefined
  /** Epoch seconds by the server's clock; kept for other clients of the same storage. */
  readonly expires_at?: number | undefined
  /** Epoch milliseconds by this device's clock: expiry is reckoned from here, so a skewed clock does no harm. */
  readonly received_at?: number
}

/** What an official method answers, as far as the session is concerned. */
export interface AuthReply {
  readonly data: {
    readonly session?: StoredSession | null
    readonly user?: StoredUser | null
    /** `recovery` when a code was exchanged that came of a forgotten password. */
    readonly redirectType?: string | null
  } | null
  readonly error: unknown
}

/** One call that gives a session, by whatever method; its secrets never leave the vault but through it. */
export interface Credentials {
  /** Passwords, codes and tokens that the call sends. */
  readonly secrets: readonly string[]
  /** Makes the call on a client that holds no session and can't refresh by itself. */
  readonly run: (client: AuthClient) => Promise<AuthReply>
  /** The session is there to set a new password. */
  readonly recovery?: boolean
}

export interface Vault {
  /** Keeps a session and gives the handle by which machines know it. `age` is how long ago it was received. */
  keep(session: StoredSession, now: number, age?: number): Token
  session(tokenId: string): StoredSession | undefined
  /** The session in use, if there is one. */
  current(): StoredSession | undefined
  /** Whether it is the access token in use or the one before. */
  knows(accessToken: string): boolean
  /** Keeps credentials until they are taken, once. */
  put(attempt: string, credentials: Credentials): void
  take(attempt: string): Credentials | undefined
  forget(): void
}

/** What is in use and what was before it: a request may still be on its way out with the old handle. */
const REMEMBERED = 2

/** @param onSecret hears of every secret that is kept, so that it can be looked for where it must not be. */
export function createVault(onSecret: (secret: string) => void): Vault {
  let kept: readonly { readonly token: Token; readonly session: StoredSession }[] = []
  let count = 0
  const credentials = new Map<string, Credentials>()
  return {
    keep(session, now, age = 0) {
      for (const secret of secretsOf(session)) onSecret(secret)
      const [before] = kept
      const isSame = before?.session.access_token === session.access_token
      const fresh = describe(isSame ? before.token.id : `token-${++count}`, session, now, age)
      // News of the user alone do not make a token younger.
      const token = isSame
        ? { ...before.token, user: fresh.user, hasFactor: fresh.hasFactor ?? false }
        : fresh
      kept = [{ token, session }, ...kept.slice(isSame ? 1 : 0)].slice(0, REMEMBERED)
      return token
    },
    session: tokenId => kept.find(({ token }) => token.id === tokenId)?.session,
    current: () => kept[0]?.session,
    knows: accessToken => kept.some(({ session }) => session.access_token === accessToken),
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
      kept = []
    },
  }
}

const secretsOf = (session: StoredSession) =>
  [
    session.access_token,
    session.refresh_token,
    session.provider_token,
    session.provider_refresh_token,
  ].filter(secret => typeof secret === 'string')

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

/** What machines and apps see of a user. */
export const userOf = ({ id, email, is_anonymous, new_email }: StoredUser): ChartroomUser => ({
  id,
  ...(email !== undefined && email !== '' && { email }),
  ...(is_anonymous === true && { isAnonymous: true }),
  ...(new_email !== undefined && new_email !== '' && { newEmail: new_email }),
})

/** The claims of a JWT; of what is none there are none. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
