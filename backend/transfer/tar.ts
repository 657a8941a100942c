// Reads the files of a tar stream, whatever their size.
import type { Piece } from '../shared/staged-import.ts'
import { ArchiveError, notAnExport } from './archive-error.ts'

const BLOCK = 512

/** @throws ArchiveError if the tar is cut short or contains anything but files */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  let rest: Uint8Array = new Uint8Array()
  let file: { readonly path: string; readonly size: number; at: number } | undefined
  let padding = 0
  let isEnded = false
  for await (const chunk of chunks) {
    // Data after the end is read too, because the checksum of the compression comes last.
    if (isEnded) continue
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
    while (!isEnded) {
      const skipped = Math.min(padding, rest.byteLength)
      padding -= skipped
      rest = rest.subarray(skipped)
      if (file) {
        const bytes = rest.subarray(0, file.size - file.at)
        if (bytes.byteLength === 0) break
        rest = rest.subarray(bytes.byteLength)
        yield { path: file.path, at: file.at, bytes }
        file.at += bytes.byteLength
        if (file.at === file.size) [file, padding] = [undefined, -file.size & (BLOCK - 1)]
      } else {
        if (rest.byteLength < BLOCK) break
        const { path, size } = readHeader(rest.subarray(0, BLOCK))
        rest = rest.subarray(BLOCK)
        if (path === '') isEnded = true
        else if (size === 0) yield { path, at: 0, bytes: new Uint8Array() }
        else file = { path, size, at: 0 }
      }
    }
  }
  if (file || padding > 0 || (!isEnded && rest.byteLength > 0))
    throw new ArchiveError('The file is damaged: it ends too early.')
}

function readHeader(header: Uint8Array): { path: string; size: number } {
  const field = (from: number, length: number) =>
    Buffer.from(header.subarray(from, from + length))
      .toString()
      .replace(/\0.*$/s, '')
      .trim()
  const path = field(0, 100)
  const [size, type] = [field(124, 12) || '0', field(156, 1) || '0']
  if (path !== '' && (!/^[0-7]+$/.test(size) || type !== '0')) throw notAnExport()
  return { path, size: path === '' ? 0 : Number.parseInt(size, 8) }
}
