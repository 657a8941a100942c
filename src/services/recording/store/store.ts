// A recording store on top of any store engine.
import { Listeners } from '../../../trace/index.ts'
import { Follower } from './follow.ts'
import type { StoreEngine } from './store-engine.ts'
import type { WriterOrder } from './store-messages.ts'
import type { StoreStatus, TraceStore } from './trace-store.ts'

/** A store engine on this thread or in a worker. */
export type StoreEngineLike = Pick<
  StoreEngine,
  'list' | 'open' | 'delete' | 'keep' | 'rename' | 'write' | 'close'
>

export interface StoreOptions {
  /** Creates the engine and passes it a status callback. Called on first use. */
  readonly createEngine: (onStatus: (status: StoreStatus) => void) => Promise<StoreEngineLike>
  /** Name of this writer. */
  readonly writer: string
  readonly id: () => string
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number
}

/** A store that can be made to write all pending lines. */
export interface DrivenStore extends TraceStore {
  /** Writes all pending lines. */
  readonly flush: () => void
}

/** Interval in ms between attempts to continue with a new segment after a failed write. */
const RENEW_EVERY = 10_000

/** Creates a store. Nothing is opened before first use. */
export function createStore({ createEngine, writer, id, now }: StoreOptions): DrivenStore {
  const followers = new Set<Follower>()
  const listeners = new Listeners()
  let status: StoreStatus = { state: 'idle', bytes: 0, quota: 0 }
  let renewedAt = Number.NEGATIVE_INFINITY
  const notify = (next: StoreStatus) => {
    status = next
    listeners.notify()
    const isLosing = next.state === 'full' || next.state === 'unavailable'
    if (!isLosing || now() - renewedAt < RENEW_EVERY) return
    renewedAt = now()
    for (const follower of followers) follower.renew()
  }
  const fail = (error: unknown) => {
    const what = error instanceof Error ? error.message : String(error)
    notify({ ...status, state: 'unavailable', reason: `Recordings can't be stored: ${what}` })
  }
  let opened: Promise<StoreEngineLike | undefined> | undefined
  const reach = () =>
    (opened ??= createEngine(notify).catch((error: unknown) => {
      fail(error)
      return undefined
    }))
  /** A store that does not work returns empty results. */
  const ask = async <T>(question: (engine: StoreEngineLike) => Promise<T>, none: T): Promise<T> => {
    const there = await reach()
    if (!there) return none
    return question(there).catch((error: unknown) => {
      fail(error)
      return none
    })
  }
  return {
    list: () => ask(engine => engine.list(), []),
    open: recording => ask(engine => engine.open(recording), undefined),
    async delete(recording) {
      await ask(engine => engine.delete(recording), undefined)
      // A deleted recording that is still being written continues as if it had just begun.
      for (const follower of followers) if (follower.writes(recording)) follower.renew()
    },
    keep: (recording, kept = true) => ask(engine => engine.keep(recording, kept), undefined),
    rename: (recording, name) => ask(engine => engine.rename(recording, name), undefined),
    write(recording) {
      const send = (orders: readonly WriterOrder[]) => ask(engine => engine.write(orders), undefined)
      const follower = new Follower(recording, { send, id, writer, onFailure: fail })
      followers.add(follower)
      const stop = () => {
        followers.delete(follower)
        return follower.stop()
      }
      return { flush: () => follower.flush(), stop }
    },
    status: () => status,
    subscribe: listeners.subscribe,
    flush() {
      for (const follower of followers) void follower.flush()
    },
    async close() {
      await Promise.all([...followers].map(follower => follower.stop()))
      followers.clear()
      const there = await opened
      await there?.close()
      opened = undefined
    },
  }
}
