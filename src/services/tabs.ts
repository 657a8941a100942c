// The tabs of one session: its lock, leadership among them, and word of what each of them stores.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import type { LeadershipEvent, LockEvent, StoredChanged, TabsCommand, TabsEvent } from '../machines/ports.ts'
import type { SessionStorage } from './client-types.ts'
import type { Clock } from './clock.ts'
import { isShared } from './session-store.ts'

export interface TabsOptions {
  /** Key of the stored session; locks and the channel are named after it. */
  readonly key: string
  /** Whether other tabs see the same storage; who has it alone has nobody to agree with. */
  readonly isShared: boolean
  readonly clock: Clock
  /** What the browser offers; older ones lack the one or the other. */
  readonly locks?: Pick<LockManager, 'request' | 'query'> | undefined
  readonly BroadcastChannel?: typeof globalThis.BroadcastChannel | undefined
  /** Where events of the storage arrive. */
  readonly window?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | undefined
}

/** What this browser offers for the storage that the app chose. */
export function tabsOptions(storage: SessionStorage, key: string, clock: Clock): TabsOptions {
  const { navigator, BroadcastChannel, window } = globalThis
  return { key, isShared: isShared(storage), clock, locks: navigator?.locks, BroadcastChannel, window }
}

/** How long the word of a tab that signed out may take longer than the event of the storage. */
const WORD_BEHIND = 200

export function createTabsPorts(options: TabsOptions) {
  return {
    lock: createLockPort(options),
    leadership: createLeadershipPort(options),
    tabs: createTabsPort(options),
  }
}

/** Holds a lock until `stop` is called; `onHeld` and `onLost` are called at most once each. */
function hold(
  locks: NonNullable<TabsOptions['locks']>,
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

function createLockPort({ key, isShared, locks }: TabsOptions) {
  const name = `${key}:refresh`
  /** Who held the lock when we began to wait for it. */
  let before: string | undefined
  const holder = async () => (await locks?.query())?.held?.find(held => held.name === name)?.clientId
  return fromCallback<EventObject, { readonly steal: boolean }, LockEvent>(({ input, sendBack }) => {
    if (!isShared) return sendBack({ type: 'lock.held' })
    if (!locks) return sendBack({ type: 'lock.unavailable' })
    let stop = () => {}
    let isStopped = false
    const begin = (steal: boolean) => {
      if (isStopped) return
      stop = hold(locks, name, steal, {
        held: () => sendBack({ type: 'lock.held' }),
        lost: () => sendBack({ type: 'lock.lost' }),
        unavailable: () => sendBack({ type: 'lock.unavailable' }),
      })
    }
    holder().then(
      present => {
        // Who came to hold it since then has a right to their own time.
        const steal = input.steal && present !== undefined && present === before
        before = present
        begin(steal)
      },
      () => begin(false),
    )
    return () => {
      isStopped = true
      stop()
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

function createTabsPort({ key, isShared, clock, BroadcastChannel, window }: TabsOptions) {
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
