// Finds out whether a file unpacks to more than is read, before anything in it is parsed.
import { isGzip, MEMBER_HEAD, readHead, unpackStream } from './gzip.ts'
import { type ByteSource, Window } from './unpack.ts'

/** The most that is read of a file. */
export interface ReadLimits {
  readonly bytes: number
  readonly lines: number
}

/** Returns why a file is not read, as a text; undefined if it is within the limits as far as is known. */
export function excessOf({ bytes, lines }: ReadLimits, limits: ReadLimits): string | undefined {
  if (bytes > limits.bytes) return `unpacks to more than ${limits.bytes} bytes; it is not read`
  if (lines > limits.lines) return `contains more than ${limits.lines} lines; it is not read`
  return undefined
}

/** Files that are at most this large when unpacked are not examined: reading them takes some seconds. */
const SMALL = 2 ** 27

/** The last bytes of other tools' gzip: the size of the text, if the file is complete. */
const TRAILER = 4

const BLOCK = 2 ** 20

/** Returns the size of a large file: as declared by our members, or else counted up to the limits. */
export async function measureFile(source: ByteSource, limits: ReadLimits): Promise<ReadLimits> {
  const start = await source.read(0, Math.min(MEMBER_HEAD, source.size))
  if (readHead(start)) return declaredByMembers(source)
  if (!isGzip(start)) return source.size > SMALL ? count(blocks(source), limits) : NOTHING
  const end = await source.read(Math.max(0, source.size - TRAILER), source.size)
  const text = end.length === TRAILER ? new DataView(end.buffer, end.byteOffset).getUint32(0, true) : 0
  return text > Math.min(SMALL, limits.bytes) ? count(unpackStream(blocks(source)), limits) : NOTHING
}

const NOTHING: ReadLimits = { bytes: 0, lines: 0 }

async function declaredByMembers(source: ByteSource): Promise<ReadLimits> {
  const window = new Window(source)
  let [bytes, lines, at] = [0, 0, 0]
  for (;;) {
    const head = readHead(await window.read(at, MEMBER_HEAD))
    if (!head || at + head.size > source.size) return { bytes, lines }
    bytes += head.text
    lines += head.lines
    at += head.size
  }
}

async function count(parts: AsyncIterable<Uint8Array>, limits: ReadLimits): Promise<ReadLimits> {
  let [bytes, lines] = [0, 0]
  try {
    for await (const part of parts) {
      bytes += part.length
      for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines += 1
      if (excessOf({ bytes, lines }, limits) !== undefined) break
    }
  } catch {
    // Damage is reported when the file is read.
  }
  return { bytes, lines }
}

async function* blocks(source: ByteSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < source.size; from += BLOCK)
    yield source.read(from, Math.min(from + BLOCK, source.size))
}
