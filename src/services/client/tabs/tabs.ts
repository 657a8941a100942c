// The tabs of one session: its lock, leader election, and notifications of storage changes.
import { fromCallback, type NonReducibleUnknown } from 'xstate'
import type { StoredChanged, TabsCommand, TabsEvent } from '../../../machines/index.ts'
import type { Clock, SessionStorage } from '../../runtime/index.ts'
import { isShared, type SessionStore } from '../auth/session-store.ts'
import { createLeadershipPort, createLockPort, lockName } from './tab-locks.ts'
import { createMarks, type Locks, type Marks, type Stamps } from './tab-marks.ts'

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
