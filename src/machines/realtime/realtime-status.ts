// The public status of realtime, mapped from the internal states of its connection and channels.
import type { SnapshotFrom } from 'xstate'
import { wantsChanges } from './topic-uses.ts'
import type { channelMachine } from './channel.ts'
import type { connectionMachine } from './connection.ts'
import type { realtimeMachine } from './realtime.ts'
import type {
  ChannelPhase,
  ChannelStatus,
  ClientStatus,
  ConnectionPhase,
  ConnectionStatus,
} from '../status.ts'

type Connection = SnapshotFrom<typeof connectionMachine>
type Channel = SnapshotFrom<typeof channelMachine>
type Realtime = SnapshotFrom<typeof realtimeMachine>

const CONNECTION_PHASES: Readonly<Record<Extract<Connection['value'], string>, ConnectionPhase>> = {
  idle: 'idle',
  releasing: 'idle',
  preparing: 'connecting',
  awaitingToken: 'waitingForToken',
  reauthBeforeReconnect: 'waitingForToken',
  classifying: 'reconnecting',
  backingOff: 'reconnecting',
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

const CHANNEL_PHASES: Readonly<Record<Extract<Channel['value']['membership'], string>, ChannelPhase>> = {
  preparing: 'waiting',
  awaitingToken: 'waiting',
  waitingForConnection: 'waiting',
  classifying: 'retrying',
  backingOff: 'retrying',
  denied: 'denied',
}

const POSTGRES: Readonly<Record<Channel['value']['postgres'], ChannelStatus['postgres']>> = {
  none: 'none',
  pending: 'pending',
  live: 'live',
  backingOff: 'retrying',
  configError: 'configError',
}

const DATA: Readonly<Record<Channel['value']['data'], ChannelStatus['data']>> = {
  deciding: 'none',
  none: 'none',
  gap: 'gap',
  resyncing: 'resyncing',
  backingOff: 'resyncing',
  live: 'live',
}

function channelStatus({ value, context, status }: Channel): ChannelStatus {
  const tail = context.reason === undefined ? {} : { reason: context.reason }
  if (status !== 'active') return { phase: 'left', postgres: 'none', data: 'none', ...tail }
  const { membership, postgres } = value
  const isPending = postgres === 'none' && wantsChanges(context.options)
  return {
    phase: typeof membership === 'string' ? CHANNEL_PHASES[membership] : membership.attached,
    postgres: isPending ? 'pending' : POSTGRES[postgres],
    data: DATA[value.data],
    ...tail,
  }
}

/** The status of the connection and of each channel. */
export function realtimeStatus(
  realtime: Realtime | undefined,
): Partial<Pick<ClientStatus, 'connection' | 'channels'>> {
  if (!realtime) return {}
  const connection = realtime.children.connection?.getSnapshot()
  const channels = Object.keys(realtime.context.channels).flatMap(topic => {
    const actor = realtime.children[`channel.${topic}`]
    return actor ? [[topic, channelStatus(actor.getSnapshot() as Channel)] as const] : []
  })
  return {
    ...(connection && { connection: connectionStatus(connection) }),
    channels: Object.fromEntries(channels),
  }
}
