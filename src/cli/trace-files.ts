// Opening the traces that were named: from a file, or from the standard input when it is called `-`.
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { readTrace, type ReplayableTrace } from '../replay.ts'
import { reasonOf } from './usage.ts'

export type Opened =
  | { readonly kind: 'trace'; readonly trace: ReplayableTrace; readonly bytes: number }
  | { readonly kind: 'unusable'; readonly reason: string }

/** Reads one; whatever is wrong with it is told, never thrown. */
export async function openTrace(file: string): Promise<Opened> {
  let bytes: Uint8Array
  try {
    bytes = file === '-' ? await buffer(process.stdin) : await readFile(file)
  } catch (error) {
    return { kind: 'unusable', reason: `cannot be read: ${fileReason(error)}` }
  }
  const read = await readTrace(bytes)
  if (read.kind === 'unusable') return { kind: 'unusable', reason: read.message }
  return { kind: 'trace', trace: read.trace, bytes: bytes.length }
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
