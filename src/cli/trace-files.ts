// Opening the traces that were named: from a file, or from the standard input when it is called `-`.
import { open } from 'node:fs/promises'
import { deriveViews, readTrace } from '../replay.ts'
import type { ByteInput, ReplayableTrace, SystemRegistry } from '../replay.ts'
import { startProgress } from './progress.ts'
import { reasonOf } from './usage.ts'

export type Opened =
  | { readonly kind: 'trace'; readonly trace: ReplayableTrace; readonly bytes: number }
  | { readonly kind: 'unusable'; readonly reason: string }

/**
 * Reads one; whatever is wrong with it is told, never thrown. Where the systems are told, a trace that was recorded
 * without views has them: a replay derives them.
 */
export async function openTrace(file: string, systems?: SystemRegistry): Promise<Opened> {
  const opened = await openAsRecorded(file)
  if (opened.kind === 'unusable' || !systems) return opened
  const progress = startProgress(`Deriving the steps of ${file}`, 'stimuli')
  const derived = deriveViews(opened.trace, systems, { onProgress: progress.at })
  progress.end()
  if (derived.kind === 'unusable') return { kind: 'unusable', reason: derived.message }
  return { ...opened, trace: derived.trace }
}

async function openAsRecorded(file: string): Promise<Opened> {
  try {
    if (file === '-') return await read(await collected(process.stdin), 'the standard input')
    await using handle = await open(file)
    const stat = await handle.stat()
    if (stat.isDirectory()) return { kind: 'unusable', reason: 'cannot be read: it is a directory' }
    if (!stat.isFile()) return await read(await collected(handle.createReadStream()), file)
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

/** What comes from a pipe has to lie in memory, and may never end. */
const MOST = 512 * 2 ** 20

/** All that comes. @throws Error when it is more than can be held */
export async function collected(stream: AsyncIterable<Uint8Array>, most = MOST): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > most) throw new Error(`more than ${most.toLocaleString('en')} bytes came; name a file instead`)
    parts.push(part)
  }
  return Buffer.concat(parts)
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
export async function needTrace(file: string, systems?: SystemRegistry): Promise<ReplayableTrace> {
  const opened = await openTrace(file, systems)
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
