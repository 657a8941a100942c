// The status watch: caches the status derived from the machines and notifies listeners of actual changes.
import { clientStatus, type ClientStatus, type realtimeStatus } from '../../machines/index.ts'
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
    return [name, isSame(old, part) ? old : part]
  })
  const isAll = parts.every(([name, part]) => part === before[name as keyof ClientStatus])
  return isAll ? before : (Object.fromEntries(parts) as unknown as ClientStatus)
}

/** Compares plain data. Unchanged parts are nearly always identical objects, so deep comparison is rare. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  const [these, those] = [one as Fields, other as Fields]
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSame(these[name], those[name]))
  )
}

type Fields = Readonly<Record<string, unknown>>
