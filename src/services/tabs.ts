// The tabs of one session: its lock, leadership among them, and word of what each of them stores.
import { fromCallback, type NonReducibleUnknown } from 'xstate'
import type { StoredChanged, TabsCommand, TabsEvent } from '../machines/ports.ts'
import type { SessionStorage } from './client-types.ts'
import type { Clock } from './clock.ts'
import { isShared, type SessionStore } from './session-store.ts'
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

/** How long the word of a tab that signed out may take longer than the event of the storage. */
const WORD_BEHIND = 200

export function createTabsPorts(options: TabsOptions) {
  const { key, locks, clock, stamps } = options
  const marks = locks && stamps && createMarks(locks, lockName(key), clock, stamps)
  return {
    lock: createLockPort(options, marks),
    leadership: createLeadershipPort(options),
    tabs: createTabsPort(options, marks),
  }
}

function createTabsPort(
  { key, isShared, clock, BroadcastChannel, window }: TabsOptions,
  marks: Marks | undefined,
) {
  return fromCallback<TabsCommand, NonReducibleUnknown, TabsEvent>(({ sendBack, receive }) => {
    if (!isShared) return
    const channel = openChannel(BroadcastChannel, key)
    let late: unknown
    let isLeaving = false
    const tell = (by: StoredChanged['by'], what: StoredChanged['what']) => {
      clock.clearTimeout(late)
      late = undefined
      if (what === 'removed') isLeaving = false
      sendBack({ type: 'stored.changed', by, what })
    }
    const onMessage = ({ data }: { readonly data: unknown }) => {
      if (data === 'written' || data === 'removed') tell('otherTab', data)
      if (data !== 'leaving') return
      if (late === undefined) isLeaving = true
      else tell('otherTab', 'removed')
    }
    const onStorage = (event: Event) => {
      const { key: changed, newValue } = event as StorageEvent
      // Without a key all of the storage was cleared.
      if (changed !== key && changed !== null) return
      if (changed !== null && newValue !== null) return tell('otherTab', 'written')
      if (isLeaving) return tell('otherTab', 'removed')
      clock.clearTimeout(late)
      late = clock.setTimeout(() => tell('storage', 'removed'), WORD_BEHIND)
    }
    channel?.addEventListener('message', onMessage)
    window?.addEventListener('storage', onStorage)
    receive(({ what }) => channel?.postMessage(what))
    return () => {
      clock.clearTimeout(late)
      window?.removeEventListener('storage', onStorage)
      channel?.close()
      marks?.drop()
    }
  })
}

/** Some pages (opaque origins) have the constructor and may not use it. */
function openChannel(Channel: TabsOptions['BroadcastChannel'], key: string) {
  try {
    return Channel && new Channel(key)
  } catch {
    return undefined
  }
}
