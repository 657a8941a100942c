// The public status: every internal state mapped exhaustively to the few that an app shows.
import type { SnapshotFrom } from 'xstate'
import type { clientMachine } from './client.ts'
import type { realtimeStatus } from './realtime/realtime-status.ts'
import type { RequestPhase } from './requests/request-info.ts'
import { sessionStatus, type SessionStatus } from './session/status.ts'
import type { TokenStatus } from './session/token-status.ts'

export type { SessionStatus, TokenStatus }

/**
 * Phase of the realtime connection. `probing`: apparently open, while a probe checks the connection. `suspended`: offline, frozen or long
 * hidden. `denied`: the backend refused the socket; retried with another token, and periodically.
 */
export type ConnectionPhase =
  'idle' | 'waitingForToken' | 'connecting' | 'open' | 'probing' | 'reconnecting' | 'suspended' | 'denied'

export interface ConnectionStatus {
  readonly phase: ConnectionPhase
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly reason?: string
}

/** Phase of a channel, from its first join attempt to leaving. */
export type ChannelPhase = 'waiting' | 'joining' | 'joined' | 'retrying' | 'denied' | 'left'

/** Public status of a channel. */
export interface ChannelStatus {
  readonly phase: ChannelPhase
  /**
   * Whether row changes arrive: `none` if none were requested; `retrying` recovers automatically,
   * `configError` does not, since the requested changes are invalid.
   */
  readonly postgres: 'none' | 'pending' | 'live' | 'retrying' | 'configError'
  /**
   * Whether changes may have been missed: `gap` until row changes arrive again, `resyncing` until the data
   * are reloaded.
   */
  readonly data: 'none' | 'gap' | 'resyncing' | 'live'
  /** Why it is denied, waiting or retrying, or why row changes do not arrive. */
  readonly reason?: string
}

/** Everything an app shows about the client. */
export interface ClientStatus {
  readonly session: SessionStatus
  readonly connection: ConnectionStatus
  readonly network: 'online' | 'offline'
  /** Number of requests per phase; settled ones are not counted. */
  readonly requests: Readonly<Record<RequestPhase, number>>
  readonly channels: Readonly<Record<string, ChannelStatus>>
}

type Client = SnapshotFrom<typeof clientMachine>

/**
 * The status of the whole client, from the snapshots of the root and its children. `ofRealtime` is absent
 * until the realtime code has loaded; there are no channels before that.
 */
export function clientStatus(client: Client, ofRealtime?: typeof realtimeStatus): ClientStatus {
  const { session, refresh, realtime, requests } = client.children
  const uses = Object.values(requests?.getSnapshot().context.requests ?? {})
  const count = (phase: RequestPhase) => uses.filter(use => use.phase === phase).length
  return {
    session:
      session && client.status === 'active'
        ? sessionStatus(session.getSnapshot(), refresh?.getSnapshot())
        : { phase: 'disposed' },
    connection: { phase: 'idle', attempt: 0 },
    channels: {},
    ...ofRealtime?.(realtime?.getSnapshot()),
    network: client.context.environment.online ? 'online' : 'offline',
    requests: {
      queued: count('queued'),
      waiting: count('waiting'),
      sending: count('sending'),
      receiving: count('receiving'),
    },
  }
}
