// What is said between the connection and realtime, and what the connection keeps in mind.
import type { Gate } from './gate.ts'
import type { EnvironmentEvent } from './ports.ts'
import type { Timings } from './timings.ts'

export type ConnectionCommand =
  | { readonly type: 'connection.want' }
  /** No channel is in use. */
  | { readonly type: 'connection.release' }
  /** At once, whoever uses it. */
  | { readonly type: 'connection.close' }

export type ConnectionReport =
  | { readonly type: 'connection.opened' }
  | { readonly type: 'connection.lost'; readonly reason: string }
  /** Nothing goes on without a fresh token. */
  | { readonly type: 'token.needed' }

export interface ConnectionContext {
  readonly timings: Timings
  readonly gate: Gate
  readonly online: boolean
  readonly visible: boolean
  readonly frozen: boolean
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly delay: number
  readonly seed: number
  readonly reason: string | undefined
  /** What an HTTP request was told in the place of the last socket. */
  readonly answer: Answer | undefined
}

export type Surroundings = Extract<EnvironmentEvent, { type: 'environment.changed' }>
/** What an HTTP request was told in a socket's place. */
export type Answer = { readonly status: number; readonly retryAfter?: number }
