// PostgreSQL's wire responses: extracts the session state and removes messages for other clients.
import { BackendError } from 'pg-gateway'
import type { EngineFailure } from '../database/index.ts'

const READY = 0x5a
const NOTIFICATION = 0x41
const ERROR = 0x45

/** The state after a response: `undefined` within a series of messages. */
export type SessionState = 'idle' | 'inTransaction' | undefined

export interface Answer {
  readonly bytes: Uint8Array
  readonly state: SessionState
  readonly hasFailed: boolean
}

/**
 * Removes notifications: the session and its channels are shared by all clients. Within a series of messages,
 * PGlite reports readiness too early after an error; it belongs at the end of the series.
 */
export function readAnswer(raw: Uint8Array, isAmidSeries: boolean): Answer {
  const view = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const messages: Buffer[] = []
  let state: SessionState
  let hasFailed = false
  for (let at = 0; at + 5 <= view.length;) {
    const end = at + 1 + view.readInt32BE(at + 1)
    const isReady = view[at] === READY
    if (isReady && !isAmidSeries) state = view[at + 5] === 0x49 ? 'idle' : 'inTransaction'
    if (view[at] === ERROR) hasFailed = true
    if (view[at] !== NOTIFICATION && !(isReady && isAmidSeries)) messages.push(view.subarray(at, end))
    at = end
  }
  return { bytes: Buffer.concat(messages), state, hasFailed }
}

export const READY_FOR_QUERY = Buffer.from([READY, 0, 0, 0, 5, 0x49])

/** An `ErrorResponse` message. */
export function errorResponse({ severity, code, message, hint }: EngineFailure): Uint8Array {
  return new BackendError({ severity, code, message, ...(hint === undefined ? {} : { hint }) }).flush()
}

/** A `ParameterStatus` message. */
export function parameterStatus(name: string, value: string): Buffer {
  const text = Buffer.from(`${name}\0${value}\0`)
  const head = Buffer.from([0x53, 0, 0, 0, 0])
  head.writeInt32BE(4 + text.length, 1)
  return Buffer.concat([head, text])
}
