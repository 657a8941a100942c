// Writes a trace: one JSON line per record, in chronological order, gzipped as a whole.
import type { ReplayableTrace } from '../format/trace-source.ts'
import { packLines } from '../read/gzip.ts'
import { LineWriter } from './line-writer.ts'

/** Options of `encodeFile` and `encodeLines`. */
export interface EncodeOptions {
  /** False omits the steps; divergences are still detected by hash. */
  readonly steps?: boolean
}

/** Incremental writer of an ongoing recording. */
export interface LineEncoder {
  /**
   * Returns the lines since the last call; call it between two steps. If the recording restarted since then,
   * they are the first lines of a new file, starting with its header, and `began` has increased.
   */
  next(): string[]
  /** Returns the remaining lines, including the last line of a properly closed file. */
  end(): string[]
  /** Number of files started so far. */
  readonly began: number
}

/** Starts to write this trace from its first record; each call costs what was added since the last one. */
export function createLineEncoder(trace: ReplayableTrace, options: EncodeOptions = {}): LineEncoder {
  let writer: LineWriter | undefined
  let began = 0
  const current = () => {
    if (writer?.writes(trace)) return writer
    began += 1
    writer = new LineWriter(trace, options.steps !== false)
    return writer
  }
  return {
    next: () => [...current().rest()],
    end() {
      const writing = current()
      return [...writing.rest(), ...writing.end()]
    },
    get began() {
      return began
    },
  }
}

/** All lines of a file, the header first. */
export function* encodeLines(trace: ReplayableTrace, options: EncodeOptions = {}): Generator<string> {
  const writer = new LineWriter(trace, options.steps !== false, true)
  yield* writer.rest()
  yield* writer.end()
}

/** Characters of text per member of a packed file: small enough to unpack in a millisecond. */
export const MEMBER_TEXT = 2 ** 17

/** A whole file: gzipped lines, in members that can be unpacked individually. */
export async function encodeFile(
  trace: ReplayableTrace,
  options: EncodeOptions & { readonly onLine?: (line: string) => void } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const members: Promise<Uint8Array<ArrayBuffer>>[] = []
  let lines: string[] = []
  let length = 0
  const pack = async () => {
    members.push(packLines(lines))
    lines = []
    length = 0
    // Otherwise the entire text would be held in memory before it is packed.
    if (members.length % 8 === 0) await Promise.all(members)
  }
  for (const line of encodeLines(trace, options)) {
    options.onLine?.(line)
    lines.push(line)
    length += line.length
    if (length >= MEMBER_TEXT) await pack()
  }
  if (lines.length > 0) await pack()
  return new Uint8Array(await new Blob(await Promise.all(members)).arrayBuffer())
}
