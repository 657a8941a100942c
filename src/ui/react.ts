// The public entry `chartroom/react`: a provider and hooks over one client.
import { shallowEqual, useSelector } from '@xstate/react'
import { createContext, createElement, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type {
  ChannelHandle,
  ChannelOptions,
  ChannelStatus,
  ChartroomClient,
  ClientStatus,
  PresenceState,
} from '../index.ts'

const ClientContext = createContext<ChartroomClient | undefined>(undefined)

/** Gives the client to the hooks below it. The client belongs to whoever made it: unmounting disposes nothing. */
export function ChartroomProvider<Database>(props: {
  readonly client: ChartroomClient<Database>
  readonly children?: ReactNode
}): ReactNode {
  return createElement(ClientContext, { value: props.client as ChartroomClient }, props.children)
}

/** The client of the nearest provider. @throws when there is none. */
export function useClient<Database = unknown>(): ChartroomClient<Database> {
  const client = useContext(ClientContext)
  if (!client) throw new Error('useClient needs a <ChartroomProvider client={…}> above it')
  return client as ChartroomClient<Database>
}

const whole = (status: ClientStatus): ClientStatus => status

/** The client's status, or the part that `select` takes of it; renders again only when that part changed. */
export function useStatus(): ClientStatus
export function useStatus<T>(select: (status: ClientStatus) => T): T
export function useStatus<T>(select: (status: ClientStatus) => T = whole as (status: ClientStatus) => T): T {
  const client = useClient()
  const source = useMemo(() => {
    const subscribe = (observer: { next: (status: ClientStatus) => void }) => ({
      unsubscribe: client.onStatus(observer.next),
    })
    return { getSnapshot: client.status, subscribe } as StatusSource
  }, [client])
  return useSelector(source, select, shallowEqual)
}

/** The selector hook is made for actors and uses just these two of their methods. */
type StatusSource = Parameters<typeof useSelector>[0] & { getSnapshot(): ClientStatus }

/** What a component shows of a channel. */
export interface ChannelView {
  readonly status: ChannelStatus
  readonly presence: PresenceState
  /** Absent until the first effect ran. */
  readonly handle: ChannelHandle | undefined
}

const BEFORE: ChannelView = {
  status: { phase: 'waiting', postgres: 'none', data: 'none' },
  presence: {},
  handle: undefined,
}

/**
 * Joins a topic while the component is mounted. Components that name the same topic share one channel; the
 * options of the first count. `undefined` joins nothing.
 */
export function useChannel(topic: string | undefined, options?: ChannelOptions): ChannelView {
  const client = useClient()
  const [view, setView] = useState(BEFORE)
  const wanted = JSON.stringify(options ?? {})
  useEffect(() => {
    if (topic === undefined) return
    const handle = client.channel(topic, JSON.parse(wanted) as ChannelOptions)
    const show = () => setView({ status: handle.status(), presence: handle.presence(), handle })
    const stops = [handle.on('status', show), handle.on('presence', show)]
    show()
    return () => {
      for (const stop of stops) stop()
      handle.leave()
      setView(BEFORE)
    }
  }, [client, topic, wanted])
  return view
}
