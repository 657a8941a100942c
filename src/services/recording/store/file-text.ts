// The text of a segment file: chunks of lines, the last of which may be incomplete.
import type { Buffer } from 'node:buffer'

/** Marks the end of a chunk, after the line break of its last line. */
const CHUNK_END = '\n'

/** Formats lines that are appended in one write. */
export const chunkOf = (text: string): string => `${text}${CHUNK_END}`

/** Returns the complete chunks. After a power failure, the file may end in zeros. */
export function soundChunks(bytes: Buffer): Buffer {
  const zero = bytes.indexOf(0)
  const written = zero < 0 ? bytes : bytes.subarray(0, zero)
  const end = written.lastIndexOf(`\n${CHUNK_END}`)
  return written.subarray(0, end < 0 ? 0 : end + 2)
}

/** Counts the lines of a kind. */
export function countLines(text: Buffer, line: string): number {
  let [found, at] = [0, -1]
  const begin = `{"line":"${line}"`
  while ((at = text.indexOf(begin, at + 1)) >= 0) if (at === 0 || text[at - 1] === 0x0a) found += 1
  return found
}

/** Time of the last step in milliseconds. */
export function lastTime(text: Buffer): number {
  const line = text.subarray(text.lastIndexOf('\n{"line":"step"') + 1).toString('utf8')
  return Number(/"t":([\d.]+)/.exec(line)?.[1] ?? 0)
}
