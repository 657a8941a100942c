// The stores of `chartroom/svelte`: the status of a client and its channels, followed while subscribed.
import { getContext, setContext } from 'svelte'
import { derived, readable, type Readable } from 'svelte/store'
import {
  BOOTING,
  type ChannelHandle,
  type ChannelOptions,
  type ChartroomClient,
  type ClientStatus,
  followChannel,
  type FollowedChannel,
  needClient,
  type SessionStatus,
  UNJOINED,
} from '../../services/client/index.ts'

export type { FollowedChannel }

const CLIENT = Symbol('chartroom')

/**
 * Gives a client to the components below this one; call it in a component's script.
 * @throws TypeError for anything but a client, such as `client.supabase`
 */
export const setClient = <Database>(client: ChartroomClient<Database>): ChartroomClient<Database> =>
  setContext(CLIENT, needClient(client, 'setClient(client)'))

/** The client that a component above has set. @throws Error if there is none */
export function getClient<Database = unknown>(): ChartroomClient<Database> {
  const client: unknown = getContext(CLIENT)
  if (client === undefined) throw new Error('No client was set: call setClient(client) in a layout first.')
  return client as ChartroomClient<Database>
}

/** The client's status: `const status = statusOf(client)`, then `$status.session.phase`. Fixed on a server. */
export const statusOf = <Database>(client: ChartroomClient<Database>): Readable<ClientStatus> =>
  readable(globalThis.document ? client.status() : BOOTING, set => {
    if (!globalThis.document) return
    set(client.status())
    return client.onStatus(set)
  })

/** Only the session of the status. */
export const sessionOf = <Database>(client: ChartroomClient<Database>): Readable<SessionStatus> =>
  derived(statusOf(client), ({ session }) => session)

/**
 * A channel that is joined while a component subscribes to the store, as `$channel` does. `onJoin` gets the
 * handle, e.g. to listen with `handle.on('change', …)`. A render on a server joins nothing.
 */
export const channelOf = <Database>(
  client: ChartroomClient<Database>,
  topic: string,
  options: ChannelOptions = {},
  onJoin?: (handle: ChannelHandle) => void,
): Readable<FollowedChannel> =>
  readable(UNJOINED, set => globalThis.document && followChannel(client, { topic, options, onJoin }, set))
