// Events between the app, a channel's machine and the port that joins its topic, and the channel's options.

/** Why a channel rejoins after signing in or out: never on a socket of the previous user. */
export const OTHER_USER = 'another user'

/** One kind of row change that a channel subscribes to. */
export interface PostgresChange {
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table?: string
  readonly filter?: string
  /** Columns to send; defaults to all. */
  readonly select?: readonly string[]
}

/** The options of one use of a topic. Several uses share one join with merged options. */
export interface ChannelOptions {
  readonly private?: boolean
  readonly broadcast?: {
    /** Receive own messages, too. */
    readonly self?: boolean
    /** `send` waits for the server's acknowledgment; defaults to true. */
    readonly ack?: boolean
    /** Replays messages of a private topic since then (epoch milliseconds) on each join. */
    readonly replay?: { readonly since: number; readonly limit?: number }
    /** The server reports when database broadcasts arrive; see the `system` event. */
    readonly replicationReady?: boolean
  }
  readonly presence?: { readonly key?: string; readonly enabled?: boolean }
  readonly postgresChanges?: readonly PostgresChange[]
}

/** Change of one row, as the realtime server reports it. */
export interface RowChange {
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table: string
  readonly record: Readonly<Record<string, unknown>>
  readonly old: Readonly<Record<string, unknown>>
  readonly commitTimestamp: string
  /** Errors that the server reported for the row. */
  readonly errors?: readonly string[]
}

/** Presence by `key`: each key groups the metas of one user or tab. */
export type PresenceState = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Whether the server stores a message of a private channel for `replay`, at most for `ttl` seconds. */
export type Persist = boolean | { readonly ttl?: number }

/** Channel commands. Those with an outcome that the app can await carry an `id`. */
export type ChannelCommand =
  | {
      readonly type: 'broadcast.send'
      readonly id: string
      readonly event: string
      readonly payload: unknown
      readonly persist?: Persist
    }
  | {
      readonly type: 'presence.track'
      readonly id?: string
      readonly meta: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'presence.untrack'; readonly id?: string }

/** The outcome of a command. */
export type PushSettled = {
  readonly type: 'push.settled'
  readonly id: string
  /** Absent when the server acknowledged it. */
  readonly reason?: string
  /** It was never sent, so sending it over HTTP cannot duplicate it. */
  readonly isUnsent?: boolean
}

/** Messages on a joined topic that are passed on to the app. */
export type ChannelMessage =
  | {
      readonly type: 'broadcast.received'
      readonly event: string
      readonly payload: unknown
      /** Metadata that the server adds to a stored message. */
      readonly meta?: unknown
    }
  | { readonly type: 'presence.synced'; readonly state: PresenceState }
  /** A change that matches two subscriptions is emitted once for each. */
  | { readonly type: 'postgres.changed'; readonly change: RowChange; readonly wanted: PostgresChange }
  | SystemMessage

/** A server message about the channel. */
export type SystemMessage = {
  readonly type: 'system.received'
  readonly extension: string
  readonly status: string
  readonly message: string
}

export type TopicEvent =
  | { readonly type: 'topic.joined' }
  | { readonly type: 'topic.refused'; readonly reason: string }
  | { readonly type: 'topic.closed'; readonly reason: string }
  | { readonly type: 'postgres.subscribed' }
  | { readonly type: 'postgres.failed'; readonly reason: string }
  | ChannelMessage
  | PushSettled
  | { readonly type: 'port.broken'; readonly failure: { readonly message: string } }

/** Equal for equivalent changes. */
export const changeKey = ({ event, schema, table, filter, select }: PostgresChange): string =>
  JSON.stringify([event, schema, table, filter, select])
