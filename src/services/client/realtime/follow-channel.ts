// Follows a channel for views that show its state, such as Vue's and Svelte's.
import type { ChannelStatus, PresenceState } from '../../../machines/index.ts'
import type { ChartroomClient } from '../client-types.ts'
import type { ChannelHandle, ChannelOptions } from './channel-types.ts'

/** State of a channel in a view. */
export interface FollowedChannel {
  readonly status: ChannelStatus
  readonly presence: PresenceState
  /** Undefined while the channel is not joined, and on a server. */
  readonly handle: ChannelHandle | undefined
}

/** The state before the channel is joined, and after it was left. */
export const UNJOINED: FollowedChannel = {
  status: { phase: 'waiting', postgres: 'none', data: 'none' },
  presence: {},
  handle: undefined,
}

/** A topic to join; `onJoin` gets the handle, e.g. to listen with `handle.on('change', …)`. */
export interface ChannelRequest {
  readonly topic: string
  readonly options?: ChannelOptions | undefined
  readonly onJoin?: ((handle: ChannelHandle) => void) | undefined
}

/** Joins a topic and shows its state now and after each change. Returns the function that leaves it. */
export function followChannel(
  client: Pick<ChartroomClient, 'channel'>,
  { topic, options = {}, onJoin }: ChannelRequest,
  show: (state: FollowedChannel) => void,
): () => void {
  const handle = client.channel(topic, options)
  const update = () => show({ status: handle.status(), presence: handle.presence(), handle })
  const stops = [handle.on('status', update), handle.on('presence', update)]
  update()
  onJoin?.(handle)
  return () => {
    for (const stop of stops) stop()
    handle.leave()
    show(UNJOINED)
  }
}
