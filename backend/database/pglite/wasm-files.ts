// PostgreSQL's files, inside its WASM memory.
import type { PGlite } from '@electric-sql/pglite'
import { isDiskFull } from '../../shared/unavailable.ts'

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
  readonly filesystems: { readonly NODEFS: { tryFSOperation(operation: () => unknown): unknown } }
}

export function filesOf(driver: PGlite): WasmFiles {
  return driver.Module.FS as WasmFiles
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
