// Auth events of the facade: session changes, emitted after the transition with supabase-js's event names.
import type { AuthChangeEvent, Subscription } from '@supabase/auth-js'
import { copyOf, presentSession, type SessionView } from './supabase-auth-facade-session.ts'
import type { StoredSession } from './vault.ts'

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
    if (!this.stop) {
      // Changes before the first listener are not emitted.
      this.stop = this.view.onStatus(() => this.sync())
      this.sync()
    }
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

  private notify(event: AuthChangeEvent, only?: symbol): void {
    const session = this.announced ?? null
    for (const [id, callback] of this.listeners) {
      if (only !== undefined && id !== only) continue
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
  if (before.access_token !== now.access_token) return 'TOKEN_REFRESHED'
  return JSON.stringify(before.user) === JSON.stringify(now.user) ? undefined : 'USER_UPDATED'
}
