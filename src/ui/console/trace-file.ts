// Opening a trace file: its size is checked, its bytes are read, and what is wrong is said plainly.
import { readTrace } from '../../trace/decode.ts'
import type { TraceSource } from '../../trace/format.ts'
import { byteSize, messageOf } from './text.ts'

/** Packed size above which a file is not even read; unpacked it would not fit a browser tab. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** A file that was read. */
export interface OpenedFile {
  readonly name: string
  readonly source: TraceSource
}

export type OpenResult =
  | { readonly kind: 'opened'; readonly file: OpenedFile }
  | { readonly kind: 'refused'; readonly name: string; readonly message: string }

/** Reads a file; never rejects. */
export async function openTraceFile(file: File): Promise<OpenResult> {
  const refused = (message: string): OpenResult => ({ kind: 'refused', name: file.name, message })
  if (file.size > MAX_FILE_BYTES) {
    return refused(
      `${byteSize(file.size)} is too large: at most ${byteSize(MAX_FILE_BYTES)} can be opened here.`,
    )
  }
  try {
    const result = await readTrace(new Uint8Array(await file.arrayBuffer()))
    if (result.kind === 'unusable') return refused(`${capital(result.message)}.`)
    return { kind: 'opened', file: { name: file.name, source: result.trace } }
  } catch (error) {
    return refused(`The file could not be read: ${messageOf(error)}`)
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
