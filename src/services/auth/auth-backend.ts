// What the auth ports share: the backend they ask, and how a session comes to be held and stored.
import type { Token } from '../../machines/expiry.ts'
import type { SessionStorage } from '../client-types.ts'
import type { Clock } from '../clock.ts'
import type { SessionStore } from './session-store.ts'
import type * as accountParts from './supabase-account.ts'
import type { UrlOptions } from './url-session.ts'
import type { StoredSession, Vault } from './vault.ts'

export type AccountParts = typeof accountParts

/** What it takes to make an auth call. */
export interface AuthEndpoint {
  readonly url: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
  /** Where sessions and the verifiers of redirects are kept, and the official key of the session. */
  readonly storage: SessionStorage
  readonly storageKey: string
  readonly flowType: 'implicit' | 'pkce'
  /** A new, unused id. */
  readonly id: () => string
}

export interface AuthBackend extends AuthEndpoint, UrlOptions {
  readonly clock: Clock
  readonly vault: Vault
  readonly store: SessionStore
  /** Loads what asks the server on the account's behalf, and finds the words for what it answers. */
  readonly account: () => Promise<AccountParts>
  /** Waits for a live token, and puts it in when the call goes out. */
  readonly fetchAsUser?: typeof globalThis.fetch
  /** In [0, 1). */
  readonly random: () => number
}

/** Milliseconds since the session was received; by the server's clock where nothing else is known. */
function ageOf(session: StoredSession, wall: number): number {
  return Math.max(0, wall - (session.received_at ?? issuedAt(session) ?? wall))
}

/** Epoch milliseconds by the server's clock, to the second. */
const issuedAt = ({ expires_at, expires_in }: StoredSession) =>
  expires_at === undefined ? undefined : (expires_at - expires_in) * 1000

/** On average the server's clock is half a second past what it says. */
const HALF_SECOND = 500

function held(
  { vault, clock, random }: AuthBackend,
  session: StoredSession,
  receivedAt: number | undefined,
): Token {
  const issued = issuedAt(session)
  const skew =
    issued === undefined || receivedAt === undefined ? 0 : Math.round(issued + HALF_SECOND - receivedAt)
  const token = vault.keep(session, clock.now(), ageOf(session, clock.wall().getTime()))
  return { ...token, skew, spread: random() }
}

/** Holds a session that was read from storage. */
export const holdStored = (backend: AuthBackend, session: StoredSession): Token =>
  held(backend, session, session.received_at)

/**
 * Holds and stores a session that has just been received. Its life is counted from `askedAt` (monotonic
 * milliseconds), since the device may have slept over the answer.
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
  // A full or forbidden storage costs the session its survival of a reload, never the session itself.
  await backend.store.write(received).catch(() => undefined)
  return token
}

/**
 * Whether the stored session is still one of these, by its refresh token. A tab that stood still may bring an answer
 * that others have overtaken: what it wrote would undo their rotations, or their sign-out.
 */
export const isStillStored = (
  { store }: Pick<AuthBackend, 'store'>,
  ...sessions: readonly StoredSession[]
): Promise<boolean> =>
  store.read().then(
    stored => sessions.some(({ refresh_token }) => refresh_token === stored?.refresh_token),
    // Who can't see what others did goes by what it has.
    () => true,
  )

/** Nothing was rotated in between, and the user is still told of as before. */
export const isSameSession = (stored: StoredSession, held: StoredSession): boolean =>
  stored.access_token === held.access_token && JSON.stringify(stored.user) === JSON.stringify(held.user)
