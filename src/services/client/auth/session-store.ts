// The session store: reads and writes the persisted session, in supabase-js's format.
import type { SessionStorage } from '../../runtime/index.ts'
import type { StoredSession } from './vault.ts'

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
  let untaken: { readonly text: string | null; readonly beside: string | null } | undefined
  let written = 0
  const stored = async () => storage.getItem(key)
  const change = async (text: string | null, apply: () => void | Promise<void>) => {
    try {
      await apply()
      untaken = undefined
    } catch (error) {
      untaken = { text, beside: await stored().catch(() => null) }
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
        if (untaken) return untaken.beside
        throw error
      })
      const text = untaken?.beside === present ? untaken.text : present
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
    typeof access_token === 'string' &&
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

/**
 * Returns supabase-js's key for hosted projects, so that its session is taken over; elsewhere the key
 * includes the port.
 */
export function defaultStorageKey(url: string): string {
  const { host, hostname } = new URL(url)
  return `sb-${hostname.endsWith('.supabase.co') ? hostname.split('.')[0] : host}-auth-token`
}
