// The tabs of one session: its lock, leader election, and notifications of storage changes.
import { fromCallback, type NonReducibleUnknown, type EventObject } from 'xstate'
import type {
  StoredChanged,
  TabsCommand,
  TabsEvent,
  LeadershipEvent,
  LockEvent,
} from '../../../machines/index.ts'
import type { Clock, SessionStorage } from '../../runtime/index.ts'
import { isShared, type SessionStore } from '../auth/session-store.ts'

export interface TabsOptions {
  /** Key of the stored session; locks and the channel are named after it. */
  readonly key: string
  /** Whether other tabs use the same storage; otherwise no coordination is needed. */
  readonly isShared: boolean
  readonly clock: Clock
  /** Browser APIs; older browsers lack some of them. */
  readonly locks?: Locks | undefined
  readonly BroadcastChannel?: typeof globalThis.BroadcastChannel | undefined
  readonly stamps?: Stamps
  /** Receives storage events. */
  readonly window?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | undefined
}

/** Returns the browser's APIs for the storage that the app chose. */
export function tabsOptions(
  storage: SessionStorage,
  key: string,
  clock: Clock,
  store: SessionStore,
): TabsOptions {
  const { navigator, BroadcastChannel, window } = globalThis
  const stored = async () => (await store.read())?.received_at ?? 0
  const stamps = { written: store.written, stored }
  return {
    key,
    isShared: isShared(storage),
    clock,
    locks: navigator?.locks,
    BroadcastChannel,
    stamps,
    window,
  }
}

export function createTabsPorts(options: TabsOptions) {
  const { key, locks, clock, stamps } = options
  const marks = locks && stamps && createMarks(locks, lockName(key), clock, stamps)
  return {
    lock: createLockPort(options, marks),
    leadership: createLeadershipPort(options),
    tabs: createTabsPort(options, marks),
  }
}

function createTabsPort({ key, isShared, BroadcastChannel, window }: TabsOptions, marks: Marks | undefined) {
  return fromCallback<TabsCommand, NonReducibleUnknown, TabsEvent>(({ sendBack, receive }) => {
    if (!isShared) return
    const channel = openChannel(BroadcastChannel, key)
    const notify = (by: StoredChanged['by'], what: StoredChanged['what']) =>
      sendBack({ type: 'stored.changed', by, what })
    const onMessage = ({ data }: { readonly data: unknown }) => {
      if (data === 'written' || data === 'removed') notify('otherTab', data)
    }
    const onStorage = (event: Event) => {
      const { key: changed, newValue } = event as StorageEvent
      // Without a key, the whole storage was cleared.
      if (changed === null || (changed === key && newValue === null)) notify('storage', 'removed')
      else if (changed === key) notify('otherTab', 'written')
    }
    channel?.addEventListener('message', onMessage)
    window?.addEventListener('storage', onStorage)
    receive(({ what }) => channel?.postMessage(what))
    return () => {
      window?.removeEventListener('storage', onStorage)
      channel?.close()
      marks?.drop()
    }
  })
}

/** Undefined if a page (of an opaque origin) has the constructor but may not use it. */
function openChannel(Channel: TabsOptions['BroadcastChannel'], key: string) {
  try {
    // The channel named after the key itself is used by supabase-js.
    return Channel && new Channel(`${key}:tabs`)
  } catch {
    return undefined
  }
}

/** Holds a lock until `stop` is called; `held` and `lost` are called at most once each. */
function hold(
  locks: Locks,
  name: string,
  steal: boolean,
  on: { held(): void; lost(): void; unavailable(): void },
): () => void {
  const waiting = new AbortController()
  let isHeld = false
  let isStopped = false
  let release = () => {}
  const until = new Promise<void>(resolve => (release = resolve))
  const request = locks.request(name, steal ? { steal } : { signal: waiting.signal }, () => {
    if (isStopped) return undefined
    isHeld = true
    on.held()
    return until
  })
  request.catch(() => {
    if (!isStopped) on[isHeld ? 'lost' : 'unavailable']()
  })
  return () => {
    isStopped = true
    release()
    waiting.abort()
  }
}

