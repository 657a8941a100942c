// The context, input, events and reports of a channel.
import type {
  ChannelCommand,
  ChannelMessage,
  ChannelOptions,
  PushSettled,
  TopicEvent,
} from './channel-events.ts'
import type { ConnectionReport } from './connection-events.ts'
import type { AuthGate, AuthGateEvent } from '../session/gate.ts'
import type { ResyncEvent } from '../ports.ts'
import type { Timings } from '../timings.ts'

/**
 * Events that a channel emits to the app directly: routing them through its parents would add two steps to
 * each message.
 */
export type ChannelEmitted =
  | { readonly type: 'channel.message'; readonly topic: string; readonly message: ChannelMessage }
  | { readonly type: 'channel.settled'; readonly topic: string; readonly settled: PushSettled }

/** Events that a channel sends to the client. */
export type ChannelReport =
  { readonly type: 'token.needed' } | { readonly type: 'token.rejected'; readonly tokenId: string }

export interface ChannelInput {
  readonly timings: Timings
  readonly topic: string
  readonly options: ChannelOptions
  readonly connected: boolean
  readonly gate: AuthGate
  readonly seed: number
}

export interface ChannelContext extends ChannelInput {
  /** Failed joins in a row. */
  readonly attempt: number
  /** Rejoins in a row to restore row changes. */
  readonly postgresAttempt: number
  /** Failed resyncs in a row. */
  readonly resyncAttempt: number
  readonly delay: number
  readonly reason: string | undefined
  /** The token in use at the last join. */
  readonly joinedWith: string | undefined
  /** The server rejected a token, and no join has succeeded since. */
  readonly hasRejected: boolean
  /** Presence state tracked by this client; sent again after each join. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** Ids of commands without an outcome yet. */
  readonly pending: readonly string[]
}

export type ChannelEvent =
  | ChannelCommand
  | Extract<ConnectionReport, { type: `connection.${string}` }>
  | AuthGateEvent
  | TopicEvent
  | ResyncEvent
  /** The merged options of the topic changed. */
  | { readonly type: 'channel.options'; readonly options: ChannelOptions }
  /** One more use joins the topic: a denied join is retried. */
  | { readonly type: 'channel.retry' }
  /** Sent from one region to the others. */
  | { readonly type: 'channel.joined' }
  | { readonly type: 'channel.left' }
  | { readonly type: 'channel.rejoin' }
