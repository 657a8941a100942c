// The session's refresh lock and leader election among its tabs, with the Web Locks API.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import type { LeadershipEvent, LockEvent } from '../../../machines/index.ts'
import type { Locks, Marks } from './tab-marks.ts'
import type { TabsOptions } from './tabs.ts'

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

export const lockName = (key: string) => `${key}:refresh`

export function createLockPort({ key, isShared, locks, stamps }: TabsOptions, marks: Marks | undefined) {
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

export function createLeadershipPort({ key, isShared, locks }: TabsOptions) {
  return fromCallback<EventObject, NonReducibleUnknown, LeadershipEvent>(({ sendBack }) => {
    if (!isShared || !locks) return sendBack({ type: 'leadership.unavailable' })
    return hold(locks, `${key}:leader`, false, {
      held: () => sendBack({ type: 'leadership.gained' }),
      lost: () => sendBack({ type: 'leadership.lost' }),
      unavailable: () => sendBack({ type: 'leadership.unavailable' }),
    })
  })
}
