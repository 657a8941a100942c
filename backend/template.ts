// A cached copy of a freshly initialised database cluster, because PGlite's initdb takes seconds and a copy does not.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where the copy lies; `undefined` where no cache can be kept. */
export function templateFile(): string | undefined {
  try {
    // PGlite as lite sees it, for a cluster only opens in the version that made it.
    const pglite = createRequire(import.meta.resolve('@supabase/lite/pglite')).resolve('@electric-sql/pglite')
    const manifest = readFileSync(join(dirname(pglite), '..', 'package.json'), 'utf8')
    const version = /"version":\s*"([\w.-]+)"/.exec(manifest)?.[1]
    if (version === undefined) return undefined
    const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'chartroom')
    mkdirSync(folder, { recursive: true })
    return join(folder, `pglite-${version}.tar`)
  } catch {
    return undefined
  }
}

/** The copy made by an earlier boot, if there is one. */
export function readTemplate(file: string): Blob | undefined {
  try {
    return new Blob([readFileSync(file)])
  } catch {
    return undefined
  }
}

/** Keeps a dump for later boots; several processes may do so at once. */
export async function keepTemplate(file: string, dump: Blob): Promise<void> {
  const partial = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(partial, new Uint8Array(await dump.arrayBuffer()))
    renameSync(partial, file)
  } catch {
    rmSync(partial, { force: true })
  }
}
