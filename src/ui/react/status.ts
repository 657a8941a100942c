// The client's status as React state: a component re-renders only when its selected part changed.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { ClientStatus, SessionStatus } from '../../services/client/index.ts'
import { isEqual } from '../../trace/index.ts'
import { useClient } from './client.ts'

/** Status during server rendering and hydration, before the session is known. */
const BOOTING: ClientStatus = {
  session: { phase: 'booting' },
  connection: { phase: 'idle', attempt: 0 },
  network: 'online',
  requests: { queued: 0, waiting: 0, sending: 0, receiving: 0 },
  channels: {},
}

const whole = (status: ClientStatus): ClientStatus => status

/** Returns the client's status, or the part that `select` returns; re-renders only when that part changed. */
export function useStatus(): ClientStatus
export function useStatus<T>(select: (status: ClientStatus) => T): T
export function useStatus<T>(select: (status: ClientStatus) => T = whole as (status: ClientStatus) => T): T {
  const client = useClient()
  const [screen] = useState(createScreen<T>)
  const [look, lookAtServer] = useMemo(() => {
    const part = createPart(select, screen)
    return [() => part(client.status()), () => part(BOOTING)]
  }, [client, select, screen])
  const value = useSyncExternalStore(client.onStatus, look, lookAtServer)
  useEffect(() => screen.show(value), [screen, value])
  return value
}

/** The value a component rendered last. */
interface Screen<T> {
  readonly shown: () => { readonly value: T } | undefined
  readonly show: (value: T) => void
}

function createScreen<T>(): Screen<T> {
  let shown: { readonly value: T } | undefined
  return { shown: () => shown, show: value => void (shown = { value }) }
}

/** Returns a selector whose result keeps its identity while it is equal to the last or the rendered value. */
function createPart<T>(select: (status: ClientStatus) => T, screen: Screen<T>) {
  let last: { readonly status: ClientStatus; readonly value: T } | undefined
  return (status: ClientStatus): T => {
    if (last?.status === status) return last.value
    const known = last ?? screen.shown()
    const fresh = select(status)
    const value = known && isEqual(known.value, fresh) ? known.value : fresh
    last = { status, value }
    return value
  }
}

const ofSession = ({ session }: ClientStatus): SessionStatus => session

/** Returns the session: the signed-in user, or why the user is signed out. */
export function useSession(): SessionStatus {
  return useStatus(ofSession)
}

/** Returns the user id, '' while signed out, undefined during the boot. Identities may see different data. */
export function useIdentity(): string | undefined {
  return useStatus(identityOf)
}

function identityOf({ session }: ClientStatus): string | undefined {
  if (session.phase === 'booting') return undefined
  return session.phase === 'authenticated' ? session.user.id : ''
}
