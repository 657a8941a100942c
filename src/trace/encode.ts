// Writing a trace: one JSON line per record, in the order in which things happened, gzipped outside.
import type { ReplayableTrace } from './format.ts'
import { packLines } from './gzip.ts'
import { LineWriter } from './line-writer.ts'

export { comparable, createRollingHash } from './rolling-hash.ts'

export interface EncodeOptions {
  /** False leaves the views out; the hashes still find a divergence. */
  readonly views?: boolean
}

/** Writes a recording that goes on, by and by. */
export interface LineEncoder {
  /**
   * The lines since the last call; to be asked between two steps. When the recording began anew since then, they
   * are the first lines of a new file, which begins with its header; `began` has grown then.
   */
  next(): string[]
  /** The remaining lines, and the last one of a file that was closed in order. */
  end(): string[]
  /** How many files were begun so far. */
  readonly began: number
}

/** Begins to write this trace, from its first record; it costs what was added since the last call. */
export function createLineEncoder(trace: ReplayableTrace, options: EncodeOptions = {}): LineEncoder {
  let writer: LineWriter | undefined
  let began = 0
  const current = () => {
    if (writer?.writes(trace)) return writer
    began += 1
    writer = new LineWriter(trace, options.views !== false)
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
  const writer = new LineWriter(trace, options.views !== false, true)
  yield* writer.rest()
  yield* writer.end()
}

/** Characters of text in one member of a packed file: small enough to be opened in a millisecond. */
export const MEMBER_TEXT = 2 ** 17

/** A whole file: gzipped lines, in members that can be opened one by one. */
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
    // Else all of the text would be held before any of it is packed.
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
