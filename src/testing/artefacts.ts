// Writes the traces of failed tests to files.
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Maximum bytes of a file name taken from the test name; file systems allow 255 in total. */
const LONGEST = 120

/**
 * Returns a file name that is valid on every file system and identifies the test. A hash replaces what is cut
 * off.
 */
export function fileNameOf(names: readonly string[]): string {
  const text = names
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
  const plain = text
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

/** Writes the traces (the first file has no number) and returns their paths. */
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
