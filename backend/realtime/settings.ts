// The limits of realtime, named as the original's tenants name theirs, with its defaults.

export interface RealtimeSettings {
  /** Sockets that have joined a channel; one more is refused. */
  readonly maxConcurrentUsers: number
  /** Broadcasts sent and delivered, averaged over up to a minute; above it channels are closed. */
  readonly maxEventsPerSecond: number
  /** Joins, averaged likewise; above it the socket is closed. */
  readonly maxJoinsPerSecond: number
  readonly maxChannelsPerClient: number
  readonly maxPayloadSizeInKb: number
  /** Presence events of all clients, averaged likewise. */
  readonly maxPresenceEventsPerSecond: number
  /** Presence events of one channel of one client within `clientPresenceWindowMs`. */
  readonly maxClientPresenceEventsPerWindow: number
  readonly clientPresenceWindowMs: number
  /** Refuses every channel that is not private. */
  readonly privateOnly: boolean
  /** Sends the presence state to every channel, whatever its join says. */
  readonly presenceEnabled: boolean
  /** A socket without a channel is closed after this long. */
  readonly noChannelTimeoutMs: number
  /** A socket that says nothing, not even a heartbeat, is closed after this long. */
  readonly idleTimeoutMs: number
  /** Open sockets, whether they have joined or not. */
  readonly maxConnections: number
  /** The largest frame that a client may send. */
  readonly maxFrameBytes: number
  /** What may wait for a client that reads slowly; above it the client is let go. */
  readonly maxBacklogBytes: number
  /** Each is tried on the database, which meanwhile serves nobody else. */
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

/** What the original adds for a payload's own wrapping. */
const PAYLOAD_PADDING = 500

/** The largest payload of a broadcast or a presence, in bytes. */
export function largestPayload({ maxPayloadSizeInKb }: RealtimeSettings): number {
  return maxPayloadSizeInKb * 1_000 + PAYLOAD_PADDING
}

/** The size of a payload in bytes, as JSON where it is not bytes already. */
export function payloadSize(payload: unknown): number {
  return payload instanceof Uint8Array
    ? payload.length
    : Buffer.byteLength(JSON.stringify(payload ?? null), 'utf8')
}
