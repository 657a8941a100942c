// The auth API: credentials go into the vault, a command into the machine, and the answer comes back by its handle.
import type { SessionReport } from '../../machines/session-events.ts'
import type { ClientCommand } from '../../machines/client-events.ts'
import type { Failure } from '../../machines/failure.ts'
import type { ClientStatus } from '../../machines/status.ts'
import type { AuthApi, AuthClient, ChartroomUser, Result } from '../client-types.ts'
import type { AuthReply, StoredSession, Vault } from './vault.ts'

/** How an attempt ended, told after the transition that it caused. */
export type Settled = Extract<SessionReport, { type: 'auth.settled' }>

/**
 * Signs in by any method of the official client: `run` makes the one call, on a client that keeps nothing, in a
 * port of the session machine. `answer` is what it answered, absent when no answer came (see `settled.failure`).
 * `recovery` says that the session is there to set a new password.
 */
export type AttemptSignIn = <Answer extends AuthReply>(
  method: string,
  secrets: readonly string[],
  run: (client: AuthClient) => Promise<Answer>,
  recovery?: boolean,
) => Promise<{ readonly settled: Settled; readonly answer: Answer | undefined }>

/** What the official auth methods are built on. */
export interface AuthDesk {
  readonly attempt: AttemptSignIn
  /**
   * Keeps what an account call brought: another session, or with a known access token news of its user.
   * `recovered` says that it set the password for which the session was there.
   */
  commit(session: StoredSession, recovered?: boolean): Promise<Settled>
}

export interface AuthHost {
  readonly vault: Vault
  send(command: ClientCommand): void
  /** A new, unused id. */
  id(): string
  status(): ClientStatus
  onStatus(listener: (status: ClientStatus) => void): () => void
}

const disposed: Failure = { kind: 'disposed', message: 'The client was disposed.' }
const offline: Failure = { kind: 'network', message: 'This device is offline.' }
const signedOut: Failure = { kind: 'auth', code: 'signed_out', message: 'Nobody is signed in.' }

export function createAuthApi(host: AuthHost) {
  const { vault, send, id } = host
  const pending = new Map<string, (settled: Settled) => void>()
  let isDisposed = false

  const attempt = (begin: (attempt: string) => void) =>
    new Promise<Settled>(resolve => {
      const handle = id()
      if (isDisposed) return resolve({ type: 'auth.settled', attempt: handle, failure: disposed })
      pending.set(handle, resolve)
      begin(handle)
    })

  const signInBy: AttemptSignIn = async (method, secrets, run, recovery) => {
    const { run: call, answer } = remembering(run)
    const settled = await attempt(handle => {
      vault.put(handle, { secrets, run: call, ...(recovery === true && { recovery }) })
      send({ type: 'session.signIn', attempt: handle, method })
    })
    return { settled, answer: answer() }
  }

  const commit: AuthDesk['commit'] = (session, recovered) =>
    attempt(handle => {
      vault.put(handle, { secrets: [], run: () => Promise.resolve({ data: { session }, error: null }) })
      send({ type: 'session.commit', attempt: handle, ...(recovered === true && { recovered }) })
    })

  const settle = (settled: Settled) => {
    vault.take(settled.attempt)
    pending.get(settled.attempt)?.(settled)
    pending.delete(settled.attempt)
  }

  const api: AuthApi = {
    async signInWithPassword({ email, password }) {
      const { settled } = await signInBy('signInWithPassword', [password], client =>
        client.signInWithPassword({ email, password }),
      )
      return withUser(settled, user => user)
    },
    async signUp({ email, password }) {
      const { settled } = await signInBy('signUp', [password], client => client.signUp({ email, password }))
      return withUser(settled, user => ({ user, confirmationRequired: settled.unconfirmed ?? false }))
    },
    async signOut({ scope = 'local' } = {}) {
      const { failure } = await attempt(handle => send({ type: 'session.signOut', attempt: handle, scope }))
      return failure ? { ok: false, failure } : { ok: true, value: undefined }
    },
    async verifyUser() {
      const settled = await attempt(handle => send({ type: 'session.verify', attempt: handle }))
      return withUser(settled, user => user)
    },
    refresh: () => refreshNow(host),
  }
  const dispose = () => {
    isDisposed = true
    for (const handle of pending.keys()) settle({ type: 'auth.settled', attempt: handle, failure: disposed })
  }
  return { api, attempt: signInBy, commit, settle, dispose }
}

/** The same call, and what it answered. */
function remembering<Answer>(run: (client: AuthClient) => Promise<Answer>) {
  let made: Answer | undefined
  return {
    run: async (client: AuthClient): Promise<Answer> => (made = await run(client)),
    answer: () => made,
  }
}

/** Asks for a refresh and waits for how it ends; says at once why there can be none. */
function refreshNow({ send, status, onStatus }: AuthHost): Promise<Result<void>> {
  let isAsked = false
  const outcome = (): Result<void> | undefined => {
    const { session, network } = status()
    if (session.phase === 'booting') return undefined
    if (session.phase === 'disposed') return { ok: false, failure: disposed }
    if (session.phase !== 'authenticated') return { ok: false, failure: signedOut }
    if (!isAsked) {
      isAsked = true
      send({ type: 'refresh.request' })
      return outcome()
    }
    const { state, failure } = session.token
    if (state === 'refreshing') return undefined
    if (failure) return { ok: false, failure }
    return network === 'offline' ? { ok: false, failure: offline } : { ok: true, value: undefined }
  }
  return new Promise(resolve => {
    const settled = outcome()
    if (settled) return resolve(settled)
    const stop = onStatus(() => {
      const result = outcome()
      if (!result) return
      stop()
      resolve(result)
    })
  })
}

function withUser<T>({ user, failure }: Settled, take: (user: ChartroomUser) => T): Result<T> {
  if (user && !failure) return { ok: true, value: take(user) }
  return { ok: false, failure: failure ?? signedOut }
}
