// Binary frames: Phoenix's own push and broadcast, and version 2.0.0 broadcasts with event and meta.
import { FrameError, parse, UserPush, type BroadcastMessage, type Frame } from './frames.ts'

const KINDS = { push: 0, broadcast: 2, userPush: 3, userBroadcast: 4 }
const BINARY = 0
const JSON_TEXT = 1
const LONGEST_FIELD = 255
const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** Decodes a binary frame: a Phoenix push (kind 0) or a broadcast (kind 3). */
export function decodeBinary(data: Uint8Array): Frame {
  if (data[0] === KINDS.push) return decodePush(data)
  if (data[0] === KINDS.userPush) return decodeUserPush(data)
  throw new FrameError(`Binary frames of kind ${data[0] ?? 'none'} are unknown.`)
}

function decodePush(data: Uint8Array): Frame {
  const { names, rest } = splitFields(data, 1, 4)
  const [joinRef = '', ref = '', topic = '', event = ''] = names
  return { joinRef: joinRef || null, ref: ref || null, topic, event, payload: rest }
}

function decodeUserPush(data: Uint8Array): Frame {
  const { names, rest } = splitFields(data, 1, 5, 1)
  const [joinRef = '', ref = '', topic = '', event = '', meta = ''] = names
  // The meta is for servers that store messages; it must still be valid JSON.
  if (meta !== '') parse(meta)
  const payload = data[6] === BINARY ? rest : parse(toText(rest))
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    payload: new UserPush(event, payload),
  }
}

/** Reads `count` strings whose sizes start at `at`; `between` bytes of other data follow the sizes. */
function splitFields(data: Uint8Array, at: number, count: number, between = 0) {
  let offset = at + count + between
  if (offset > data.length) throw new FrameError('A binary frame ends too early.')
  const names = Array.from(data.subarray(at, at + count), size => {
    const end = offset + size
    if (end > data.length) throw new FrameError('A binary frame ends too early.')
    const name = toText(data.subarray(offset, end))
    offset = end
    return name
  })
  return { names, rest: data.slice(offset) }
}

/** Encodes a broadcast as kind 4; `undefined` if a name or the meta is too long for it. */
export function encodeUserBroadcast(topic: string, message: BroadcastMessage): Uint8Array | undefined {
  const isBinary = message.payload instanceof Uint8Array
  const meta = message.meta ? JSON.stringify(message.meta) : ''
  const fields = [topic, message.event, meta].map(text => encoder.encode(text))
  if (fields.some(field => field.length > LONGEST_FIELD)) return undefined
  const body =
    message.payload instanceof Uint8Array
      ? message.payload
      : encoder.encode(JSON.stringify(message.payload ?? null))
  const sizes = fields.map(field => field.length)
  const header = [KINDS.userBroadcast, ...sizes, isBinary ? BINARY : JSON_TEXT]
  return Buffer.concat([Uint8Array.from(header), ...fields, body])
}

/** Encodes bytes pushed by a Phoenix client as its broadcast (kind 2). */
export function encodePlain(topic: string, data: Uint8Array): Uint8Array | undefined {
  const fields = [topic, 'broadcast'].map(text => encoder.encode(text))
  if (fields.some(field => field.length > LONGEST_FIELD)) return undefined
  const header = [KINDS.broadcast, ...fields.map(field => field.length)]
  return Buffer.concat([Uint8Array.from(header), ...fields, data])
}

function toText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new FrameError('A binary frame contains a name or JSON that is not UTF-8.')
  }
}
