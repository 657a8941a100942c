// The files that PostgreSQL sees, inside the memory of its WASM.
import type { PGlite } from '@electric-sql/pglite'

/** What of Emscripten's file system is used here; PGlite publishes no types of it. */
export interface WasmFiles {
  mkdirTree(path: string): void
  /** With `canOwn` the bytes are not copied. */
  writeFile(path: string, bytes: Uint8Array, options?: { readonly canOwn?: boolean }): void
}

export function filesOf(driver: PGlite): WasmFiles {
  return driver.Module.FS as WasmFiles
}
