// Shared code of the auth ports: the backend, and how sessions are held and stored.
import type { Token } from '../../../machines/index.ts'
import type { Clock, SessionStorage } from '../../runtime/index.ts'
import type { SessionStore } from './session-store.ts'
import type * as accountParts from './supabase-account.ts'
import type { UrlOptions } from './url-session.ts'
import type { StoredSession, Vault } from './vault.ts'

export type AccountParts = typeof accountParts

/** What an auth call needs. */
export interface AuthEndpoint {
  readonly url: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
  /** Where sessions and PKCE verifiers are stored, and supabase-js's storage key of the session. */
  readonly storage: SessionStorage
  readonly storageKey: string
  readonly flowType: 'implicit' | 'pkce'
  /** Returns a new, unused id. */
  readonly id: () => string
}

export interface AuthBackend extends AuthEndpoint, UrlOptions {
  readonly clock: Clock
  readonly vault: Vault
  readonly store: SessionStore
  /** Loads the code that makes account requests and describes their errors. */
  readonly account: () => Promise<AccountParts>
  /** Waits for a valid token and adds it when the request is sent. */
  readonly fetchAsUser?: typeof globalThis.fetch
  /** In [0, 1). */
  readonly random: () => number
}

/** Milliseconds since the session was received; by the server's clock if nothing else is known. */
function ageOf(session: StoredSession, wall: number): number {
  return Math.max(0, wall - (session.received_at ?? issuedAt(session) ?? wall))
}

/** Epoch milliseconds by the server's clock, with a resolution of one second. */
const issuedAt = ({ expires_at, expires_in }: StoredSession) =>
  expires_at === undefined ? undefined : (expires_at - expires_in) * 1000

/** On average the server's clock is half a second ahead of its truncated time. */
const HALF_SECOND = 500

function held(
  { vault, clock, random }: AuthBackend,
  session: StoredSession,
  receivedAt: number | undefined,
): Token {
  const issued = issuedAt(session)
  const skew =
    issued === undefined || receivedAt === undefined ? 0 : Math.round(issued + HALF_SECOND - receivedAt)
  const token = vault.store(session, clock.now(), ageOf(session, clock.wall().getTime()))
  return { ...token, skew, spread: random() }
}

/** Holds a session that was loaded from storage. */
export const holdStored = (backend: AuthBackend, session: StoredSession): Token =>
  held(backend, session, session.received_at)

/**
 * Holds and stores a new session. Its lifetime starts at `askedAt` (monotonic milliseconds), since the device
 * may have slept before the response arrived.
 */
export async function keepReceived(
  backend: AuthBackend,
  session: StoredSession,
  askedAt = backend.clock.now(),
): Promise<Token> {
  const now = backend.clock.wall().getTime()
  const waited = backend.clock.now() - askedAt
  const received: StoredSession = { ...session, received_at: now - waited }
  const token = held(backend, received, now - waited / 2)
  // If storage is full or blocked, the session does not survive a reload, but it still works.
  await backend.store.write(received).catch(() => undefined)
  return token
}

/**
 * Whether the stored session is one of these, by its refresh token. A tab that was suspended may hold an
 * outdated response; writing it would undo rotations or a sign-out of other tabs.
 */
export const isStillStored = (
  { store }: Pick<AuthBackend, 'store'>,
  ...sessions: readonly StoredSession[]
): Promise<boolean> =>
  store.read().then(
    stored => sessions.some(({ refresh_token }) => refresh_token === stored?.refresh_token),
    // If storage cannot be read, changes of other tabs are unknown; assume there are none.
    () => true,
  )

/** Whether neither the token nor the user data changed. */
export const isSameSession = (stored: StoredSession, held: StoredSession): boolean =>
  stored.access_token === held.access_token && JSON.stringify(stored.user) === JSON.stringify(held.user)
