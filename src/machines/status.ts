// The public status: every internal state mapped once, exhaustively, to the few that an app shows.
import type { SnapshotFrom } from 'xstate'
import type { clientMachine } from './client.ts'
import type { realtimeStatus } from './realtime-status.ts'
import type { RequestPhase } from './request-info.ts'
import { sessionStatus, type SessionStatus } from './session-status.ts'
import type { TokenStatus } from './token-status.ts'

export type { SessionStatus, TokenStatus }

/**
 * `probing`: open as far as known, and being asked for a sign of life. `suspended`: offline, frozen or long hidden.
 * `denied`: the backend refused the socket; tried again with another token, and now and then.
 */
export type ConnectionPhase =
  'idle' | 'waitingForToken' | 'connecting' | 'open' | 'probing' | 'reconnecting' | 'suspended' | 'denied'

export interface ConnectionStatus {
  readonly phase: ConnectionPhase
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly reason?: string
}

export type ChannelPhase = 'waiting' | 'joining' | 'joined' | 'retrying' | 'denied' | 'left'

export interface ChannelStatus {
  readonly phase: ChannelPhase
  /**
   * Whether row changes arrive: `none` when none were asked for; `retrying` is being put right, `configError` is
   * not, since what was asked for cannot be had.
   */
  readonly postgres: 'none' | 'pending' | 'live' | 'retrying' | 'configError'
  /** Whether changes may have been missed: `gap` until row changes arrive again, `resyncing` until read anew. */
  readonly data: 'none' | 'gap' | 'resyncing' | 'live'
  /** Why it is denied, waiting or retrying, or why row changes do not arrive. */
  readonly reason?: string
}

/** Everything an app shows about the client. */
export interface ClientStatus {
  readonly session: SessionStatus
  readonly connection: ConnectionStatus
  readonly network: 'online' | 'offline'
  /** How many requests are where; settled ones are not counted. */
  readonly requests: Readonly<Record<RequestPhase, number>>
  readonly channels: Readonly<Record<string, ChannelStatus>>
}

type Client = SnapshotFrom<typeof clientMachine>

/**
 * The status of the whole client, from the root's snapshot and those of its children. `ofRealtime` is absent while
 * the code of realtime is, and so are channels.
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
    network: client.context.surroundings.online ? 'online' : 'offline',
    requests: {
      queued: count('queued'),
      waiting: count('waiting'),
      sending: count('sending'),
      receiving: count('receiving'),
    },
  }
}
