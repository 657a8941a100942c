// The provider, its client context, and the client's status as React state.
import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  type ReactNode,
  useState,
  useSyncExternalStore,
} from 'react'
import {
  BOOTING,
  type ChartroomClient,
  type ClientStatus,
  needClient,
  type SessionStatus,
} from '../../services/client/index.ts'
import { createRequestCache, identityOf, type RequestCache } from './request-cache.ts'
import { isEqual } from '../../trace/index.ts'

interface Provided {
  readonly client: ChartroomClient
  readonly requests: RequestCache
}

const ClientContext = createContext<Provided | undefined>(undefined)

/**
 * Provides the client to the hooks below it. The caller owns the client: unmounting does not dispose it, but
 * aborts the requests of components that are still suspended.
 * @throws TypeError for anything but a client, such as `client.supabase`
 */
export function ChartroomProvider<Database>(props: {
  readonly client: ChartroomClient<Database>
  readonly children?: ReactNode
}): ReactNode {
  const client = needClient(props.client, '<ChartroomProvider client={client}>') as ChartroomClient
  const provided = useMemo(() => ({ client, requests: createRequestCache(client) }), [client])
  useEffect(() => provided.requests.open(), [provided])
  return createElement(ClientContext.Provider, { value: provided }, props.children)
}

export function useProvided(): Provided {
  const provided = useContext(ClientContext)
  if (!provided)
    throw new Error('The hooks of chartroom/react need a <ChartroomProvider client={…}> above them')
  return provided
}

/** Returns the client of the nearest provider. @throws if there is none. */
export function useClient<Database = unknown>(): ChartroomClient<Database> {
  return useProvided().client as ChartroomClient<Database>
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

/** Returns the identity of the user whose data is shown. */
export function useIdentity(): string | undefined {
  return useStatus(identityOf)
}
