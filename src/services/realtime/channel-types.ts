// The public types of channels: what a use of a topic asks for, hears and can do.
import type {
  ChannelOptions as TopicOptions,
  PostgresChange,
  PresenceState,
  RowChange,
  SystemMessage,
} from '../../machines/channel-events.ts'
import type { ChannelStatus } from '../../machines/status.ts'
import type { Result } from '../client-types.ts'

/** What a use of a topic asks for. Several uses of one topic are joined once, with all that they ask for. */
export interface ChannelOptions extends TopicOptions {
  readonly broadcast?: TopicOptions['broadcast'] & {
    /** What can't go over the socket goes as an HTTP request, as the same user. */
    readonly fallback?: 'http'
  }
  /**
   * Reads anew what is shown of the rows. Called whenever row changes arrive from now on, the first time and after
   * each gap, and again with pauses when it rejects or takes longer than the timing `resyncTimeout`.
   */
  readonly resync?: () => Promise<unknown>
}

/** Somebody came or went. */
export interface PresenceChange {
  readonly key: string
  /** What came, or went, under that key. */
  readonly metas: readonly PresenceMeta[]
  /** All that is there under that key now. */
  readonly present: readonly PresenceMeta[]
}

/** What somebody shows of themselves, with the server's `presence_ref`. */
export type PresenceMeta = Readonly<Record<string, unknown>>

export interface ChannelEvents {
  broadcast: { readonly event: string; readonly payload: unknown; readonly meta?: unknown }
  /** Who is present, after a change. What was known before a gap stays until the server says what is so. */
  presence: PresenceState
  join: PresenceChange
  leave: PresenceChange
  change: RowChange
  status: ChannelStatus
  /** From here on row changes may be missed; `status().data` tells when that is over. */
  gap: { readonly reason?: string }
  /** A word of the server about the channel. */
  system: Omit<SystemMessage, 'type'>
}

/** A use of a topic. Handles of one topic share one channel actor; the last `leave` ends it. */
export interface ChannelHandle {
  readonly topic: string
  status(): ChannelStatus
  presence(): PresenceState
  /** @param listener is also told which of its `postgresChanges` a change is for. */
  on<K extends keyof ChannelEvents>(
    kind: K,
    listener: (data: ChannelEvents[K], wanted?: PostgresChange) => void,
  ): () => void
  /** Resolves once the server has it (with `ack`) or the frame is on its way. Bytes go as bytes. */
  send(event: string, payload: unknown): Promise<Result<void>>
  /** Shows `meta` to the others, now and after each join; resolves once the server has it. */
  track(meta: PresenceMeta): Promise<Result<void>>
  untrack(): Promise<Result<void>>
  leave(): void
}
