// The decoded frames of a realtime socket.
import { isDeeperThan } from '../shared/json-depth.ts'

export type Version = '1.0.0' | '2.0.0'

/** Chosen by the client and returned unchanged. */
export type Ref = string | number | null

export interface Frame {
  readonly joinRef: Ref
  readonly ref: Ref
  readonly topic: string
  readonly event: string
  /** JSON, bytes, or a `UserPush` if it arrived as a binary broadcast. */
  readonly payload: unknown
}

/** A broadcast's event and payload; sent as binary if the version supports it. */
export interface BroadcastMessage {
  readonly event: string
  /** JSON, or bytes for a binary broadcast. */
  readonly payload: unknown
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A broadcast that is sent with its original payload. */
export interface PlainBroadcast {
  readonly plain: Readonly<Record<string, unknown>> | Uint8Array
}

export type Broadcast = BroadcastMessage | PlainBroadcast

/** A client's binary broadcast, distinguished from JSON by its class. */
export class UserPush {
  readonly event: string
  readonly payload: unknown

  constructor(event: string, payload: unknown) {
    this.event = event
    this.payload = payload
  }
}

/** Thrown for a frame that violates the protocol. */
export class FrameError extends Error {
  override name = 'FrameError'
}

/** Deeper JSON could be parsed, but not always serialized again once wrapped for others. */
const DEEPEST = 1_000

export function parse(text: string): unknown {
  if (isDeeperThan(DEEPEST, Buffer.from(text))) throw new FrameError('A frame is nested too deeply.')
  try {
    return JSON.parse(text)
  } catch {
    throw new FrameError('A frame is not JSON.')
  }
}
