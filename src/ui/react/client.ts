// The provider, its client context, and the client's status as React state.
import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  type ReactNode,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ChartroomClient, ClientStatus, SessionStatus } from '../../services/client/index.ts'
import { start, type RunRequest } from './answer.ts'
import { isEqual } from '../../trace/index.ts'

interface Provided {
  readonly client: ChartroomClient
  readonly scope: RequestScope
}

const ClientContext = createContext<Provided | undefined>(undefined)

/**
 * Provides the client to the hooks below it. The caller owns the client: unmounting does not dispose it, but
 * aborts the requests of components that are still suspended.
 */
export function ChartroomProvider<Database>(props: {
  readonly client: ChartroomClient<Database>
  readonly children?: ReactNode
}): ReactNode {
  const client = props.client as ChartroomClient
  const provided = useMemo(() => ({ client, scope: createScope(client) }), [client])
  useEffect(() => provided.scope.open(), [provided])
  return createElement(ClientContext.Provider, { value: provided }, props.children)
}

export function useProvided(): Provided {
  const provided = useContext(ClientContext)
  if (!provided)
    throw new Error('The hooks of chartroom/react need a <ChartroomProvider client={…}> above them')
  return provided
}

/** Returns the client of the nearest provider. @throws if there is none. */
export function useClient<Database = unknown>(): ChartroomClient<Database> {
  return useProvided().client as ChartroomClient<Database>
}

/**
 * How long an unused entry is kept, in milliseconds: React needs a moment to mount the component. An entry
 * with an error is never used by a component and must be gone when the user retries.
 */
const KEEP = { data: 5_000, error: 1_000 } as const

/** A request with its key. */
interface Entry {
  /** Resolves with the first data or error; never rejects. */
  readonly ready: Promise<Settled>
  readonly result: () => Settled | undefined
  /** Registers a mounted component; returns a function that unregisters it. */
  readonly use: (onChange: () => void) => () => void
  readonly reload: () => void
}

type Settled = { readonly data: unknown } | { readonly error: unknown }

interface RequestScope {
  /** Resolves when the session has loaded, so that the identity of requests is known. */
  readonly booted: Promise<void>
  readonly isBooted: () => boolean
  /** Returns the request with that key. Nothing is sent before the provider is mounted. */
  readonly want: (name: string, run: RunRequest<unknown>) => Entry
  /** Starts sending requests; returns a function that aborts the running ones. */
  readonly open: () => () => void
}

interface Held extends Entry {
  send(): void
  abort(): void
}

/** `Promise.withResolvers`, which React Native and older browsers lack. */
function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>(settle => (resolve = settle))
  return { promise, resolve }
}

function createScope(client: ChartroomClient): RequestScope {
  const entries = new Map<string, Held>()
  let isOpen = false
  const { promise: booted, resolve } = deferred<void>()
  const isBooted = () => client.status().session.phase !== 'booting'
  const look = () => isBooted() && resolve()
  return {
    booted,
    isBooted,
    want(name, run) {
      const found = entries.get(name)
      if (found) return found
      const entry = createEntry(client, run, () => entries.get(name) === entry && entries.delete(name))
      entries.set(name, entry)
      // Not during the render: React may discard the render and run it again immediately.
      if (isOpen) queueMicrotask(() => isOpen && entry.send())
      return entry
    },
    open() {
      isOpen = true
      const stop = client.onStatus(look)
      look()
      for (const entry of entries.values()) entry.send()
      return () => {
        isOpen = false
        stop()
        for (const entry of entries.values()) entry.abort()
      }
    },
  }
}

function createEntry(client: ChartroomClient, run: RunRequest<unknown>, drop: () => void): Held {
  const users = new Set<() => void>()
  let result: Settled | undefined
  let leaving: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const { promise: ready, resolve } = deferred<Settled>()
  const abort = () => {
    leaving?.abort()
    leaving = undefined
    clearTimeout(timer)
  }
  const release = () => {
    clearTimeout(timer)
    // Neither a hook, since no component may be mounted, nor a machine: this package needs only React.
    if (users.size === 0) timer = setTimeout(drop, KEEP[result && 'error' in result ? 'error' : 'data'])
  }
  const settle = (next: Settled, signal: AbortSignal) => {
    if (signal.aborted) return
    leaving = undefined
    result = next
    resolve(next)
    release()
    for (const onChange of users) onChange()
  }
  const ask = () => {
    abort()
    const { signal } = (leaving = new AbortController())
    start(client, run, signal).then(
      data => settle({ data }, signal),
      (error: unknown) => settle({ error }, signal),
    )
  }
  return {
    ready,
    result: () => result,
    abort,
    send: () => {
      if (!result && !leaving) ask()
    },
    reload: ask,
    use(onChange) {
      const own = () => onChange()
      users.add(own)
      clearTimeout(timer)
      return () => {
        users.delete(own)
        release()
      }
    },
  }
}

/** Status during server rendering and hydration, before the session is known. */
const BOOTING: ClientStatus = {
  session: { phase: 'booting' },
  key: { state: 'accepted', refusedBy: [], isChecking: false },
  connection: { phase: 'idle', attempt: 0 },
  network: 'online',
  requests: { queued: 0, waiting: 0, sending: 0, receiving: 0 },
  channels: {},
}

const whole = (status: ClientStatus): ClientStatus => status

/** Returns the client's status, or the part that `select` returns; re-renders only when that part changed. */
export function useStatus(): ClientStatus
export function useStatus<T>(select: (status: ClientStatus) => T): T
export function useStatus<T>(select: (status: ClientStatus) => T = whole as (status: ClientStatus) => T): T {
  const client = useClient()
  const [screen] = useState(createScreen<T>)
  const [look, lookAtServer] = useMemo(() => {
    const part = createPart(select, screen)
    return [() => part(client.status()), () => part(BOOTING)]
  }, [client, select, screen])
  const value = useSyncExternalStore(client.onStatus, look, lookAtServer)
  useEffect(() => screen.show(value), [screen, value])
  return value
}

/** The value a component rendered last. */
interface Screen<T> {
  readonly shown: () => { readonly value: T } | undefined
  readonly show: (value: T) => void
}

function createScreen<T>(): Screen<T> {
  let shown: { readonly value: T } | undefined
  return { shown: () => shown, show: value => void (shown = { value }) }
}

/** Returns a selector whose result keeps its identity while it is equal to the last or the rendered value. */
function createPart<T>(select: (status: ClientStatus) => T, screen: Screen<T>) {
  let last: { readonly status: ClientStatus; readonly value: T } | undefined
  return (status: ClientStatus): T => {
    if (last?.status === status) return last.value
    const known = last ?? screen.shown()
    const fresh = select(status)
    const value = known && isEqual(known.value, fresh) ? known.value : fresh
    last = { status, value }
    return value
  }
}

const ofSession = ({ session }: ClientStatus): SessionStatus => session

/** Returns the session: the signed-in user, or why the user is signed out. */
export function useSession(): SessionStatus {
  return useStatus(ofSession)
}

/** Returns the user id, '' while signed out, undefined during the boot. Identities may see different data. */
export function useIdentity(): string | undefined {
  return useStatus(identityOf)
}

function identityOf({ session }: ClientStatus): string | undefined {
  if (session.phase === 'booting') return undefined
  return session.phase === 'authenticated' ? session.user.id : ''
}