const lockName = (key: string) => `${key}:refresh`

function createLockPort({ key, isShared, locks, stamps }: TabsOptions, marks: Marks | undefined) {
  const name = lockName(key)
  /** The lock's holder when this tab began to wait. */
  let before: string | undefined

  /** Whether the lock may be stolen: a holder that got it since then has a right to its full time. */
  const isHung = async (manager: Locks) => {
    const { held = [] } = await manager.query()
    const present = held.find(lock => lock.name === name)?.clientId
    const isSame = present !== undefined && present === before
    before = present
    return isSame
  }

  return fromCallback<EventObject, { readonly steal: boolean }, LockEvent>(({ input, sendBack }) => {
    if (!isShared) return sendBack({ type: 'lock.held' })
    if (!locks) return sendBack({ type: 'lock.unavailable' })
    const written = stamps?.written()
    let stop = () => {}
    let isStopped = false
    const notifyHeld = () => sendBack({ type: 'lock.held' })
    const begin = (isHolderHung: boolean) => {
      if (isStopped) return
      stop = hold(locks, name, input.steal && isHolderHung, {
        held: () => void Promise.resolve(marks?.caughtUp()).then(notifyHeld, notifyHeld),
        lost: () => sendBack({ type: 'lock.lost' }),
        unavailable: () => sendBack({ type: 'lock.unavailable' }),
      })
    }
    isHung(locks).then(begin, () => begin(false))
    return () => {
      isStopped = true
      const last = stamps?.written()
      if (last === undefined || last === written) stop()
      else void marks?.leave(last).then(stop)
    }
  })
}

function createLeadershipPort({ key, isShared, locks }: TabsOptions) {
  return fromCallback<EventObject, NonReducibleUnknown, LeadershipEvent>(({ sendBack }) => {
    if (!isShared || !locks) return sendBack({ type: 'leadership.unavailable' })
    return hold(locks, `${key}:leader`, false, {
      held: () => sendBack({ type: 'leadership.gained' }),
      lost: () => sendBack({ type: 'leadership.lost' }),
      unavailable: () => sendBack({ type: 'leadership.unavailable' }),
    })
  })
}

/** The parts of the browser's locks that are used. */
export type Locks = Pick<LockManager, 'request' | 'query'>

/** When sessions were received: the one last written by this tab, and the one in storage. */
export interface Stamps {
  written(): number
  stored(): Promise<number>
}

const MARKED_FOR = 3_000
const CATCH_UP = 1_000
const LOOK_AGAIN = 10

/**
 * Browsers propagate storage writes to other tabs with a delay. So the writer holds a lock named after its
 * write for a while, and the next tab waits until it sees that write.
 */
export function createMarks(locks: Locks, name: string, clock: Clock, stamps: Stamps) {
  const ends = new Set<() => void>()
  let drops = 0
  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      const end = () => {
        clock.clearTimeout(timer)
        ends.delete(end)
        resolve()
      }
      const timer = clock.setTimeout(end, ms)
      ends.add(end)
    })
  return {
    /** Removes the marks and stops waiting. */
    drop() {
      drops += 1
      for (const end of ends) end()
    },
    /** Resolves when the storage contains the marked writes of other tabs, or after a second. */
    async caughtUp(): Promise<void> {
      const { held = [] } = await locks.query()
      const tabNumbers = held.map(lock => Number(lock.name?.split(`${name}:`)[1] ?? 0))
      const latest = Math.max(0, ...tabNumbers)
      const [until, before] = [clock.now() + CATCH_UP, drops]
      const isLate = async () => latest > 0 && (await stamps.stored()) < latest
      while ((await isLate()) && clock.now() < until && drops === before) await pause(LOOK_AGAIN)
    },
    /** Resolves when the mark is set. */
    leave: (stamp: number) =>
      new Promise<void>(resolve => {
        const tabNumbers = () => {
          resolve()
          return pause(MARKED_FOR)
        }
        locks.request(`${name}:${stamp}`, { ifAvailable: true }, tabNumbers).catch(resolve)
      }),
  }
}

export type Marks = ReturnType<typeof createMarks>
