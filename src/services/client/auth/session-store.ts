// The session store: reads and writes the persisted session, in supabase-js's format, and puts sessions that
// were read or received into the vault.
import { isSendable, type SessionStorage, type Clock } from '../../runtime/index.ts'
import { hasSameTokens, type StoredSession, type Vault } from './vault.ts'
import type { Token } from '../../../machines/index.ts'
import type * as accountParts from './supabase-account.ts'
import type { UrlOptions } from './url-session.ts'

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
  /** Features of auth-js that are off by default. */
  readonly experimental?: Readonly<Record<string, boolean>> | undefined
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

/** What holds sessions. */
type Holder = Pick<AuthBackend, 'vault' | 'clock' | 'random'>

/** Milliseconds since the session was received; by the server's clock if nothing else is known. */
function ageOf(session: StoredSession, wall: number): number {
  return Math.max(0, wall - (session.received_at ?? issuedAt(session) ?? wall))
}

/** Epoch milliseconds by the server's clock, with a resolution of one second. */
const issuedAt = ({ expires_at, expires_in }: StoredSession) =>
  expires_at === undefined ? undefined : (expires_at - expires_in) * 1000

/** On average the server's clock is half a second ahead of its truncated time. */
const HALF_SECOND = 500

function tokenOf(
  { vault, clock, random }: Holder,
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
export const holdStored = (backend: Holder, session: StoredSession): Token =>
  tokenOf(backend, session, session.received_at)

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
  const token = tokenOf(backend, received, now - waited / 2)
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

/** Whether neither the tokens nor the user data changed. */
export const isSameSession = (stored: StoredSession, current: StoredSession): boolean =>
  hasSameTokens(stored, current) && JSON.stringify(stored.user) === JSON.stringify(current.user)

export interface SessionStore {
  /** @throws CorruptSessionError if the stored value is not a session */
  read(): Promise<StoredSession | undefined>
  write(session: StoredSession): Promise<void>
  remove(): Promise<void>
  /** Whether a tab removed the missing session on purpose; otherwise all site data was cleared. */
  wasRemoved(): Promise<boolean>
  /** When the session that was last written was received; 0 before the first write. */
  written(): number
}

export class CorruptSessionError extends Error {
  override readonly name = 'CorruptSessionError'
}

/**
 * Reads and writes under `key`. A write that full or blocked storage rejected is kept in memory until the
 * stored value changes. If other tabs share the storage, a mark records that a session was removed on
 * purpose.
 */
export function createSessionStore(
  storage: SessionStorage,
  key: string,
  hasMark = isShared(storage),
): SessionStore {
  const mark = `${key}-removed`
  let untaken: { readonly text: string | null; readonly siblingText: string | null } | undefined
  let written = 0
  const stored = async () => storage.getItem(key)
  const change = async (text: string | null, apply: () => void | Promise<void>) => {
    try {
      await apply()
      untaken = undefined
    } catch (error) {
      untaken = { text, siblingText: await stored().catch(() => null) }
      throw error
    }
  }
  const note = async (change: () => void | Promise<void>) => {
    try {
      if (hasMark) await change()
    } catch {
      // Only the reason shown in other tabs depends on it.
    }
  }
  return {
    async read() {
      const present = await stored().catch((error: unknown) => {
        if (untaken) return untaken.siblingText
        throw error
      })
      const text = untaken?.siblingText === present ? untaken.text : present
      if (text === null) return undefined
      const session = parseSession(text)
      if (session) return session
      throw new CorruptSessionError('The stored session could not be read. Sign in again.')
    },
    async write(session) {
      const text = JSON.stringify(session)
      written = session.received_at ?? 0
      await change(text, () => storage.setItem(key, text))
      await note(() => storage.removeItem(mark))
    },
    written: () => written,
    async remove() {
      await note(() => storage.setItem(mark, 'true'))
      await change(null, () => storage.removeItem(key))
    },
    wasRemoved: async () => hasMark && (await storage.getItem(mark)) !== null,
  }
}

/** Parses a session; undefined if the text contains none. */
export function parseSession(text: string): StoredSession | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isSession(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isSession(value: unknown): value is StoredSession {
  if (typeof value !== 'object' || value === null) return false
  const { access_token, refresh_token, expires_in, expires_at, received_at, user } = value as Partial<
    Record<keyof StoredSession, unknown>
  >
  const isTime = (time: unknown) => time === undefined || time === null || Number.isFinite(time)
  return (
    isSendable(access_token) &&
    typeof refresh_token === 'string' &&
    typeof expires_in === 'number' &&
    Number.isFinite(expires_in) &&
    isTime(expires_at) &&
    isTime(received_at) &&
    typeof user === 'object' &&
    user !== null &&
    'id' in user &&
    typeof user.id === 'string'
  )
}

/** Whether other tabs share the storage: true in pages, except for the in-memory fallback. */
export const isShared = (storage: SessionStorage): boolean =>
  globalThis.document !== undefined && !(storage instanceof MemoryStorage)

/** Returns `localStorage` if it works, otherwise memory storage for the life of the page. */
export function defaultStorage(): SessionStorage {
  try {
    const { localStorage } = globalThis
    localStorage.getItem('chartroom')
    return localStorage
  } catch {
    return memoryStorage()
  }
}

class MemoryStorage implements SessionStorage {
  readonly #items = new Map<string, string>()
  getItem(key: string) {
    return this.#items.get(key) ?? null
  }
  setItem(key: string, value: string) {
    this.#items.set(key, value)
  }
  removeItem(key: string) {
    this.#items.delete(key)
  }
}

export const memoryStorage = (): SessionStorage => new MemoryStorage()

/** Returns supabase-js's key, so that its session is taken over. */
export const defaultStorageKey = (url: string): string =>
  `sb-${new URL(url).hostname.split('.')[0]}-auth-token`
