// Realtime limits, with the names and defaults of the original's tenant settings.

export interface RealtimeSettings {
  /** Sockets that have joined a channel; further ones are refused. */
  readonly maxConcurrentUsers: number
  /** Broadcasts sent and delivered, averaged over up to a minute; above it channels are closed. */
  readonly maxEventsPerSecond: number
  /** Joins, averaged the same way; above it the socket is closed. */
  readonly maxJoinsPerSecond: number
  readonly maxChannelsPerClient: number
  readonly maxPayloadSizeInKb: number
  /** Presence events of all clients, averaged the same way. */
  readonly maxPresenceEventsPerSecond: number
  /** Presence events of one channel of one client within `clientPresenceWindowMs`. */
  readonly maxClientPresenceEventsPerWindow: number
  readonly clientPresenceWindowMs: number
  /** Refuses all channels that are not private. */
  readonly privateOnly: boolean
  /** Sends the presence state to every channel, regardless of its join. */
  readonly presenceEnabled: boolean
  /** Closes a socket after this long without a channel. */
  readonly noChannelTimeoutMs: number
  /** Closes a socket after this long without any message or heartbeat. */
  readonly idleTimeoutMs: number
  /** Open sockets, whether they have joined or not. */
  readonly maxConnections: number
  /** The largest frame that a client may send. */
  readonly maxFrameBytes: number
  /** Maximum bytes queued for a slow reader; above it the client is disconnected. */
  readonly maxBacklogBytes: number
  /** Each change is tested on the database, which is blocked in the meantime. */
  readonly maxChangesPerJoin: number
}

export const DEFAULT_REALTIME_SETTINGS: RealtimeSettings = {
  maxConcurrentUsers: 200,
  maxEventsPerSecond: 100,
  maxJoinsPerSecond: 100,
  maxChannelsPerClient: 100,
  maxPayloadSizeInKb: 3_000,
  maxPresenceEventsPerSecond: 1_000,
  maxClientPresenceEventsPerWindow: 5,
  clientPresenceWindowMs: 30_000,
  privateOnly: false,
  presenceEnabled: false,
  noChannelTimeoutMs: 600_000,
  idleTimeoutMs: 60_000,
  maxConnections: 1_000,
  maxFrameBytes: 5_000_000,
  maxBacklogBytes: 16 * 1024 * 1024,
  maxChangesPerJoin: 100,
}

/** The original's allowance for the payload's envelope. */
const PAYLOAD_PADDING = 500

/** The largest payload of a broadcast or presence message, in bytes. */
export function largestPayload({ maxPayloadSizeInKb }: RealtimeSettings): number {
  return maxPayloadSizeInKb * 1_000 + PAYLOAD_PADDING
}

/** The size of a payload in bytes; non-binary payloads are measured as JSON. */
export function payloadSize(payload: unknown): number {
  return payload instanceof Uint8Array
    ? payload.length
    : Buffer.byteLength(JSON.stringify(payload ?? null), 'utf8')
}
