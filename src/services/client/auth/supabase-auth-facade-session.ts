// The session as seen by the auth facade, and waiting until it is known.
import type { Session } from '@supabase/auth-js'
import type { ClientStatus, Failure } from '../../../machines/index.ts'
import type { Clock } from '../../runtime/index.ts'
import type { StoredSession } from './vault.ts'

export interface SessionView {
  /** The current session, or the last one. */
  session(): StoredSession | undefined
  status(): ClientStatus
  onStatus(listener: () => void): () => void
  /** Requests a new token without waiting for it. */
  wake(): void
  readonly clock: Clock
  /** Timeout for the boot and for a valid token, in ms. */
  readonly tokenTimeout: number
}

const late: Failure = { kind: 'timeout', message: 'No live access token was available in time.' }
const offline: Failure = { kind: 'network', message: 'This device is offline.' }

/** Returns the session for calls if a user is signed in. */
export const presentSession = ({ session, status }: SessionView): StoredSession | null =>
  (status().session.phase === 'authenticated' && session()) || null

/** A copy that the app may modify. */
export const copyOf = (session: StoredSession | null): Session | null =>
  structuredClone(session) as Session | null

export const booted = (view: SessionView): Promise<unknown> =>
  until(view, ({ session }) => session.phase !== 'booting' || undefined)

/** Waits for a valid token while that can help. Returns a failure if a user is signed in without one. */
export async function readiness(view: SessionView): Promise<Failure | undefined> {
  let isAsked = false
  const answer = await until(view, ({ session, network }): { failure?: Failure } | undefined => {
    if (session.phase === 'booting') return undefined
    if (session.phase !== 'authenticated' || view.clock.now() < session.token.expiresAt) return {}
    if (network === 'offline') return { failure: offline }
    if (!isAsked) view.wake()
    isAsked = true
    return undefined
  })
  return answer ? answer.failure : late
}

/** Resolves with the first result, or undefined after the timeout. */
function until<T>(
  { status, onStatus, clock, tokenTimeout }: SessionView,
  find: (status: ClientStatus) => T | undefined,
): Promise<T | undefined> {
  return new Promise(resolve => {
    const settle = (found: T | undefined) => {
      stop()
      clock.clearTimeout(timer)
      resolve(found)
    }
    const look = () => {
      const found = find(status())
      if (found !== undefined) settle(found)
    }
    const stop = onStatus(look)
    const timer = clock.setTimeout(() => settle(undefined), tokenTimeout)
    look()
  })
}
