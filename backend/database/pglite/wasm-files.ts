// PostgreSQL's files, inside its WASM memory.
import type { PGlite } from '@electric-sql/pglite'
import { isDiskFull } from '../../shared/unavailable.ts'
import type { PackedEntry } from '../packed.ts'

/** The used part of Emscripten's file system; PGlite publishes no types for it. */
export interface WasmFiles {
  mkdirTree(path: string): void
  /** With `canOwn` the bytes are not copied. */
  writeFile(path: string, bytes: Uint8Array, options?: { readonly canOwn?: boolean }): void
  readdir(path: string): string[]
  /** Copies the bytes. */
  readFile(path: string): Uint8Array
  stat(path: string): { readonly mode: number }
  isDir(mode: number): boolean
  close(stream: object): void
  readonly streams: readonly (object | null | undefined)[]
  lookupPath(path: string): { readonly node: object }
  readonly filesystems: {
    readonly NODEFS: { tryFSOperation(operation: () => unknown): unknown }
    readonly MEMFS: {
      /** Adds it to its folder. */
      createNode(folder: object, name: string, mode: number, device: number): MemoryFile
      readonly ops_table: { readonly file: { readonly stream: MemoryStream } }
    }
  }
}

interface MemoryFile {
  /** Null if it is empty. */
  contents: Uint8Array | null
  usedBytes: number
}

/** How all files in memory are written. */
interface MemoryStream {
  write(stream: { readonly node: MemoryFile }, ...rest: unknown[]): number
}

export function filesOf(driver: PGlite): WasmFiles {
  return driver.Module.FS as WasmFiles
}

/**
 * Fills a folder in memory. Engines share the bytes of a file until they write to it: most files, such as those of
 * template databases, are never written.
 */
export function shareFiles(files: WasmFiles, entries: readonly PackedEntry[], root: string): void {
  const { MEMFS } = files.filesystems
  files.mkdirTree(root)
  const folders = new Map([['', files.lookupPath(root).node]])
  const shared = new Set<ArrayBufferLike>()
  for (const { path, mode, content } of entries) {
    const end = path.lastIndexOf('/')
    const folder = folders.get(path.slice(0, Math.max(0, end)))
    if (!folder) throw new Error(`The packed folder has no entry for the folder of ${path}.`)
    const node = MEMFS.createNode(folder, path.slice(end + 1), mode, 0)
    if (!content) folders.set(path, node)
    else if (content.size > 0) {
      const { bytes, size } = content
      shared.add(bytes.buffer)
      node.contents = size > bytes.length ? withZeros(bytes, size) : bytes
      node.usedBytes = size
    }
  }
  const { stream } = MEMFS.ops_table.file
  const { write } = stream
  stream.write = (opened, ...rest) => {
    const { node } = opened
    if (node.contents && shared.has(node.contents.buffer)) node.contents = new Uint8Array(node.contents)
    return write(opened, ...rest)
  }
}

function withZeros(bytes: Uint8Array, size: number): Uint8Array {
  const longer = new Uint8Array(size)
  longer.set(bytes)
  return longer
}

/** Copies a folder from one engine to another. */
export function copyTree(from: WasmFiles, to: WasmFiles, folder: string): void {
  to.mkdirTree(folder)
  for (const name of from.readdir(folder)) {
    if (name === '.' || name === '..') continue
    const path = `${folder}/${name}`
    if (from.isDir(from.stat(path).mode)) copyTree(from, to, path)
    else to.writeFile(path, from.readFile(path), { canOwn: true })
  }
}

/** Closes all open files of an engine, without calling into its WASM. */
export function closeFiles(driver: PGlite): void {
  const files = filesOf(driver)
  for (const stream of files.streams) {
    try {
      if (stream) files.close(stream)
    } catch {
      // Already closed, or the disk refuses the last bytes; the log has everything needed.
    }
  }
}

/** Returns and clears the error if the disk was full since the last call; PostgreSQL itself only exits. */
export function watchDisk(driver: PGlite): () => unknown {
  const { NODEFS } = filesOf(driver).filesystems
  const run = NODEFS.tryFSOperation
  let last: unknown
  NODEFS.tryFSOperation = operation =>
    run(() => {
      try {
        return operation()
      } catch (error) {
        if (isDiskFull(error)) last = error
        throw error
      }
    })
  return () => {
    const error = last
    last = undefined
    return error
  }
}
