// The scope: requests that suspended components wait for. They belong to the provider, since a render owns nothing.
import type { ChartroomClient } from '../../index.ts'
import { start, type RunRequest } from './answer.ts'

/**
 * How long something is kept that no mounted component uses, in milliseconds: React needs a moment to show it.
 * An error is never used, and must be gone when somebody tries again.
 */
const KEEP = { data: 5_000, error: 1_000 } as const

/** One request by its key. */
export interface Entry {
  /** Settles when there is something to show; never rejects. */
  readonly ready: Promise<Settled>
  readonly result: () => Settled | undefined
  /** Counts a mounted component in; the returned function counts it out. */
  readonly use: (onChange: () => void) => () => void
  readonly reload: () => void
}

export type Settled = { readonly data: unknown } | { readonly error: unknown }

export interface RequestScope {
  /** Resolves when it is known as whom requests go out. */
  readonly booted: Promise<void>
  /** The request of that key. Nothing is sent before the provider is mounted. */
  readonly want: (name: string, run: RunRequest<unknown>) => Entry
  /** From now on requests are sent; the returned function aborts what is under way. */
  readonly open: () => () => void
}

interface Held extends Entry {
  send(): void
  abort(): void
}

export function createScope(client: ChartroomClient): RequestScope {
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
      // Never inside of the render: it may be one that React throws away, and run again at once.
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
