// The auth API: stores credentials in the vault, sends a command to the machine, and resolves with its
// result.
import {
  type ClientCommand,
  type ClientStatus,
  disposed,
  type Failure,
  keyFailure,
  offline,
  type SessionReport,
} from '../../../machines/index.ts'
import type { AuthApi, AuthClient, ChartroomUser, Result } from '../client-types.ts'
import type { AuthReply, StoredSession, Vault } from './vault.ts'
import type { KeepAlive } from '../../runtime/index.ts'

/** Result of an attempt, emitted after its transition. */
export type Settled = Extract<SessionReport, { type: 'auth.settled' }>

/**
 * Signs in by any supabase-js method: `run` makes the one call, on a client without storage, in a port of the
 * session machine. `answer` is its response, absent if there was none (see `settled.failure`). `recovery`
 * marks a session that is for setting a new password.
 */
export type AttemptSignIn = <Answer extends AuthReply>(
  method: string,
  secrets: readonly string[],
  run: (client: AuthClient) => Promise<Answer>,
  recovery?: boolean,
) => Promise<{ readonly settled: Settled; readonly answer: Answer | undefined }>

/** The base of the supabase-js auth methods. */
export interface AuthInternals {
  readonly attempt: AttemptSignIn
  /**
   * Stores the result of an account call: another session or, with a known access token, new user data.
   * `recovered` means that the password of a recovery session was set.
   */
  commit(session: StoredSession, recovered?: boolean): Promise<Settled>
}

export interface AuthHost {
  readonly vault: Vault
  send(command: ClientCommand): void
  /** Returns a new, unused id. */
  id(): string
  status(): ClientStatus
  onStatus(listener: (status: ClientStatus) => void): () => void
  readonly keepAlive: KeepAlive
}

const signedOut: Failure = { kind: 'auth', code: 'signed_out', message: 'No user is signed in.' }

export function createAuthApi(host: AuthHost) {
  const { vault, send, id } = host
  const pending = new Map<string, (settled: Settled) => void>()
  let isDisposed = false

  const attempt = (begin: (attempt: string) => void) =>
    new Promise<Settled>(resolve => {
      const handle = id()
      if (isDisposed) return resolve({ type: 'auth.settled', attempt: handle, failure: disposed })
      const letEnd = host.keepAlive()
      pending.set(handle, settled => {
        letEnd()
        resolve(settled)
      })
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

  const commit: AuthInternals['commit'] = (session, recovered) =>
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

/** Wraps a call to remember its response. */
function remembering<Answer>(run: (client: AuthClient) => Promise<Answer>) {
  let answer: Answer | undefined
  return {
    run: async (client: AuthClient): Promise<Answer> => (answer = await run(client)),
    answer: () => answer,
  }
}

/** Requests a refresh and waits for its result. Resolves immediately if no refresh is possible. */
function refreshNow({ send, status, onStatus, keepAlive }: AuthHost): Promise<Result<void>> {
  let isAsked = false
  const outcome = (): Result<void> | undefined => {
    const { session, network } = status()
    const { phase } = session
    if (phase === 'booting' || (phase === 'signingOut' && isAsked)) return undefined
    if (phase === 'disposed') return { ok: false, failure: disposed }
    // The server's error may have ended the session.
    if (phase === 'signedOut' && isAsked) return { ok: false, failure: session.failure ?? signedOut }
    if (phase !== 'authenticated') return { ok: false, failure: signedOut }
    if (!isAsked) {
      isAsked = true
      send({ type: 'refresh.request' })
      return outcome()
    }
    const { state, failure, paused } = session.token
    if (state === 'refreshing') return undefined
    if (paused === 'keyRefused')
      return { ok: false, failure: keyFailure(status().key.refusal ?? 'keyRejected') }
    if (failure) return { ok: false, failure }
    return network === 'offline' ? { ok: false, failure: offline } : { ok: true, value: undefined }
  }
  return new Promise(resolve => {
    const settled = outcome()
    if (settled) return resolve(settled)
    const letEnd = keepAlive()
    const stop = onStatus(() => {
      const result = outcome()
      if (!result) return
      stop()
      letEnd()
      resolve(result)
    })
  })
}

function withUser<T>({ user, failure }: Settled, take: (user: ChartroomUser) => T): Result<T> {
  if (user && !failure) return { ok: true, value: take(user) }
  return { ok: false, failure: failure ?? signedOut }
}
