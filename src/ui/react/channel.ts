// Channels as React state: joined in an effect, left on unmount.
import { useEffect, useRef, useState } from 'react'
import type {
  ChannelEvents,
  ChannelHandle,
  ChannelOptions,
  ChannelStatus,
  PresenceState,
} from '../../services/client/index.ts'
import { useClient } from './client.ts'

/** State of a channel in a component. */
export interface ChannelView {
  readonly status: ChannelStatus
  /** Undefined until the first effect ran. */
  readonly handle: ChannelHandle | undefined
}

const WAITING: ChannelStatus = { phase: 'waiting', postgres: 'none', data: 'none' }
const BEFORE: ChannelView = { status: WAITING, handle: undefined }

/**
 * Joins a topic while the component is mounted; components with the same topic share one channel.
 * `undefined` joins nothing. Options are compared by value; `resync` may be an inline function.
 */
export function useChannel(topic: string | undefined, options: ChannelOptions = {}): ChannelView {
  const client = useClient()
  const [view, setView] = useState(BEFORE)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const wanted = JSON.stringify(options)
  const resyncs = options.resync !== undefined
  useEffect(() => {
    if (topic === undefined) return
    const resync = () => latest.current.resync?.() ?? Promise.resolve()
    const plain = JSON.parse(wanted) as ChannelOptions
    const handle = client.channel(topic, resyncs ? { ...plain, resync } : plain)
    const show = () => setView({ status: handle.status(), handle })
    const stop = handle.on('status', show)
    show()
    return () => {
      stop()
      handle.leave()
      setView(BEFORE)
    }
  }, [client, topic, wanted, resyncs])
  return view
}

const NOBODY: PresenceState = {}

/** Presence state of a channel that `useChannel` joined. */
export function usePresence(handle: ChannelHandle | undefined): PresenceState {
  const [presence, setPresence] = useState(NOBODY)
  useEffect(() => handle && followPresence(handle, setPresence), [handle])
  return presence
}

function followPresence(handle: ChannelHandle, show: (presence: PresenceState) => void) {
  show(handle.presence())
  const stop = handle.on('presence', show)
  return () => {
    stop()
    show(NOBODY)
  }
}

/** Calls `listener` for each event of that kind; it may be an inline function. */
export function useChannelEvent<K extends keyof ChannelEvents>(
  handle: ChannelHandle | undefined,
  kind: K,
  listener: (data: ChannelEvents[K]) => void,
): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => handle?.on(kind, data => latest.current(data)), [handle, kind])
}
