// Reads a file's bytes from memory, a browser's file or a custom source, and unpacks them to pieces of text:
// in any supported packing, and even if damaged.
import { isGzip, MEMBER_HEAD, type MemberHead, readHead, unpackMember, unpackStream } from './gzip.ts'

/** Bytes that can be read in parts. */
export interface ByteSource {
  readonly size: number
  /** The bytes from `from` up to, but not including, `to`; both are within the size. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>
}

/** Input types for reading a trace. A `File` is a `Blob` and stays on disk. */
export type ByteInput = Uint8Array | Blob | ByteSource

/** Creates a source from the input. */
export function sourceOf(input: ByteInput): ByteSource {
  if (input instanceof Blob) {
    const read = async (from: number, to: number) => new Uint8Array(await input.slice(from, to).arrayBuffer())
    return { size: input.size, read }
  }
  if (!(input instanceof Uint8Array)) return input
  const bytes = input.buffer instanceof ArrayBuffer ? (input as Uint8Array<ArrayBuffer>) : input.slice()
  return { size: bytes.length, read: (from, to) => Promise.resolve(bytes.subarray(from, to)) }
}

/** Read size: large enough to make the overhead negligible, small compared with the memory in use. */
const BLOCK = 2 ** 20

/** Reads forward in a source in large blocks. */
export class Window {
  readonly #source: ByteSource
  #from = 0
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array()

  constructor(source: ByteSource) {
    this.#source = source
  }

  /** Returns the bytes from `from` on: `size` bytes, or fewer at the end. */
  async read(from: number, size: number): Promise<Uint8Array<ArrayBuffer>> {
    const end = Math.min(from + size, this.#source.size)
    if (from < this.#from || end > this.#from + this.#bytes.length) {
      this.#bytes = await this.#source.read(from, Math.min(from + Math.max(size, BLOCK), this.#source.size))
      this.#from = from
    }
    return this.#bytes.subarray(from - this.#from, end - this.#from)
  }
}

/** The location of a part of the text in the file, so that it can be read again separately. */
export interface Place {
  readonly packed: boolean
  readonly from: number
  readonly to: number
}

export type Piece =
  /**
   * Some bytes of the text; with a place if exactly this text is there. `until` is the position in the file
   * up to which it was read.
   */
  | {
      readonly kind: 'text'
      readonly bytes: Uint8Array
      readonly until: number
      readonly place?: Place
    }
  /** An unreadable part with at most this many lines. */
  | { readonly kind: 'lost'; readonly message: string; readonly lines: number }

/** Unpacks one member; throws or rejects if it is damaged. */
export type Unpack = (member: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>

/** Number of members unpacked ahead while others are read. */
const AHEAD = 4

const STREAM_PIECE = 4096
const PLAIN_PIECE = 2 ** 17

/** All pieces of a file in order. */
export async function* unpackFile(source: ByteSource, unpack: Unpack = unpackMember): AsyncGenerator<Piece> {
  const start = await source.read(0, Math.min(2, source.size))
  if (isGzip(start)) yield* unpackMembers(source, unpack)
  else yield* plainPieces(source)
}

async function* plainPieces(source: ByteSource): AsyncGenerator<Piece> {
  for (let from = 0; from < source.size; from += PLAIN_PIECE) {
    const to = Math.min(from + PLAIN_PIECE, source.size)
    const bytes = await source.read(from, to)
    yield { kind: 'text', bytes, until: to, place: { packed: false, from, to } }
  }
}

interface Member {
  readonly from: number
  readonly head: MemberHead
  /** Undefined if it is damaged. */
  readonly text: Promise<Uint8Array | undefined>
}

async function* unpackMembers(source: ByteSource, unpack: Unpack): AsyncGenerator<Piece> {
  const window = new Window(source)
  let ahead: Member[] = []
  let at = 0
  while (at < source.size || ahead.length > 0) {
    const head = ahead.length < AHEAD ? readHead(await window.read(at, MEMBER_HEAD)) : undefined
    if (head && at + head.size <= source.size) {
      const text = opened(unpack, await window.read(at, head.size))
      ahead.push({ from: at, head, text })
      at += head.size
      continue
    }
    const next = ahead.shift()
    const bytes = await next?.text
    if (next && bytes) {
      const place = { packed: true, from: next.from, to: next.from + next.head.size }
      yield { kind: 'text', bytes, until: place.to, place }
      continue
    }
    // Its size may be the damaged part, so the assumed positions of later members are unreliable.
    const from = next?.from ?? at
    ahead = []
    at = yield* unpackOdd(source, from)
  }
}

/** Undefined if it is damaged. */
async function opened(unpack: Unpack, member: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  try {
    return await unpack(member)
  } catch {
    return undefined
  }
}

/** Anything that is not a valid member of ours: other gzip, a truncated member, or no gzip at all. */
async function* unpackOdd(source: ByteSource, from: number): AsyncGenerator<Piece, number> {
  const start = await source.read(from, Math.min(from + MEMBER_HEAD, source.size))
  const head = readHead(start)
  const to = await (!head && isGzip(start) ? endOfForeign(source, from) : findHead(source, from + 1, isOurs))
  let lines = 0
  try {
    if (!isGzip(start)) throw new TypeError('not gzip')
    for await (const bytes of unpackStream(pieces(source, from, to))) {
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
      yield { kind: 'text', bytes, until: to }
    }
    return to
  } catch {
    const message =
      to < source.size
        ? 'a part of the file is damaged: it could not be unpacked'
        : 'the file is truncated or damaged: it could not be unpacked completely'
    yield { kind: 'lost', message, lines: Math.max(1, (head?.lines ?? to - from) - lines) }
    return to
  }
}

async function* pieces(source: ByteSource, start: number, end: number) {
  for (let from = start; from < end; from += STREAM_PIECE)
    yield source.read(from, Math.min(from + STREAM_PIECE, end))
}

type IsHead = (bytes: Uint8Array, at: number) => boolean

const isOurs: IsHead = (bytes, at) => readHead(bytes, at) !== undefined

/** It has a known method and known flags. */
const isAny: IsHead = (bytes, at) =>
  bytes[at + 1] === 0x8b && bytes[at + 2] === 8 && (bytes[at + 3] ?? 0xff) < 0x20

/** Maximum number of tries with bytes that look like another member; few files have any. */
const TRIES = 8

/**
 * Finds the end of another tool's member. A platform's stream takes one member, and does not report its
 * length.
 */
async function endOfForeign(source: ByteSource, from: number): Promise<number> {
  let to = await findHead(source, from + 1, isAny)
  for (let left = TRIES; left > 0 && to < source.size; left--) {
    if (await isWhole(source, from, to)) return to
    to = await findHead(source, to + 1, isAny)
  }
  return source.size
}

async function isWhole(source: ByteSource, from: number, to: number): Promise<boolean> {
  const parts = unpackStream(pieces(source, from, to))
  try {
    for (let next = await parts.next(); next.done !== true;) next = await parts.next()
    return true
  } catch {
    return false
  }
}

/** The start of the next member, or the end of the file. */
async function findHead(source: ByteSource, start: number, isHead: IsHead): Promise<number> {
  for (let from = start; from < source.size; from += PLAIN_PIECE) {
    const bytes = await source.read(from, Math.min(from + PLAIN_PIECE + MEMBER_HEAD, source.size))
    for (let at = bytes.indexOf(0x1f); at >= 0; at = bytes.indexOf(0x1f, at + 1))
      if (isHead(bytes, at)) return from + at
  }
  return source.size
}
