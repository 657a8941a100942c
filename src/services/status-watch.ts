// The status watch: keeps the status that is derived from the machines, and tells of it when it really changed.
import { clientStatus, type ClientStatus } from '../machines/status.ts'
import type { Runner } from './runner.ts'

export function createStatusWatch({ actor, steps }: Pick<Runner, 'actor' | 'steps'>) {
  const listeners = new Set<(status: ClientStatus) => void>()
  let status = clientStatus(actor.getSnapshot())
  let version = steps.version()
  let told = status
  const current = () => {
    if (version === steps.version()) return status
    version = steps.version()
    status = share(status, clientStatus(actor.getSnapshot()))
    return status
  }
  steps.subscribe(() => {
    if (told === current()) return
    told = status
    for (const listener of listeners) listener(status)
  })
  const add = (listener: (status: ClientStatus) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { current, add }
}

/** The new status with every part that is equal taken from the old one, so that identity means sameness. */
function share(before: ClientStatus, after: ClientStatus): ClientStatus {
  const parts = Object.entries(after).map(([name, part]): [string, unknown] => {
    const old: unknown = before[name as keyof ClientStatus]
    return [name, JSON.stringify(old) === JSON.stringify(part) ? old : part]
  })
  const isSame = parts.every(([name, part]) => part === before[name as keyof ClientStatus])
  return isSame ? before : (Object.fromEntries(parts) as unknown as ClientStatus)
}
