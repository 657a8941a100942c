// Gzip in members: a file is ordinary gzip, but each member can be located and unpacked separately.

/**
 * A member begins with gzip's header and our extra field, `CT`: the member's size in bytes, the size of its
 * text in bytes, and its number of lines, each as 32 bits, little-endian.
 */
const HEAD = 10
const EXTRA = 2 + 4 + 12
export const MEMBER_HEAD = HEAD + EXTRA

/** The header fields of a member. */
export interface MemberHead {
  /** Bytes of the whole member. */
  readonly size: number
  /** Bytes of its text. */
  readonly text: number
  readonly lines: number
}

/** Packs whole lines, given without line breaks, as one member. Consecutive members form a file. */
export async function packLines(lines: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  return packMember(new TextEncoder().encode(`${lines.join('\n')}\n`), lines.length)
}

/** Packs a text with this many whole lines as one member. */
export async function packMember(
  text: Uint8Array<ArrayBuffer>,
  lines: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await through(text, new CompressionStream('gzip'))
  const member = new Uint8Array(packed.length + EXTRA)
  const view = new DataView(member.buffer)
  member.set(packed.subarray(0, HEAD))
  // FEXTRA: the rest of the header is unchanged from the platform.
  member[3] = 4
  view.setUint16(HEAD, EXTRA - 2, true)
  member.set([0x43, 0x54, 12, 0], HEAD + 2)
  for (const [at, number] of [member.length, text.length, lines].entries())
    view.setUint32(HEAD + 6 + at * 4, number, true)
  member.set(packed.subarray(HEAD), MEMBER_HEAD)
  return member
}

/** Reads the header of one of our members at this position; undefined if there is none. */
export function readHead(bytes: Uint8Array, at = 0): MemberHead | undefined {
  if (!isHead(bytes, at)) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, MEMBER_HEAD)
  const number = (index: number) => view.getUint32(HEAD + 6 + index * 4, true)
  const head = { size: number(0), text: number(1), lines: number(2) }
  return head.size > MEMBER_HEAD ? head : undefined
}

const MARKS = [
  [0, 0x1f],
  [1, 0x8b],
  [2, 8],
  [3, 4],
  [10, EXTRA - 2],
  [11, 0],
  [12, 0x43],
  [13, 0x54],
  [14, 12],
  [15, 0],
] as const

function isHead(bytes: Uint8Array, at: number): boolean {
  return at + MEMBER_HEAD <= bytes.length && MARKS.every(([offset, byte]) => bytes[at + offset] === byte)
}

/** Whether bytes are gzip of any kind. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Larger texts were not written by us: a member contains some lines, or a single long one. */
const MAX_TEXT = 2 ** 25

/** Unpacks the text of one member. Throws if it is damaged. */
export function unpackMember(member: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(member, new DecompressionStream('gzip'))
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  { readable, writable }: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = writable.getWriter()
  // The reader gets the same errors.
  writer.write(bytes).catch(() => undefined)
  writer.close().catch(() => undefined)
  const reader = readable.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value)
    size += next.value.length
    if (size <= MAX_TEXT) continue
    await reader.cancel()
    throw new RangeError('the member is too large')
  }
  return join(parts, size)
}

/**
 * Unpacks gzip of any kind piece by piece; data before a damaged position is returned before the error is
 * thrown.
 */
export async function* unpackStream(
  packed: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new DecompressionStream('gzip')
  void feed(writable.getWriter(), packed)
  const reader = readable.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Never rejects: the reader gets the same errors, and reports them. */
async function feed(
  writer: WritableStreamDefaultWriter<BufferSource>,
  packed: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<void> {
  const nothing = () => undefined
  const ended = writer.closed.then(nothing, nothing).then(() => true)
  try {
    for await (const piece of packed) {
      writer.write(piece).catch(nothing)
      const isOver = await Promise.race([ended, writer.ready.then(() => false)])
      if (isOver) return
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(nothing)
  }
}

/** Concatenates several pieces. */
export function join(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
