// The public status: every internal state mapped once, exhaustively, to the few that an app shows.
import type { SnapshotFrom } from 'xstate'
import type { channelMachine } from './channel.ts'
import type { clientMachine } from './client.ts'
import type { connectionMachine } from './connection.ts'
import type { realtimeMachine } from './realtime.ts'
import type { RequestPhase } from './request-info.ts'
import type { RequestPhase } from './request-info.ts'
import {
  sessionStatus,
  type AssuranceStatus,
  type AuthenticatedStatus,
  type SessionStatus,
} from './session-status.ts'
import type { TokenStatus } from './token-status.ts'

export type { AuthenticatedStatus, AssuranceStatus, SessionStatus, TokenStatus }

export type ConnectionPhase =
  'idle' | 'waitingForToken' | 'connecting' | 'open' | 'reconnecting' | 'suspended'

export interface ConnectionStatus {
  readonly phase: ConnectionPhase
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly reason?: string
}

export type ChannelPhase = 'waiting' | 'joining' | 'joined' | 'retrying' | 'denied' | 'left'

export interface ChannelStatus {
  readonly phase: ChannelPhase
  /** Whether row changes arrive: `none` when none were asked for. */
  readonly postgres: 'none' | 'pending' | 'live' | 'failed'
  /** Why it is denied, waiting or retrying. */
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
  backoff: 'reconnecting',
  suspended: 'suspended',
}

function connectionStatus({ value, context }: Connection): ConnectionStatus {
  const { attempt, reason } = context
  const phase =
    typeof value === 'string'
      ? CONNECTION_PHASES[value]
      : value.attached === 'open'
        ? 'open'
        : attempt > 0
          ? 'reconnecting'
          : 'connecting'
  return { phase, attempt, ...(reason !== undefined && { reason }) }
}

const CHANNEL_PHASES: Readonly<Record<Extract<Channel['value'], string>, ChannelPhase>> = {
  preparing: 'waiting',
  waiting: 'waiting',
  retrying: 'retrying',
  denied: 'denied',
}

const POSTGRES: Readonly<
  Record<'deciding' | 'subscribing' | 'live' | 'changesFailed', ChannelStatus['postgres']>
> = {
  deciding: 'pending',
  subscribing: 'pending',
  live: 'live',
  changesFailed: 'failed',
}

function channelStatus({ value, context, status }: Channel): ChannelStatus {
  const { reason, options } = context
  const wanted = (options.postgresChanges ?? []).length > 0
  const tail = reason === undefined ? {} : { reason }
  if (status !== 'active') return { phase: 'left', postgres: 'none', ...tail }
  if (typeof value === 'string') {
    return { phase: CHANNEL_PHASES[value], postgres: wanted ? 'pending' : 'none', ...tail }
  }
  if (value.attached === 'joining')
    return { phase: 'joining', postgres: wanted ? 'pending' : 'none', ...tail }
  return { phase: 'joined', postgres: wanted ? POSTGRES[value.attached.joined] : 'none', ...tail }
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
