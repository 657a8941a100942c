// What a channel keeps in mind, what it hears, and what it tells.
import type {
  ChannelCommand,
  ChannelMessage,
  ChannelOptions,
  PushSettled,
  TopicEvent,
} from './channel-events.ts'
import type { ConnectionReport } from './connection-events.ts'
import type { Gate, GateEvent } from './gate.ts'
import type { ResyncEvent } from './ports.ts'
import type { Timings } from './timings.ts'

/** What a channel tells the app itself: going through its parents would cost each message two more steps. */
export type ChannelEmitted =
  | { readonly type: 'channel.message'; readonly topic: string; readonly message: ChannelMessage }
  | { readonly type: 'channel.settled'; readonly topic: string; readonly settled: PushSettled }

/** What a channel tells the client. */
export type ChannelReport =
  { readonly type: 'token.needed' } | { readonly type: 'token.rejected'; readonly tokenId: string }

export interface ChannelInput {
  readonly timings: Timings
  readonly topic: string
  readonly options: ChannelOptions
  readonly connected: boolean
  readonly gate: Gate
  readonly seed: number
}

export interface ChannelContext extends ChannelInput {
  /** Failed joins in a row. */
  readonly attempt: number
  /** Joins in a row that were to bring row changes back. */
  readonly postgresAttempt: number
  /** Resyncs in a row that failed. */
  readonly resyncAttempt: number
  readonly delay: number
  readonly reason: string | undefined
  /** The token that was at hand when the topic was joined last. */
  readonly joinedWith: string | undefined
  /** The server refused a token, and no join has held since. */
  readonly hasRejected: boolean
  /** What we track here; told again after each join. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** Ids of commands whose fate is not known. */
  readonly sending: readonly string[]
}

export type ChannelEvent =
  | ChannelCommand
  | Extract<ConnectionReport, { type: `connection.${string}` }>
  | GateEvent
  | TopicEvent
  | ResyncEvent
  /** The uses of the topic ask for something else together. */
  | { readonly type: 'channel.options'; readonly options: ChannelOptions }
  /** One more use asks for the topic. */
  | { readonly type: 'channel.want' }
  /** Told from one region to the others. */
  | { readonly type: 'channel.joined' }
  | { readonly type: 'channel.left' }
  | { readonly type: 'channel.rejoin' }
