// What travels on a realtime socket, in the terms of this server.
import { isDeeperThan } from '../gateway/json-depth.ts'

export type Version = '1.0.0' | '2.0.0'

/** Given by the client and handed back as it came. */
export type Ref = string | number | null

export interface Frame {
  readonly joinRef: Ref
  readonly ref: Ref
  readonly topic: string
  readonly event: string
  /** JSON, bytes, or a `UserPush` where it came as a binary broadcast. */
  readonly payload: unknown
}

/** A broadcast's own event and payload; binary on the wire where the version can. */
export interface BroadcastMessage {
  readonly event: string
  /** JSON, or bytes for a binary broadcast. */
  readonly payload: unknown
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A broadcast that goes out as the payload that came in. */
export interface PlainBroadcast {
  readonly plain: Readonly<Record<string, unknown>> | Uint8Array
}

export type Broadcast = BroadcastMessage | PlainBroadcast

/** The binary broadcast of a client, told apart from JSON by its class. */
export class UserPush {
  readonly event: string
  readonly payload: unknown

  constructor(event: string, payload: unknown) {
    this.event = event
    this.payload = payload
  }
}

/** Thrown for a frame that does not follow the protocol. */
export class FrameError extends Error {
  override name = 'FrameError'
}

/** What is deeper could be read, but not always written again, where it is wrapped for others. */
const DEEPEST = 1_000

export function parse(text: string): unknown {
  if (isDeeperThan(DEEPEST, Buffer.from(text))) throw new FrameError('A frame is nested too deeply.')
  try {
    return JSON.parse(text)
  } catch {
    throw new FrameError('A frame is not JSON.')
  }
}
