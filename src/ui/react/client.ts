// The provider and its client context.
import { createContext, createElement, useContext, useEffect, useMemo, type ReactNode } from 'react'
import type { ChartroomClient } from '../../services/client/index.ts'
import { start, type RunRequest } from './answer.ts'

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
  /** Returns the request with that key. Nothing is sent before the provider is mounted. */
  readonly want: (name: string, run: RunRequest<unknown>) => Entry
  /** Starts sending requests; returns a function that aborts the running ones. */
  readonly open: () => () => void
}

interface Held extends Entry {
  send(): void
  abort(): void
}

function createScope(client: ChartroomClient): RequestScope {
  const entries = new Map<string, Held>()
  let isOpen = false
  const { promise: booted, resolve } = Promise.withResolvers<void>()
  const look = () => client.status().session.phase !== 'booting' && resolve()
  return {
    booted,
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
  const { promise: ready, resolve } = Promise.withResolvers<Settled>()
  const abort = () => {
    leaving?.abort()
    leaving = undefined
    clearTimeout(timer)
  }
  const release = () => {
    clearTimeout(timer)
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
