// What is said between the app, a channel's machine and the port that joins its topic.

/** One kind of row changes that a channel wants to hear of. */
export interface PostgresChange {
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table?: string
  readonly filter?: string
  /** Columns to send; all of them unless told. */
  readonly select?: readonly string[]
}

/** What a use of a topic asks for; several uses of one topic are joined with all that they ask for. */
export interface ChannelOptions {
  readonly private?: boolean
  readonly broadcast?: {
    /** What is sent from here comes back, too. */
    readonly self?: boolean
    /** `send` waits until the server has the message; on unless told. */
    readonly ack?: boolean
    /** Messages of a private topic since then (epoch milliseconds) are told again at each join. */
    readonly replay?: { readonly since: number; readonly limit?: number }
    /** The server says when broadcasts of the database arrive; see the `system` event. */
    readonly replicationReady?: boolean
  }
  readonly presence?: { readonly key?: string; readonly enabled?: boolean }
  readonly postgresChanges?: readonly PostgresChange[]
}

export interface RowChange {
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table: string
  readonly record: Readonly<Record<string, unknown>>
  readonly old: Readonly<Record<string, unknown>>
  readonly commitTimestamp: string
  /** What the server could not tell of the row. */
  readonly errors?: readonly string[]
}

/** Who is present: `key` groups the metas of one user or tab. */
export type PresenceState = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Asks of a channel what may have an end that the app waits for, then under an `id`. */
export type ChannelCommand =
  | {
      readonly type: 'broadcast.send'
      readonly id: string
      readonly event: string
      readonly payload: unknown
    }
  | {
      readonly type: 'presence.track'
      readonly id?: string
      readonly meta: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'presence.untrack'; readonly id?: string }

/** The end of a command. */
export type PushSettled = {
  readonly type: 'push.settled'
  readonly id: string
  /** Absent when the server has it. */
  readonly reason?: string
  /** It never left: trying another way can't double it. */
  readonly isUnsent?: boolean
}

/** What arrives on a joined topic and is handed on to the app. */
export type ChannelMessage =
  | {
      readonly type: 'broadcast.received'
      readonly event: string
      readonly payload: unknown
      /** What the server says of a message that it has kept. */
      readonly meta?: unknown
    }
  | { readonly type: 'presence.synced'; readonly state: PresenceState }
  /** A change that two of the wanted kinds fit is told for each of them. */
  | { readonly type: 'postgres.changed'; readonly change: RowChange; readonly wanted: PostgresChange }
  | SystemMessage

/** A word of the server about the channel. */
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
