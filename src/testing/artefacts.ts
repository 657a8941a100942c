// Traces of failed tests, left where they can be found.
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Most bytes of a file's name that come from a test's; file systems take 255 in all. */
const LONGEST = 120

/** A name that every file system takes, and that tells the test; what is cut off still tells tests apart. */
export function fileNameOf(names: readonly string[]): string {
  const words = names
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
  const plain = words
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
    .normalize('NFC')
  if (plain === '') return 'test'
  if (Buffer.byteLength(plain) <= LONGEST) return plain
  let short = ''
  for (const letter of plain) {
    if (Buffer.byteLength(short + letter) > LONGEST) break
    short += letter
  }
  const rest = createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 8)
  return `${short.replace(/(?<!-)-+$/, '')}-${rest}`
}

/** Writes the traces, the first without a number; gives their paths. */
export async function leaveTraces(
  folder: string,
  name: string,
  traces: readonly Uint8Array[],
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const paths = traces.map((_, at) => join(folder, `${name}${at === 0 ? '' : `-${at + 1}`}.trace.gz`))
  await Promise.all(traces.map((bytes, at) => writeFile(paths[at] ?? folder, bytes)))
  return paths
}
