// The session as supabase-js's auth client shows it: the present one, and the events of its changes.
import type { AuthChangeEvent, Session, Subscription } from '@supabase/supabase-js'
import { type ClientStatus, type Failure, offline } from '../../../machines/index.ts'
import { type Clock, type KeepAlive, plainCopy } from '../../runtime/index.ts'
import { hasSameTokens, type StoredSession } from './vault.ts'

/** Session changes, emitted after the transition with supabase-js's event names. */
export class AuthEvents {
  private readonly view: SessionView
  private readonly listeners = new Map<string | symbol, Subscription['callback']>()
  /** The session that listeners were last notified of; undefined while booting. */
  private announced: StoredSession | null | undefined
  private isHeld = false
  private stop: (() => void) | undefined

  constructor(view: SessionView) {
    this.view = view
  }

  /** Adds a listener and notifies it of the current session once that is known. */
  add(callback: Subscription['callback']): Subscription {
    const id = Symbol('auth-callback')
    this.stop ??= this.view.onStatus(() => this.sync())
    // A listener does not receive changes from before it was added.
    this.sync()
    this.listeners.set(id, callback)
    if (this.announced !== undefined) this.notify('INITIAL_SESSION', id)
    return { id, callback, unsubscribe: () => this.remove(id) }
  }

  private remove(id: symbol): void {
    this.listeners.delete(id)
    if (this.listeners.size === 0) this.clear()
  }

  clear(): void {
    this.listeners.clear()
    this.stop?.()
    this.stop = undefined
  }

  /** Delays events during a call that names its change. */
  hold(): void {
    this.sync()
    this.isHeld = true
  }

  /** Emits the delayed change, or any change if there is no event name. */
  release(event?: AuthChangeEvent): void {
    if (!this.isHeld) return
    this.isHeld = false
    if (event) this.become(event)
    else this.sync()
  }

  /** Emits session changes since the last call. */
  sync(): void {
    const { session } = this.view.status()
    if (session.phase === 'booting' || session.phase === 'disposed' || this.isHeld) return
    if (session.phase === 'authenticating' && this.announced !== undefined) return
    this.become(eventOf(this.announced ?? null, presentSession(this.view)))
  }

  private become(event: AuthChangeEvent | undefined): void {
    const { session } = this.view.status()
    const isFirst = this.announced === undefined
    const isRecovery = session.phase === 'authenticated' && session.recovery === 'active'
    this.announced = presentSession(this.view)
    if (event) this.notify(event === 'SIGNED_IN' && isRecovery ? 'PASSWORD_RECOVERY' : event)
    if (isFirst) this.notify('INITIAL_SESSION')
  }

  private notify(event: AuthChangeEvent, target?: symbol): void {
    const session = this.announced ?? null
    for (const [id, callback] of this.listeners) {
      if (target !== undefined && id !== target) continue
      // Each listener runs in its own microtask: it may await any call, and one that throws does not affect
      // the others.
      queueMicrotask(() => void (this.listeners.has(id) && callback(event, copyOf(session))))
    }
  }
}

function eventOf(before: StoredSession | null, now: StoredSession | null): AuthChangeEvent | undefined {
  if (before === now) return undefined
  if (!now) return 'SIGNED_OUT'
  if (before?.user.id !== now.user.id) return 'SIGNED_IN'
  if (!hasSameTokens(before, now)) return 'TOKEN_REFRESHED'
  return JSON.stringify(before.user) === JSON.stringify(now.user) ? undefined : 'USER_UPDATED'
}

export interface SessionView {
  /** The current session, or the last one. */
  session(): StoredSession | undefined
  status(): ClientStatus
  onStatus(listener: () => void): () => void
  /** Requests a new token without waiting for it. */
  wake(): void
  readonly keepAlive: KeepAlive
  readonly clock: Clock
  /** Timeout for the boot and for a valid token, in ms. */
  readonly tokenTimeout: number
}

const timeout: Failure = { kind: 'timeout', message: 'No live access token was available in time.' }

/** Returns the session for calls if a user is signed in. */
export const presentSession = ({ session, status }: SessionView): StoredSession | null =>
  (status().session.phase === 'authenticated' && session()) || null

/** A copy that the app may modify, with the official fields only. */
export function copyOf(session: StoredSession | null): Session | null {
  if (!session) return null
  const { received_at: _, ...official } = plainCopy(session)
  return official as Session
}

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
  return answer ? answer.failure : timeout
}

/** Resolves with the first result, or undefined after the timeout. */
function until<T>(
  { status, onStatus, clock, tokenTimeout, keepAlive }: SessionView,
  find: (status: ClientStatus) => T | undefined,
): Promise<T | undefined> {
  return new Promise(resolve => {
    const letEnd = keepAlive()
    const settle = (value: T | undefined) => {
      letEnd()
      stop()
      clock.clearTimeout(timer)
      resolve(value)
    }
    const check = () => {
      const value = find(status())
      if (value !== undefined) settle(value)
    }
    const stop = onStatus(check)
    const timer = clock.setTimeout(() => settle(undefined), tokenTimeout)
    check()
  })
}
