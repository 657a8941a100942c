// The status watch: caches the status derived from the machines and notifies listeners of actual changes.
import { clientStatus, type ClientStatus, type realtimeStatus } from '../../machines/index.ts'
import { isEqual } from '../../trace/index.ts'
import type { Runner } from './runner.ts'

/** @param ofRealtime the part of the status that loads with the realtime code */
export function createStatusWatch(
  { actor, steps }: Pick<Runner, 'actor' | 'steps'>,
  ofRealtime: () => typeof realtimeStatus | undefined,
) {
  const listeners = new Set<(status: ClientStatus) => void>()
  let status = clientStatus(actor.getSnapshot(), ofRealtime())
  let version = steps.version()
  let reported = status
  let stop: (() => void) | undefined
  const current = () => {
    if (version === steps.version()) return status
    version = steps.version()
    status = share(status, clientStatus(actor.getSnapshot(), ofRealtime()))
    return status
  }
  const notify = () => {
    if (reported === current()) return
    const next = (reported = status)
    // Each listener runs in its own microtask, so that one that throws does not affect the others.
    for (const listener of listeners) queueMicrotask(() => void (listeners.has(listener) && listener(next)))
  }
  const add = (listener: (status: ClientStatus) => void) => {
    // Without listeners, steps are not checked.
    if (!stop) {
      reported = current()
      stop = steps.subscribe(notify)
    }
    const own = (next: ClientStatus) => listener(next)
    listeners.add(own)
    return () => {
      listeners.delete(own)
      if (listeners.size > 0) return
      stop?.()
      stop = undefined
    }
  }
  return { current, add }
}

/** Returns the new status, reusing equal parts of the old one, so that identity means equality. */
function share(before: ClientStatus, after: ClientStatus): ClientStatus {
  const parts = Object.entries(after).map(([name, part]): [string, unknown] => {
    const old: unknown = before[name as keyof ClientStatus]
    return [name, isEqual(old, part) ? old : part]
  })
  const isAll = parts.every(([name, part]) => part === before[name as keyof ClientStatus])
  return isAll ? before : (Object.fromEntries(parts) as unknown as ClientStatus)
}
