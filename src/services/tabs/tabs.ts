// The tabs of one session: its lock, leadership among them, and word of what each of them stores.
import { fromCallback, type NonReducibleUnknown } from 'xstate'
import type { StoredChanged, TabsCommand, TabsEvent } from '../../machines/ports.ts'
import type { SessionStorage } from '../client-types.ts'
import type { Clock } from '../clock.ts'
import { isShared, type SessionStore } from '../auth/session-store.ts'
import { createLeadershipPort, createLockPort, lockName } from './tab-locks.ts'
import { createMarks, type Locks, type Marks, type Stamps } from './tab-marks.ts'

export interface TabsOptions {
  /** Key of the stored session; locks and the channel are named after it. */
  readonly key: string
  /** Whether other tabs see the same storage; who has it alone has nobody to agree with. */
  readonly isShared: boolean
  readonly clock: Clock
  /** What the browser offers; older ones lack the one or the other. */
  readonly locks?: Locks | undefined
  readonly BroadcastChannel?: typeof globalThis.BroadcastChannel | undefined
  readonly stamps?: Stamps
  /** Where events of the storage arrive. */
  readonly window?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | undefined
}

/** What this browser offers for the storage that the app chose. */
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
    const tell = (by: StoredChanged['by'], what: StoredChanged['what']) =>
      sendBack({ type: 'stored.changed', by, what })
    const onMessage = ({ data }: { readonly data: unknown }) => {
      if (data === 'written' || data === 'removed') tell('otherTab', data)
    }
    const onStorage = (event: Event) => {
      const { key: changed, newValue } = event as StorageEvent
      // Without a key all of the storage was cleared.
      if (changed === null || (changed === key && newValue === null)) tell('storage', 'removed')
      else if (changed === key) tell('otherTab', 'written')
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

/** None where a page (of an opaque origin) has the constructor and may not use it. */
function openChannel(Channel: TabsOptions['BroadcastChannel'], key: string) {
  try {
    // On the channel of the key itself the official client talks to its like.
    return Channel && new Channel(`${key}:tabs`)
  } catch {
    return undefined
  }
}
