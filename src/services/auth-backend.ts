// What the auth ports share: the backend they ask, and how a session comes to be held and stored.
import type { Token } from '../machines/expiry.ts'
import type { SessionStorage } from './client-types.ts'
import type { Clock } from './clock.ts'
import type { SessionStore } from './session-store.ts'
import type { StoredSession, Vault } from './vault.ts'

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

export interface AuthBackend extends AuthEndpoint {
  readonly clock: Clock
  readonly vault: Vault
  readonly store: SessionStore
}

/** Milliseconds since the session was received; by the server's clock where nothing else is known. */
export function ageOf(session: StoredSession, wall: number): number {
  const receivedAt = session.received_at ?? ((session.expires_at ?? 0) - session.expires_in) * 1000
  return Math.max(0, wall - receivedAt)
}

/** Holds a session that was read from storage. */
export const holdStored = ({ vault, clock }: AuthBackend, session: StoredSession): Token =>
  vault.keep(session, clock.now(), ageOf(session, clock.wall().getTime()))

/** Holds and stores a session that has just been received. */
export async function keepReceived(
  { vault, store, clock }: AuthBackend,
  session: StoredSession,
): Promise<Token> {
  const received: StoredSession = { ...session, received_at: clock.wall().getTime() }
  const token = vault.keep(received, clock.now())
  // A full or forbidden storage costs the session its survival of a reload, never the session itself.
  await store.write(received).catch(() => undefined)
  return token
}

/** Another tab rotated the token already: its session is taken over instead of spending ours twice. */
export function isNewerRotation(stored: StoredSession, held: StoredSession): boolean {
  return (
    stored.user.id === held.user.id &&
    stored.refresh_token !== held.refresh_token &&
    (stored.received_at ?? 0) > (held.received_at ?? 0)
  )
}
