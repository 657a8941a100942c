// The text of a segment in a file: chunks of lines, of which the last one may be torn.
import type { Buffer } from 'node:buffer'

/** Ends a chunk, after the break of its last line. */
const CHUNK_END = '\n'

/** Lines as they are appended at once. */
export const chunkOf = (text: string): string => `${text}${CHUNK_END}`

/** The whole chunks; a disk that lost its power may have left zeros behind them. */
export function soundChunks(bytes: Buffer): Buffer {
  const zero = bytes.indexOf(0)
  const written = zero < 0 ? bytes : bytes.subarray(0, zero)
  const end = written.lastIndexOf(`\n${CHUNK_END}`)
  return written.subarray(0, end < 0 ? 0 : end + 2)
}

/** How many lines of a kind there are. */
export function countLines(text: Buffer, line: string): number {
  let [found, at] = [0, -1]
  const begin = `{"line":"${line}"`
  while ((at = text.indexOf(begin, at + 1)) >= 0) if (at === 0 || text[at - 1] === 0x0a) found += 1
  return found
}

/** Milliseconds of the last view. */
export function lastTime(text: Buffer): number {
  const line = text.subarray(text.lastIndexOf('\n{"line":"view"') + 1).toString('utf8')
  return Number(/"t":([\d.]+)/.exec(line)?.[1] ?? 0)
}
