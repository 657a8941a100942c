// The Phoenix wire formats 1.0.0 and 2.0.0, with the binary broadcast frames of the latter.
import { fieldOf } from '../fields.ts'

export type Version = '1.0.0' | '2.0.0'

export interface Frame {
  readonly joinRef: string | null
  readonly ref: string | null
  readonly topic: string
  readonly event: string
  readonly payload: unknown
}

export interface BroadcastMessage {
  readonly event: string
  /** JSON, or bytes for a binary broadcast. */
  readonly payload: unknown
}

/** Thrown for a frame that does not follow the protocol. */
class FrameError extends Error {
  override name = 'FrameError'
}

const PUSH_KIND = 3
const BROADCAST_KIND = 4
const BINARY = 0
const JSON_TEXT = 1
const LONGEST_FIELD = 255
const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** Reads a text frame of either version. */
export function decodeText(version: Version, text: string): Frame {
  const value = parse(text)
  const [joinRef, ref, topic, event, payload] = version === '2.0.0' ? asArray(value) : asFields(value)
  if (typeof topic !== 'string' || typeof event !== 'string')
    throw new FrameError('A frame needs a topic and an event.')
  return { joinRef: asRef(joinRef), ref: asRef(ref), topic, event, payload }
}

/** Reads a binary broadcast push (kind 3). */
export function decodeBinary(data: Uint8Array): Frame {
  if (data[0] !== PUSH_KIND) throw new FrameError(`Binary frames of kind ${data[0] ?? 'none'} are unknown.`)
  const sizes = data.subarray(1, 6)
  const encoding = data[6]
  let offset = 7
  const fields = Array.from(sizes, size => {
    const end = offset + size
    if (end > data.length) throw new FrameError('A binary frame ends too early.')
    const field = toText(data.subarray(offset, end))
    offset = end
    return field
  })
  const [joinRef = '', ref = '', topic = '', event = ''] = fields
  const body = data.slice(offset)
  const payload = encoding === JSON_TEXT ? parse(toText(body)) : body
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    payload: { type: 'broadcast', event, payload },
  }
}

export function encodeText(version: Version, frame: Frame): string {
  const { joinRef, ref, topic, event, payload } = frame
  return version === '2.0.0'
    ? JSON.stringify([joinRef, ref, topic, event, payload])
    : JSON.stringify({ topic, event, payload, ref, join_ref: joinRef })
}

/** Writes a broadcast as kind 4, or as text where the version or a long name asks for it; bytes cannot go as text. */
export function encodeBroadcast(
  version: Version,
  topic: string,
  message: BroadcastMessage,
): string | Uint8Array | undefined {
  const isBinary = message.payload instanceof Uint8Array
  const names = [encoder.encode(topic), encoder.encode(message.event)]
  if (version === '1.0.0' || names.some(name => name.length > LONGEST_FIELD)) {
    if (isBinary) return undefined
    return encodeText(version, {
      joinRef: null,
      ref: null,
      topic,
      event: 'broadcast',
      payload: { type: 'broadcast', ...message },
    })
  }
  const body =
    message.payload instanceof Uint8Array
      ? message.payload
      : encoder.encode(JSON.stringify(message.payload ?? null))
  const [topicBytes, eventBytes] = names
  const header = [
    BROADCAST_KIND,
    topicBytes?.length ?? 0,
    eventBytes?.length ?? 0,
    0,
    isBinary ? BINARY : JSON_TEXT,
  ]
  return Buffer.concat([Uint8Array.from(header), ...names, body])
}

function toText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new FrameError('A binary frame holds a name or JSON that is not UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FrameError('A frame is not JSON.')
  }
}

function asArray(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length !== 5)
    throw new FrameError('A frame of version 2.0.0 is an array of five.')
  return value
}

function asFields(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null)
    throw new FrameError('A frame of version 1.0.0 is an object.')
  return ['join_ref', 'ref', 'topic', 'event', 'payload'].map(name => fieldOf(value, name))
}

function asRef(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}
