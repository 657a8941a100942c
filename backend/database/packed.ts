// A folder in one file, which is read in a fraction of the time that its thousand files take.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** A folder, or a file whose bytes after these are zero up to its size. */
export interface PackedEntry {
  /** Below the folder, with slashes; a folder comes before its files. */
  readonly path: string
  readonly mode: number
  readonly content?: { readonly bytes: Uint8Array; readonly size: number }
}

/** What the file begins with: the length of this list as JSON in four bytes, and the list. */
type Header = readonly (readonly [path: string, mode: number, length?: number, size?: number])[]

const LENGTH_BYTES = 4

/** Writes a folder into a file. */
export function packFolder(folder: string, file: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const header: Header[number][] = []
  const contents: Uint8Array[] = []
  for (const name of names) {
    const at = join(folder, name)
    const path = name.split(sep).join('/')
    const entry = statSync(at)
    if (entry.isDirectory()) header.push([path, entry.mode])
    else {
      const bytes = withoutZeros(readFileSync(at))
      header.push([path, entry.mode, bytes.length, entry.size])
      contents.push(bytes)
    }
  }
  const head = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(head.length)
  writeFileSync(file, Buffer.concat([length, head, ...contents]))
}

/** The entries of a packed folder; their bytes are parts of one buffer. */
export function readPacked(file: string): readonly PackedEntry[] {
  const archive = readFileSync(file)
  let at = LENGTH_BYTES + archive.readUInt32LE()
  const header = JSON.parse(archive.toString('utf8', LENGTH_BYTES, at)) as Header
  return header.map(([path, mode, length, size]) => {
    if (length === undefined || size === undefined) return { path, mode }
    return { path, mode, content: { bytes: archive.subarray(at, (at += length)), size } }
  })
}

/** Writes a packed folder to disk, with the zeros, so that their space is reserved. */
export function unpackFolder(file: string, folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  for (const { path, mode, content } of readPacked(file)) {
    const at = join(folder, path)
    if (content) writeFileSync(at, Buffer.concat([content.bytes], content.size), { mode })
    else mkdirSync(at, { mode })
  }
}

/** Most of a log file is empty. */
function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}
