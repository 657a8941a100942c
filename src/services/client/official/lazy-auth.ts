// `supabase.auth` before its official code has loaded: the session and its events. All other methods load it when
// called.
import type { AuthError, SignOut, Subscription } from '@supabase/supabase-js'
import type { Failure } from '../../../machines/index.ts'
import type { AuthClient } from '../client-types.ts'
import { AuthEvents, booted, copyOf, presentSession, readiness } from '../auth/auth-events.ts'
import {
  follow,
  type LoadOfficial,
  officialCode,
  plainError,
  type Step,
  withCalls,
} from './official-calls.ts'
import { unloaded } from '../auth/supabase-auth.ts'
import type { AuthFacade, AuthFacadeHost } from '../auth/supabase-auth-facade.ts'

/** Returns an auth client like that of supabase-js. Creating it reads and starts nothing. */
export function createLazyAuth(host: AuthFacadeHost, load: LoadOfficial): AuthClient {
  const lazyAuth = new LazyAuth(host, load)
  return withCalls(lazyAuth, steps => lazyAuth.call(steps)) as unknown as AuthClient
}

const nobody = { user: null, session: null }

/** No `#` fields: frameworks that wrap objects in proxies could not access them. */
class LazyAuth {
  readonly events: AuthEvents
  private readonly host: AuthFacadeHost
  private readonly load: LoadOfficial
  private facade: AuthFacade | undefined

  constructor(host: AuthFacadeHost, load: LoadOfficial) {
    this.host = host
    this.load = load
    this.events = new AuthEvents(host)
  }

  isThrowOnErrorEnabled() {
    return this.host.throwOnError
  }

  async initialize() {
    await booted(this.host)
    const { session } = this.host.status()
    return this.reply({}, 'linkFailure' in session ? session.linkFailure : undefined)
  }

  onAuthStateChange(callback: Subscription['callback']) {
    return { data: { subscription: this.events.add(callback) } }
  }

  async getSession() {
    const failure = await readiness(this.host)
    const session = failure ? null : copyOf(presentSession(this.host))
    return (await this.reply({ data: { session } }, failure)) as Awaited<ReturnType<AuthClient['getSession']>>
  }

  async signOut({ scope = 'global' }: SignOut = {}) {
    const result = await this.host.signOut({ scope })
    this.events.sync()
    return this.reply({}, result.ok ? undefined : result.failure)
  }

  /** The machines refresh on their own schedule. */
  startAutoRefresh() {
    return Promise.resolve(this.host.refreshAutomatically(true))
  }
  stopAutoRefresh() {
    return Promise.resolve(this.host.refreshAutomatically(false))
  }

  dispose() {
    this.events.clear()
    return Promise.resolve()
  }

  /** Calls a method of the official client. */
  async call(steps: readonly Step[]): Promise<unknown> {
    const code = await officialCode(this.load)
    if (!code) return this.reply({ data: steps.length > 1 ? null : nobody }, unloaded)
    this.facade ??= new code.AuthFacade(this.host, this)
    return follow(this.facade, 'supabase.auth', steps)
  }

  private async reply<Answer extends object>(
    answer: Answer,
    failure: Failure | undefined,
  ): Promise<Answer & { error: AuthError | null }> {
    if (!failure) return { ...answer, error: null }
    const code = await officialCode(this.load)
    const error = code ? code.authError(failure) : errorOf(failure)
    if (this.host.throwOnError) throw error
    return { ...answer, error }
  }
}

/** The official error without its class, which could not be loaded; `isAuthError` accepts it. */
function errorOf(failure: Failure): AuthError {
  const { code, status = 0 } = failure
  const fields = { name: 'AuthRetryableFetchError', __isAuthError: true, status, code }
  return plainError(failure, fields) as unknown as AuthError
}
