// Parses frames just enough for faults to match them, and damages them on request.
import type { RawData } from 'ws'
import { fieldOf, textOf } from '../shared/fields.ts'

/** A frame as sent over the wire. */
export type Wire = string | RawData

/** The fields that faults match; empty for unreadable frames. */
export interface Glance {
  readonly topic?: string
  readonly phoenix?: string
  readonly ref?: string
  /** The access token in a join or token update. */
  readonly token?: string
}

const PUSH_KIND = 3
const BROADCAST_KIND = 4

/** Parses text frames of both protocol versions, and binary broadcasts. */
export function glance(wire: Wire, isBinary: boolean): Glance {
  const bytes = toBuffer(wire)
  return isBinary ? glanceBinary(bytes) : glanceText(bytes.toString('utf8'))
}

function toBuffer(wire: Wire): Buffer {
  if (typeof wire === 'string') return Buffer.from(wire)
  if (Array.isArray(wire)) return Buffer.concat(wire)
  return wire instanceof ArrayBuffer ? Buffer.from(wire) : wire
}

function glanceText(text: string): Glance {
  const frame = parse(text)
  const isList = Array.isArray(frame)
  const [ref, topic, phoenix] = [
    isList ? fieldOf(frame, '1') : fieldOf(frame, 'ref'),
    isList ? fieldOf(frame, '2') : fieldOf(frame, 'topic'),
    isList ? fieldOf(frame, '3') : fieldOf(frame, 'event'),
  ]
  const token = textOf(isList ? fieldOf(frame, '4') : fieldOf(frame, 'payload'), 'access_token')
  return {
    ...(typeof topic === 'string' ? { topic } : {}),
    ...(typeof phoenix === 'string' ? { phoenix } : {}),
    ...(typeof ref === 'string' || typeof ref === 'number' ? { ref: String(ref) } : {}),
    ...(token === undefined ? {} : { token }),
  }
}

function glanceBinary(bytes: Buffer): Glance {
  const [kind = 0, a = 0, b = 0, c = 0] = bytes
  if (kind === PUSH_KIND) {
    const [start, end] = [7 + a + b, 7 + a + b + c]
    const ref = bytes.toString('utf8', 7 + a, start)
    return { topic: bytes.toString('utf8', start, end), phoenix: 'broadcast', ...(ref === '' ? {} : { ref }) }
  }
  return kind === BROADCAST_KIND ? { topic: bytes.toString('utf8', 5, 5 + a), phoenix: 'broadcast' } : {}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const HEADER_BYTES = 7

/** Damages the frame so that it cannot be parsed. */
export function garble(wire: Wire, isBinary: boolean): Wire {
  const bytes = Buffer.from(toBuffer(wire))
  if (isBinary) {
    for (let at = 0; at < Math.min(HEADER_BYTES, bytes.length); at += 1)
      bytes.writeUInt8(255 - bytes.readUInt8(at), at)
    return bytes
  }
  // JSON never contains a raw control character, at any position.
  const middle = Math.floor(bytes.length / 2)
  return Buffer.concat([bytes.subarray(0, middle), Buffer.from('\u0001'), bytes.subarray(middle)]).toString(
    'utf8',
  )
}

/** Truncates the frame. */
export function shorten(wire: Wire, isBinary: boolean, length: number): Wire {
  const bytes = toBuffer(wire).subarray(0, length)
  return isBinary ? bytes : bytes.toString('utf8')
}

/** Replaces the frame's access token. */
export function replaceToken(wire: Wire, token: string, by: string): Wire {
  return toBuffer(wire).toString('utf8').replaceAll(token, by)
}
