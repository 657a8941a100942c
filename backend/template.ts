// A cached copy of a freshly initialised database cluster, because PGlite's initdb takes seconds and a copy does not.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where the copy lies; `undefined` where no cache can be kept. */
export function templateFile(): string | undefined {
  try {
    const lite = createRequire(import.meta.url).resolve('@supabase/lite/package.json')
    return fileFor(lite)
  } catch {
    return undefined
  }
}

function fileFor(lite: string): string | undefined {
  const manifest = join(dirname(lite), '..', '..', '@electric-sql', 'pglite', 'package.json')
  const version = /"version":\s*"([\w.-]+)"/.exec(readFileSync(manifest, 'utf8'))?.[1]
  if (version === undefined) return undefined
  const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'chartroom')
  mkdirSync(folder, { recursive: true })
  return join(folder, `pglite-${version}.tar`)
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
