// The vault: where tokens and passwords live, so that machines and traces hold only their handles.
import type { Token } from '../machines/expiry.ts'

/** A session as the auth server answers it, with the wall-clock time of its receipt. */
export interface StoredSession {
  readonly access_token: string
  readonly refresh_token: string
  /** Seconds. */
  readonly expires_in: number
  readonly token_type: string
  readonly user: { readonly id: string; readonly email?: string | undefined }
  /** Epoch seconds by the server's clock; kept for other clients of the same storage. */
  readonly expires_at?: number | undefined
  /** Epoch milliseconds by this device's clock: expiry is reckoned from here, so a skewed clock does no harm. */
  readonly received_at?: number
}

export type Credentials = {
  readonly kind: 'signIn' | 'signUp'
  readonly email: string
  readonly password: string
}

export interface Vault {
  /** Keeps a session and gives the handle by which machines know it. `age` is how long ago it was received. */
  keep(session: StoredSession, now: number, age?: number): Token
  session(tokenId: string): StoredSession | undefined
  /** The access token in use, if there is one. */
  accessToken(): string | undefined
  /** Keeps credentials until they are taken, once. */
  put(attempt: string, credentials: Credentials): void
  take(attempt: string): Credentials | undefined
  forget(): void
}

/** @param onSecret hears of every secret that is kept, so that it can be looked for where it must not be. */
export function createVault(onSecret: (secret: string) => void): Vault {
  let kept: { id: string; session: StoredSession } | undefined
  let count = 0
  const credentials = new Map<string, Credentials>()
  return {
    keep(session, now, age = 0) {
      onSecret(session.access_token)
      onSecret(session.refresh_token)
      kept = { id: `token-${++count}`, session }
      return describe(kept.id, session, now, age)
    },
    session: tokenId => (kept?.id === tokenId ? kept.session : undefined),
    accessToken: () => kept?.session.access_token,
    put(attempt, value) {
      onSecret(value.password)
      credentials.set(attempt, value)
    },
    take(attempt) {
      const value = credentials.get(attempt)
      credentials.delete(attempt)
      return value
    },
    forget() {
      kept = undefined
    },
  }
}

function describe(id: string, session: StoredSession, now: number, age: number): Token {
  const lifetime = session.expires_in * 1000
  const receivedAt = now - age
  const { email } = session.user
  const user = { id: session.user.id, ...(email !== undefined && { email }) }
  return {
    id,
    receivedAt,
    heldSince: now,
    expiresAt: receivedAt + lifetime,
    lifetime,
    aal: assurance(session.access_token),
    user,
  }
}

/** The `aal` claim of a JWT; a token that is not one counts as aal1. */
function assurance(accessToken: string): Token['aal'] {
  const payload = accessToken.split('.')[1]
  if (payload === undefined) return 'aal1'
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null && 'aal' in claims && claims.aal === 'aal2'
      ? 'aal2'
      : 'aal1'
  } catch {
    return 'aal1'
  }
}
