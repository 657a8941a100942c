// Opening the traces that were named: from a file, or from the standard input when it is called `-`.
import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { readTrace, type ByteInput, type ReplayableTrace } from '../replay.ts'
import { startProgress } from './progress.ts'
import { reasonOf } from './usage.ts'

export type Opened =
  | { readonly kind: 'trace'; readonly trace: ReplayableTrace; readonly bytes: number }
  | { readonly kind: 'unusable'; readonly reason: string }

/** Reads one; whatever is wrong with it is told, never thrown. */
export async function openTrace(file: string): Promise<Opened> {
  if (file === '-') return read(await buffer(process.stdin), 'the standard input')
  try {
    await using handle = await open(file)
    const stat = await handle.stat()
    if (!stat.isFile()) return await read(await handle.readFile(), file)
    const { size } = stat
    // Part by part: a large file need not lie in memory beside what is read from it.
    const part = async (from: number, to: number) => {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(to - from), 0, to - from, from)
      return buffer.subarray(0, bytesRead)
    }
    return await read({ size, read: part }, file)
  } catch (error) {
    return { kind: 'unusable', reason: `cannot be read: ${fileReason(error)}` }
  }
}

async function read(
  input: ByteInput & { readonly size?: number; readonly length?: number },
  name: string,
): Promise<Opened> {
  const progress = startProgress(`Reading ${name}`, '%')
  const onProgress = (share: number) => progress.at(Math.floor(share * 100))
  const found = await readTrace(input, { onProgress })
  progress.end()
  if (found.kind === 'unusable') return { kind: 'unusable', reason: found.message }
  return { kind: 'trace', trace: found.trace, bytes: input.size ?? input.length ?? 0 }
}

/** @throws Error that names the file, when it can't be used */
export async function needTrace(file: string): Promise<ReplayableTrace> {
  const opened = await openTrace(file)
  if (opened.kind === 'unusable') throw new Error(`${file}: ${opened.reason}`)
  return opened.trace
}

/** Why a file could not be read or written, in words. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'no such file'
  if (code === 'EISDIR') return 'it is a directory'
  if (code === 'EACCES') return 'permission denied'
  if (code === 'EEXIST') return 'it exists'
  return reasonOf(error)
}
