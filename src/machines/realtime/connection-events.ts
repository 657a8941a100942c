// Events between the connection and realtime, and the context of the connection.
import type { AuthGate } from '../session/gate.ts'
import type { EnvironmentEvent } from '../ports.ts'
import type { Timings } from '../timings.ts'

export type ConnectionCommand =
  | { readonly type: 'connection.open' }
  /** No channel is in use. */
  | { readonly type: 'connection.release' }
  /** Closes immediately, even with channels in use. */
  | { readonly type: 'connection.close' }

export type ConnectionReport =
  | { readonly type: 'connection.opened' }
  | { readonly type: 'connection.lost'; readonly reason: string }
  /** Blocked until a fresh token arrives. */
  | { readonly type: 'token.needed' }

export interface ConnectionContext {
  readonly timings: Timings
  readonly gate: AuthGate
  readonly online: boolean
  readonly visible: boolean
  readonly frozen: boolean
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly delay: number
  readonly seed: number
  readonly reason: string | undefined
  /** The HTTP response to a probe in place of the last socket. */
  readonly probeResponse: ProbeResponse | undefined
}

export type EnvironmentState = Extract<EnvironmentEvent, { type: 'environment.changed' }>
/** An HTTP response to a probe of the socket's URL. */
export type ProbeResponse = { readonly status: number; readonly retryAfter?: number }
