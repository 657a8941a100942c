// A client without a backend, for tests of the request hooks: requests respond, and users change, as the test decides.
import { act } from 'react'
import type { ChartroomClient, Failure } from '../../src/public/index.ts'
import { RequestError } from '../../src/services/runtime/index.ts'

type Listener = (data?: unknown) => void

/** A signed-out client with channels that the test speaks for. */
export function fakeClient() {
  const topics: { readonly topic: string; readonly resync: () => void; readonly left: () => boolean }[] = []
  const listeners = new Map<string, Set<Listener>>()
  const statusListeners = new Set<() => void>()
  let status: object = { network: 'online', session: { phase: 'signedOut' } }
  const channel = (topic: string, { resync }: { readonly resync: () => void }) => {
    let isLeft = false
    topics.push({ topic, resync, left: () => isLeft })
    return {
      status: () => ({ phase: 'joined', postgres: 'live', data: 'live' }),
      on: (kind: string, listener: Listener) => {
        const all = listeners.get(kind) ?? new Set()
        listeners.set(kind, all.add(listener))
        return () => all.delete(listener)
      },
      leave: () => (isLeft = true),
    }
  }
  const client = {
    status: () => status,
    onStatus: (listener: () => void) => {
      const own = () => listener()
      statusListeners.add(own)
      return () => statusListeners.delete(own)
    },
    with: () => ({}),
    channel,
  } as unknown as ChartroomClient
  const become = (user: string | undefined) => {
    const session =
      user === undefined ? { phase: 'signedOut' } : { phase: 'authenticated', user: { id: user } }
    status = { network: 'online', session }
    for (const listener of statusListeners) listener()
  }
  return {
    client,
    topics,
    change: () => act(async () => listeners.get('change')?.forEach(listener => listener({}))),
    /** Signs a user in, or out; without React at work. */
    become,
  }
}

export interface Sent {
  readonly signal: AbortSignal
  /** Yields a part. */
  readonly show: (part: string) => void
  readonly end: (value: string) => void
  readonly fail: (failure: Failure | Error) => void
}

/** The parts of one response, as the test decides. */
export async function* responding(signal: AbortSignal, sent: Sent[]): AsyncGenerator<string> {
  let next = Promise.withResolvers<{ readonly part: string; readonly isLast: boolean }>()
  sent.push({
    signal,
    show: part => next.resolve({ part, isLast: false }),
    end: part => next.resolve({ part, isLast: true }),
    fail: failure => next.reject(failure instanceof Error ? failure : new RequestError(failure)),
  })
  for (;;) {
    const { part, isLast } = await next.promise
    next = Promise.withResolvers()
    yield part
    if (isLast) return
  }
}
