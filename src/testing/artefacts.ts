// Traces of failed tests, left where they can be found.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Longest part of a file's name that comes from a test's; file systems take 255 bytes in all. */
const LONGEST = 120

/** A name that every file system takes, and that tells the test. */
export function fileNameOf(names: readonly string[]): string {
  const words = names
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/[^\w]+/g, '-')
  const plain = words
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '')
  return plain === '' ? 'test' : plain
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
