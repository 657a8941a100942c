// The session store: reads and writes the one session that outlives the page, in the official client's shape.
import type { SessionStorage } from './client-types.ts'
import type { StoredSession } from './vault.ts'

export interface SessionStore {
  /** @throws CorruptSessionError when something is stored that is not a session. */
  read(): Promise<StoredSession | undefined>
  write(session: StoredSession): Promise<void>
  remove(): Promise<void>
}

export class CorruptSessionError extends Error {
  override readonly name = 'CorruptSessionError'
}

export function createSessionStore(storage: SessionStorage, key: string): SessionStore {
  return {
    async read() {
      const text = await storage.getItem(key)
      if (text === null) return undefined
      const session = parse(text)
      if (!isSession(session)) {
        throw new CorruptSessionError('The stored session could not be read. Sign in again.')
      }
      return session
    },
    async write(session) {
      await storage.setItem(key, JSON.stringify(session))
    },
    async remove() {
      await storage.removeItem(key)
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSession(value: unknown): value is StoredSession {
  if (typeof value !== 'object' || value === null) return false
  const { access_token, refresh_token, expires_in, user } = value as Partial<
    Record<keyof StoredSession, unknown>
  >
  return (
    typeof access_token === 'string' &&
    typeof refresh_token === 'string' &&
    typeof expires_in === 'number' &&
    Number.isFinite(expires_in) &&
    typeof user === 'object' &&
    user !== null &&
    'id' in user &&
    typeof user.id === 'string'
  )
}

/** `localStorage` where there is one that works, else memory for the life of the page. */
export function defaultStorage(): SessionStorage {
  try {
    const { localStorage } = globalThis
    localStorage.getItem('chartroom')
    return localStorage
  } catch {
    return memoryStorage()
  }
}

export function memoryStorage(): SessionStorage {
  const items = new Map<string, string>()
  return {
    getItem: key => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: key => void items.delete(key),
  }
}

/** The official client's key for hosted projects, so that a session is taken over; with the port elsewhere. */
export function defaultStorageKey(url: string): string {
  const { host, hostname } = new URL(url)
  return `sb-${hostname.endsWith('.supabase.co') ? hostname.split('.')[0] : host}-auth-token`
}
