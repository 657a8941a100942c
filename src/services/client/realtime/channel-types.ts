// Public types of channels: options, events and methods of a topic's handle.
import type {
  ChannelOptions as TopicOptions,
  ChannelStatus,
  Persist,
  PostgresChange,
  PresenceState,
  RowChange,
  SystemMessage,
} from '../../../machines/index.ts'
import type { Result } from '../client-types.ts'

/** Options of one use of a topic. Several uses of one topic are joined once, with all their options. */
export interface ChannelOptions extends TopicOptions {
  readonly broadcast?: TopicOptions['broadcast'] & {
    /** Sends messages that cannot use the socket by HTTP, as the same user. */
    readonly fallback?: 'http'
  }
  /**
   * Reloads the displayed rows. Called when row changes begin to arrive: the first time and after each gap.
   * Retried with pauses when it rejects or exceeds the timing `resyncTimeout`.
   */
  readonly resync?: () => Promise<unknown>
}

/** A user joined or left. */
export interface PresenceChange {
  readonly key: string
  /** What joined or left under that key. */
  readonly metas: readonly PresenceMeta[]
  /** Everything that is present under that key now. */
  readonly present: readonly PresenceMeta[]
}

/** A user's presence data, with the server's `presence_ref`. */
export type PresenceMeta = Readonly<Record<string, unknown>>

/** Events of a channel, by name, with their payloads. */
export interface ChannelEvents {
  broadcast: { readonly event: string; readonly payload: unknown; readonly meta?: unknown }
  /** All users present, after a change. Data from before a gap stays until the server sends an update. */
  presence: PresenceState
  join: PresenceChange
  leave: PresenceChange
  change: RowChange
  status: ChannelStatus
  /** From now on row changes may be missed; `status().data` shows when that ends. */
  gap: { readonly reason?: string }
  /** A server message about the channel. */
  system: Omit<SystemMessage, 'type'>
}

/** A use of a topic. Handles of one topic share one channel actor; the last `leave` ends it. */
export interface ChannelHandle {
  readonly topic: string
  status(): ChannelStatus
  presence(): PresenceState
  /** @param listener also receives the entry of `postgresChanges` that a change matches */
  on<K extends keyof ChannelEvents>(
    kind: K,
    listener: (data: ChannelEvents[K], filter?: PostgresChange) => void,
  ): () => void
  /**
   * Resolves when the server has received it (with `ack`) or the frame was sent. Binary data is sent as
   * binary.
   * @param options `persist` has the server store the message for `broadcast.replay`, on private channels
   *   only; such a message never goes over HTTP
   */
  send(event: string, payload: unknown, options?: { readonly persist?: Persist }): Promise<Result<void>>
  /** Shows `meta` to other users, now and after each join. Resolves when the server has received it. */
  track(meta: PresenceMeta): Promise<Result<void>>
  untrack(): Promise<Result<void>>
  leave(): void
}
