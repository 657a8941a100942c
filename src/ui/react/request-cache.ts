// The requests below one provider, by user and key: components with the same key share one request and its state.
import type { ChartroomClient, ClientStatus, Failure } from '../../services/client/index.ts'
import { describeAnswer } from '../../services/query/index.ts'
import { start, type RunRequest } from './answer.ts'

/**
 * Called after each failure, to call `again` later or never.
 * @returns cancels the call; used when no component shows the request, and when it is sent for another reason
 */
export type RetryRequest = (failure: Failure, again: () => void) => (() => void) | undefined

/** How a request is sent. */
interface RequestOptions {
  /** Of the user who sends it, as `identityOf` returns it. */
  readonly identity: string | undefined
  readonly run: RunRequest<unknown>
  readonly retry?: RetryRequest | undefined
}

/** The state of a request, with its error or data. */
interface EntryState {
  readonly phase: 'pending' | 'done' | 'failed'
  readonly data: unknown
  readonly error: unknown
  readonly failure: Failure | undefined
  /** False until the first response: `data` is missing, or a part. */
  readonly isComplete: boolean
}

export const PENDING: EntryState = {
  phase: 'pending',
  data: undefined,
  error: undefined,
  failure: undefined,
  isComplete: false,
}

/**
 * Milliseconds after which a response is old, and an unused one is forgotten: React needs a moment to mount a
 * component that suspended. An error must be gone when the user retries.
 */
const KEEP = { data: 5_000, error: 1_000 } as const

/** `Promise.withResolvers`, which React Native and older browsers lack. */
function deferred() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>(settle => (resolve = settle))
  return { promise, resolve }
}

/** Returns the user id, '' while signed out, undefined during the boot. Identities may see different data. */
export function identityOf({ session }: ClientStatus): string | undefined {
  if (session.phase === 'booting') return undefined
  return session.phase === 'authenticated' ? session.user.id : ''
}

export type RequestCache = ReturnType<typeof createRequestCache>
export type Entry = ReturnType<typeof createEntry>

/** Nothing is sent before it is open. */
export function createRequestCache(client: ChartroomClient) {
  const entries = new Map<string | undefined, Entry>()
  let isOpen = false
  /** Read when it opens: a render on a server must not start the client. */
  let identity: string | undefined
  const reset = () => {
    for (const entry of entries.values()) entry.reset()
  }
  const follow = () => {
    const last = identity
    identity = identityOf(client.status())
    if (identity !== last) reset()
  }
  return {
    get: (name: string | undefined) => entries.get(name),
    /** Returns the entry with that name, or a new one. */
    want(name: string, options: RequestOptions): Entry {
      const found = entries.get(name)
      if (found) {
        found.setOptions(options)
        return found
      }
      // During the boot the user is not known yet; a request sent now would be sent again as the user.
      const canSend = (of: string | undefined) =>
        isOpen && of !== undefined && of === identityOf(client.status())
      const remove = () => entries.get(name) === entry && entries.delete(name)
      const entry = createEntry(client, options, canSend, remove)
      entries.set(name, entry)
      return entry
    },
    /** Starts sending requests; returns a function that aborts them. */
    open() {
      isOpen = true
      identity ??= identityOf(client.status())
      const stop = client.onStatus(follow)
      follow()
      for (const entry of entries.values()) entry.ask()
      return () => {
        isOpen = false
        stop()
        queueMicrotask(() => isOpen || reset())
      }
    },
  }
}

function createEntry(
  client: ChartroomClient,
  options: RequestOptions,
  canSend: (identity: string | undefined) => boolean,
  remove: () => void,
) {
  const users = new Set<() => void>()
  let state = PENDING
  let sending: AbortController | undefined
  /** Of the request whose data is shown: what the data refers to may end with it. */
  let shown: AbortController | undefined
  let settled = deferred()
  /** Changes since the request was sent. */
  let isStale = false
  let cancelRetry: (() => void) | undefined
  /** Set some time after the response. */
  let isOld = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = (next: Partial<EntryState>) => {
    state = { ...state, ...next }
    for (const onChange of users) onChange()
  }
  const stop = (next: Partial<EntryState>) => {
    sending?.abort()
    sending = undefined
    cancelRetry?.()
    cancelRetry = undefined
    // A component that waits for it reads the state again, and has it sent if it still waits.
    settled.resolve()
    settled = deferred()
    show(next)
  }
  const drop = () => {
    shown?.abort()
    remove()
  }
  const expire = () => {
    if (users.size === 0) drop()
    else isOld = true
  }
  const keep = () => {
    clearTimeout(timer)
    // Neither a hook, since no component may be mounted, nor a machine: this package needs only React.
    timer = setTimeout(expire, KEEP[state.failure ? 'error' : 'data'])
  }
  const settle = (next: Partial<EntryState>) => {
    sending = undefined
    show(next)
    settled.resolve()
    keep()
    if (isStale) reload()
    else if (state.failure) cancelRetry = options.retry?.(state.failure, reload)
  }
  const send = () => {
    if (sending || state.phase !== 'pending' || !canSend(options.identity)) return
    const own = (sending = new AbortController())
    const { signal } = own
    isStale = isOld = false
    clearTimeout(timer)
    // Complete data stays until its replacement is complete.
    const onPart = (data: unknown) => {
      if (!signal.aborted && !state.isComplete) show({ data })
    }
    start(client, options.run, signal, onPart).then(
      data => {
        if (signal.aborted) return
        shown?.abort()
        shown = own
        settle({ phase: 'done', data, error: undefined, failure: undefined, isComplete: true })
      },
      async (error: unknown) => {
        const failure = await describeAnswer(error)
        if (!signal.aborted) settle({ phase: 'failed', error, failure })
      },
    )
  }
  const reload = () => {
    if (users.size === 0) return
    stop({ phase: 'pending' })
    send()
  }
  /** Sends it for a component that mounts; again if the state is old, or a failure that no component showed. */
  const ask = () => {
    if (isOld || (state.phase === 'failed' && users.size === 1)) reload()
    else send()
  }
  return {
    state: () => state,
    isOld: () => isOld,
    /** Resolves when the state is worth another look; never rejects. */
    settled: () => settled.promise,
    setOptions: (next: RequestOptions) => {
      options = { ...options, ...next }
    },
    ask,
    reload,
    /** Sends the request again after a change; one during a request when it is done, so that it does not starve. */
    refresh() {
      isStale = true
      // Other components with this key are notified of the same change.
      queueMicrotask(() => isStale && !sending && reload())
    },
    /** Forgets what belongs to another user. */
    reset() {
      stop(PENDING)
      if (users.size === 0) return drop()
      shown?.abort()
      send()
    },
    /** Registers a mounted component; returns a function that unregisters it. */
    use(onChange: () => void) {
      users.add(onChange)
      ask()
      return () => {
        users.delete(onChange)
        // Not at once: the effects of the same commit may register another component, or this one again.
        queueMicrotask(() => {
          if (users.size > 0) return
          stop({ phase: 'pending' })
          if (state.isComplete) keep()
          else drop()
        })
      }
    },
  }
}
