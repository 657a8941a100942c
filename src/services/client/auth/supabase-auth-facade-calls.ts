// Account calls of the auth facade: made by supabase-js as the user, without giving it the token.
import { AuthSessionMissingError } from '@supabase/auth-js'
import type { AuthInternals } from './auth-api.ts'
import type { AuthEndpoint } from './auth-backend.ts'
import type { AuthApi } from '../client-types.ts'
import { authError } from './supabase-auth-facade-error.ts'
import type { AuthEvents } from './supabase-auth-facade-events.ts'
import { booted, presentSession, type SessionView } from './supabase-auth-facade-session.ts'
import type { StoredSession } from './vault.ts'

type Fetch = typeof globalThis.fetch

export interface AccountHost
  extends SessionView, AuthEndpoint, Pick<AuthInternals, 'attempt' | 'commit'>, Pick<AuthApi, 'verifyUser'> {
  /** Waits for a valid token and adds it when the request is sent. */
  readonly fetchAsUser: Fetch
}

/** Placeholder for the access token in the session that supabase-js reads. */
const LENT = 'the-live-token'

/**
 * Storage for account calls. PKCE verifiers keep their usual keys. The session is a copy that never expires.
 * Writes to it are committed; when it is removed, the server is asked whether and why the session has ended.
 */
export function accountStorage(host: AccountHost, events: AuthEvents, isRecovered: () => boolean) {
  const { storage, storageKey, attempt, commit, verifyUser } = host
  const lend = async () => {
    await booted(host)
    const present = presentSession(host)
    return present && JSON.stringify({ ...present, access_token: LENT, expires_at: null })
  }
  const signIn = async (session: StoredSession) =>
    (await attempt('session', [], () => Promise.resolve({ data: { session }, error: null }))).settled
  const storeSession = async (written: StoredSession) => {
    const present = presentSession(host)
    const isNews = written.access_token === LENT
    const isSame = present?.user.id === written.user.id
    if (isNews && !isSame) throw new AuthSessionMissingError()
    events.hold()
    const session = isNews && present ? { ...present, user: written.user } : written
    const { failure } = await (isSame ? commit(session, isRecovered()) : signIn(session))
    if (!failure) return
    events.release()
    throw authError(failure)
  }
  const isSession = (key: string) => key === storageKey
  return {
    getItem: (key: string) => (isSession(key) ? lend() : storage.getItem(key)),
    setItem: (key: string, value: string) =>
      isSession(key) ? storeSession(JSON.parse(value) as StoredSession) : storage.setItem(key, value),
    removeItem: async (key: string) => {
      if (isSession(key)) await verifyUser()
      else await storage.removeItem(key)
    },
  }
}

/**
 * Sends account calls as the user, with the token that is valid at that time, and all others with the API key
 * only.
 */
export function accountFetch({ key, fetch, fetchAsUser }: AccountHost): Fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    if (headers.get('authorization') !== `Bearer ${LENT}`) return fetch(input, init)
    headers.set('authorization', `Bearer ${key}`)
    return fetchAsUser(input, { ...init, headers })
  }
}
