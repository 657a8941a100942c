// The public status: every internal state mapped once, exhaustively, to the few that an app shows.
import type { SnapshotFrom } from 'xstate'
import { wantsChanges } from './channel-options.ts'
import type { channelMachine } from './channel.ts'
import type { clientMachine } from './client.ts'
import type { connectionMachine } from './connection.ts'
import type { realtimeMachine } from './realtime.ts'
import type { RequestPhase } from './request-info.ts'
import { sessionStatus, type SessionStatus } from './session-status.ts'
import type { TokenStatus } from './token-status.ts'

export type { SessionStatus, TokenStatus }

/**
 * `probing`: open as far as known, and being asked for a sign of life. `suspended`: offline, frozen or long hidden.
 * `denied`: the backend refused the socket; tried again with another token, and now and then.
 */
export type ConnectionPhase =
  'idle' | 'waitingForToken' | 'connecting' | 'open' | 'probing' | 'reconnecting' | 'suspended' | 'denied'

export interface ConnectionStatus {
  readonly phase: ConnectionPhase
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly reason?: string
}

export type ChannelPhase = 'waiting' | 'joining' | 'joined' | 'retrying' | 'denied' | 'left'

export interface ChannelStatus {
  readonly phase: ChannelPhase
  /**
   * Whether row changes arrive: `none` when none were asked for; `retrying` is being put right, `configError` is
   * not, since what was asked for cannot be had.
   */
  readonly postgres: 'none' | 'pending' | 'live' | 'retrying' | 'configError'
  /** Whether changes may have been missed: `gap` until row changes arrive again, `resyncing` until read anew. */
  readonly data: 'none' | 'gap' | 'resyncing' | 'live'
  /** Why it is denied, waiting or retrying, or why row changes do not arrive. */
  readonly reason?: string
}

/** Everything an app shows about the client. */
export interface ClientStatus {
  readonly session: SessionStatus
  readonly connection: ConnectionStatus
  readonly network: 'online' | 'offline'
  /** How many requests are where; settled ones are not counted. */
  readonly requests: Readonly<Record<RequestPhase, number>>
  readonly channels: Readonly<Record<string, ChannelStatus>>
}

type Connection = SnapshotFrom<typeof connectionMachine>
type Channel = SnapshotFrom<typeof channelMachine>
type Client = SnapshotFrom<typeof clientMachine>
type Realtime = SnapshotFrom<typeof realtimeMachine>

const CONNECTION_PHASES: Readonly<Record<Extract<Connection['value'], string>, ConnectionPhase>> = {
  idle: 'idle',
  preparing: 'connecting',
  awaitingToken: 'waitingForToken',
  reauthBeforeReconnect: 'waitingForToken',
  classifying: 'reconnecting',
  backoff: 'reconnecting',
  denied: 'denied',
  suspended: 'suspended',
}

const OPEN_PHASES = { open: 'open', hidden: 'open', lingering: 'open', probing: 'probing' } as const

function connectionStatus({ value, context }: Connection): ConnectionStatus {
  const tail = context.reason === undefined ? {} : { reason: context.reason }
  const { attempt } = context
  if (typeof value === 'string') return { phase: CONNECTION_PHASES[value], attempt, ...tail }
  if (value.attached === 'connecting')
    return { phase: attempt > 0 ? 'reconnecting' : 'connecting', attempt, ...tail }
  return { phase: OPEN_PHASES[value.attached], attempt: 0, ...tail }
}

const CHANNEL_PHASES: Readonly<Record<Extract<Channel['value']['life'], string>, ChannelPhase>> = {
  preparing: 'waiting',
  awaitingToken: 'waiting',
  waiting: 'waiting',
  retrying: 'retrying',
  denied: 'denied',
}

const DATA: Readonly<Record<Channel['value']['data'], ChannelStatus['data']>> = {
  deciding: 'none',
  none: 'none',
  gap: 'gap',
  resyncing: 'resyncing',
  behind: 'resyncing',
  live: 'live',
}

function channelStatus({ value, context, status }: Channel): ChannelStatus {
  const tail = context.reason === undefined ? {} : { reason: context.reason }
  if (status !== 'active') return { phase: 'left', postgres: 'none', data: 'none', ...tail }
  const { life, postgres } = value
  const isPending = postgres === 'none' && wantsChanges(context.options)
  return {
    phase: typeof life === 'string' ? CHANNEL_PHASES[life] : life.attached,
    postgres: isPending ? 'pending' : postgres,
    data: DATA[value.data],
    ...tail,
  }
}

function realtimeStatus(realtime: Realtime | undefined): Pick<ClientStatus, 'connection' | 'channels'> {
  const connection = realtime?.children.connection?.getSnapshot()
  const channels = Object.keys(realtime?.context.channels ?? {}).flatMap(topic => {
    const actor = realtime?.children[`channel.${topic}`]
    return actor ? [[topic, channelStatus(actor.getSnapshot() as Channel)] as const] : []
  })
  return {
    connection: connection ? connectionStatus(connection) : { phase: 'idle', attempt: 0 },
    channels: Object.fromEntries(channels),
  }
}

/** The status of the whole client, from the root's snapshot and those of its children. */
export function clientStatus(client: Client): ClientStatus {
  const { session, refresh, realtime, requests } = client.children
  const uses = Object.values(requests?.getSnapshot().context.requests ?? {})
  const count = (phase: RequestPhase) => uses.filter(use => use.phase === phase).length
  return {
    session:
      session && client.status === 'active'
        ? sessionStatus(session.getSnapshot(), refresh?.getSnapshot())
        : { phase: 'disposed' },
    ...realtimeStatus(realtime?.getSnapshot()),
    network: client.context.online ? 'online' : 'offline',
    requests: {
      queued: count('queued'),
      waiting: count('waiting'),
      sending: count('sending'),
      receiving: count('receiving'),
    },
  }
}
