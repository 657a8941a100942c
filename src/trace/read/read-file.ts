// Reads a file from start to end in portions of lines, within limits.
import { type RecordReader, type Unusable, unusable } from './record-reader.ts'
import type { ByteSource } from './source.ts'
import { LineCutter, type Loss, type TextBatch } from './text-lines.ts'
import { unpackFile, type Unpack } from './unpack.ts'

/** Options for reading a trace file. */
export interface ReadOptions {
  /**
   * Maximum size after unpacking, in bytes. Defaults to 200 times the packed size, but at least 256 MiB, so
   * that memory stays in proportion to the input.
   */
  readonly maxBytes?: number
  /** Aborts the reading, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** The share of the file that was read, from 0 to 1. */
  readonly onProgress?: (share: number) => void
  /** Unpacks one member of a file; defaults to the platform's stream. Node's `gunzipSync` is faster. */
  readonly unpack?: Unpack
}

const LEAST_MAX_BYTES = 2 ** 28
const MOST_UNPACKED = 200

/** Passes all portions to the intake, and then to `also`; returns why the file cannot be used, if so. */
export async function readFile(
  source: ByteSource,
  reader: RecordReader,
  options: ReadOptions,
  also: (batch: TextBatch) => Promise<void> | void = () => undefined,
): Promise<Unusable | undefined> {
  const { signal, onProgress } = options
  const maxBytes = options.maxBytes ?? Math.max(LEAST_MAX_BYTES, MOST_UNPACKED * source.size)
  const cutter = new LineCutter()
  const take = async (parts: readonly (TextBatch | Loss)[]) => {
    for (const part of parts) {
      const wrong = reader.take(part)
      if (wrong) return wrong
      if (part.kind === 'lines') await also(part)
    }
    return undefined
  }
  let isFirst = true
  for await (const piece of unpackFile(source, options.unpack)) {
    signal?.throwIfAborted()
    if (isFirst && piece.kind === 'text' && isUtf16(piece.bytes))
      return unusable('notATrace', 'not a trace: the file is UTF-16, and a trace is UTF-8')
    isFirst = false
    const wrong = await take(cutter.take(piece))
    if (wrong) return wrong
    if (reader.isHopeless) break
    if (cutter.size > maxBytes)
      return unusable('tooLarge', `unpacks to more than ${maxBytes} bytes; it is not read`)
    if (piece.kind === 'text') onProgress?.(piece.until / source.size)
  }
  return (await take(cutter.end())) ?? reader.end(cutter.last)
}

function isUtf16([a, b]: Uint8Array): boolean {
  return (
    (a === 0xff && b === 0xfe) ||
    (a === 0xfe && b === 0xff) ||
    (a === 0x7b && b === 0) ||
    (a === 0 && b === 0x7b)
  )
}
