// The Phoenix wire formats 1.0.0 and 2.0.0: encodes and decodes text frames, delegates binary ones.
import { encodePlain, encodeUserBroadcast } from './binary-frames.ts'
import { FrameError, parse, type Broadcast, type Frame, type Ref, type Version } from './frames.ts'
import { fieldOf } from '../shared/fields.ts'

/** What topics begin with on the wire. */
export const TOPIC_PREFIX = 'realtime:'

/** Selects the requested version; absent means the first, `undefined` an unsupported one. */
export function readVersion(vsn: string | null): Version | undefined {
  if (vsn === null || /^1\.0\.\d+$/.test(vsn)) return '1.0.0'
  return /^2\.0\.\d+$/.test(vsn) ? '2.0.0' : undefined
}

/** Decodes a text frame of either version. */
export function decodeText(version: Version, text: string): Frame {
  const value = parse(text)
  const [joinRef, ref, topic, event, payload] = version === '2.0.0' ? asArray(value) : asFields(value)
  if (typeof topic !== 'string' || typeof event !== 'string')
    throw new FrameError('A frame needs a topic and an event.')
  return { joinRef: asRef(joinRef), ref: asRef(ref), topic, event, payload }
}

export function encodeText(version: Version, { joinRef, ref, topic, event, payload }: Frame): string {
  return version === '2.0.0'
    ? JSON.stringify([joinRef, ref, topic, event, payload])
    : JSON.stringify({ topic, event, payload, ref })
}

/**
 * Encodes a broadcast; `undefined` if the version cannot carry it: bytes in 1.0.0, or names that are too
 * long.
 */
export function encodeBroadcast(
  version: Version,
  topic: string,
  message: Broadcast,
): string | Uint8Array | undefined {
  if ('plain' in message) {
    if (!(message.plain instanceof Uint8Array)) return broadcastText(version, topic, message.plain)
    return version === '1.0.0' ? undefined : encodePlain(topic, message.plain)
  }
  const binary = version === '1.0.0' ? undefined : encodeUserBroadcast(topic, message)
  if (binary || message.payload instanceof Uint8Array) return binary
  return broadcastText(version, topic, { type: 'broadcast', ...message })
}

function broadcastText(version: Version, topic: string, payload: object): string {
  return encodeText(version, { joinRef: null, ref: null, topic, event: 'broadcast', payload })
}

function asArray(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length < 5)
    throw new FrameError('A frame of version 2.0.0 is an array of five.')
  return value
}

function asFields(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || !('ref' in value) || !('payload' in value))
    throw new FrameError('A frame of version 1.0.0 is an object with topic, event, payload and ref.')
  return ['join_ref', 'ref', 'topic', 'event', 'payload'].map(name => fieldOf(value, name))
}

function asRef(value: unknown): Ref {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
