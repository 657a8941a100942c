// The installed PGlite, found without loading it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the installed PGlite, with its WASM and the bundles. */
export const pgliteFolder = dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite')))

/** A cluster can only be opened by the version that created it. */
export function pgliteVersion(): string {
  const manifest = readFileSync(join(pgliteFolder, '..', 'package.json'), 'utf8')
  return /"version":\s*"([\w.-]+)"/.exec(manifest)?.[1] ?? 'unknown'
}
