// What is said between the app, a channel's machine and the port that joins its topic.

export interface ChannelOptions {
  readonly private?: boolean
  readonly broadcast?: { readonly self?: boolean; readonly ack?: boolean }
  readonly presence?: { readonly key?: string }
  readonly postgresChanges?: readonly {
    readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
    readonly schema: string
    readonly table?: string
    readonly filter?: string
  }[]
}

export interface RowChange {
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table: string
  readonly record: Readonly<Record<string, unknown>>
  readonly old: Readonly<Record<string, unknown>>
  readonly commitTimestamp: string
}

/** Who is present: `key` groups the metas of one user or tab. */
export type PresenceState = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

export type ChannelCommand =
  | {
      readonly type: 'broadcast.send'
      readonly id: string
      readonly event: string
      readonly payload: unknown
    }
  | { readonly type: 'presence.track'; readonly meta: Readonly<Record<string, unknown>> }
  | { readonly type: 'presence.untrack' }

export type BroadcastSettled = {
  readonly type: 'broadcast.settled'
  readonly id: string
  /** Absent when the server has the message. */
  readonly reason?: string
}

/** What arrives on a joined topic and is handed on to the app. */
export type ChannelMessage =
  | { readonly type: 'broadcast.received'; readonly event: string; readonly payload: unknown }
  | { readonly type: 'presence.synced'; readonly state: PresenceState }
  | { readonly type: 'postgres.changed'; readonly change: RowChange }

export type TopicEvent =
  | { readonly type: 'topic.joined' }
  | { readonly type: 'topic.refused'; readonly reason: string }
  | { readonly type: 'topic.closed'; readonly reason: string }
  | { readonly type: 'postgres.subscribed' }
  | { readonly type: 'postgres.failed'; readonly reason: string }
  | ChannelMessage
  | BroadcastSettled
  | { readonly type: 'port.broken'; readonly failure: { readonly message: string } }
