// The client's status as React state: a component renders again only when the part that it takes changed.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { ClientStatus, SessionStatus } from '../../index.ts'
import { useClient } from './client.ts'

/** What a server renders, and a page until it is hydrated: nobody knows yet who is there. */
const BOOTING: ClientStatus = {
  session: { phase: 'booting' },
  connection: { phase: 'idle', attempt: 0 },
  network: 'online',
  requests: { queued: 0, waiting: 0, sending: 0, receiving: 0 },
  channels: {},
}

const whole = (status: ClientStatus): ClientStatus => status

/** The client's status, or the part that `select` takes of it; renders again only when that part changed. */
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

/** What was last shown of a component's part. */
interface Screen<T> {
  readonly shown: () => { readonly value: T } | undefined
  readonly show: (value: T) => void
}

function createScreen<T>(): Screen<T> {
  let shown: { readonly value: T } | undefined
  return { shown: () => shown, show: value => void (shown = { value }) }
}

/** Takes the part; one that is equal to the last, or to what is on the screen, is the very same. */
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

/** Who is signed in, or why nobody is. */
export function useSession(): SessionStatus {
  return useStatus(ofSession)
}

/** As whom requests go out, once that is known: another identity may see other things. */
export function useIdentity(): string | undefined {
  return useStatus(identityOf)
}

function identityOf({ session }: ClientStatus): string | undefined {
  if (session.phase === 'booting') return undefined
  return session.phase === 'authenticated' ? session.user.id : ''
}

/** The same, or objects with the same fields. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const fields = Object.entries(a)
  const others = new Map(Object.entries(b))
  return (
    fields.length === others.size &&
    fields.every(([name, item]) => others.has(name) && Object.is(item, others.get(name)))
  )
}
