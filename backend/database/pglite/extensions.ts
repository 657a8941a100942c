// PostgreSQL extensions: PGlite ships them as bundles, and each is loaded on first use.
import { dirname } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Extensions } from '../engine.ts'
import { EMPTY_EXTENSIONS, extensionsNamed } from '../extensions.ts'
import { SERVICE_EXTENSIONS } from '../service-extensions/index.ts'
import { type BundleFile, PREFIX, shippedExtensions, unpackExtension } from './binaries.ts'
import { filesOf } from './wasm-files.ts'

/** Loads extensions into one PGlite, each once: those that it ships, those of the backend, and the empty ones. */
export function createExtensions(driver: PGlite): Extensions {
  const provided = new Set<string>()
  const available = new Set(shippedExtensions())
  const provide = async (names: Iterable<string>) => {
    const missing = [...new Set(names)].filter(name => !provided.has(name))
    for (const name of missing) {
      const script = SERVICE_EXTENSIONS[name] ?? (EMPTY_EXTENSIONS.includes(name) ? '' : undefined)
      if (script !== undefined) placeScript(driver, name, script)
    }
    const wanted = missing.filter(name => available.has(name))
    const bundles = await Promise.all(wanted.map(unpackExtension))
    for (const file of bundles.flat()) place(driver, file)
    for (const name of wanted) provided.add(name)
    const needed = bundles.flat().flatMap(requirements)
    if (needed.length > 0) await provide(needed)
  }
  return {
    provide,
    async provideFor(sql) {
      await provide(extensionsNamed(sql))
      return sql
    },
    list: async () => ({
      owner: 'The embedded PostgreSQL',
      available: shippedExtensions(),
      empty: EMPTY_EXTENSIONS,
    }),
  }
}

function place(driver: PGlite, { path, bytes }: BundleFile): void {
  const files = filesOf(driver)
  files.mkdirTree(dirname(path))
  // PostgreSQL only reads these files, so databases can share the bytes.
  files.writeFile(path, bytes, { canOwn: true })
}

function placeScript(driver: PGlite, name: string, script: string): void {
  const path = `${PREFIX}/share/postgresql/extension/${name}`
  const control = `comment = '${script === '' ? 'empty' : 'simulated'} in the embedded backend'\ndefault_version = '1.0'\nrelocatable = true\n`
  place(driver, { path: `${path}.control`, bytes: Buffer.from(control) })
  place(driver, { path: `${path}--1.0.sql`, bytes: Buffer.from(script) })
}

/** Extensions that the control file requires. */
function requirements({ path, bytes }: BundleFile): string[] {
  if (!path.endsWith('.control')) return []
  const line = /^[ \t]*requires[ \t]*=[ \t]*'([^']*)'/m.exec(Buffer.from(bytes).toString())?.[1] ?? ''
  return line.split(',').map(name => name.trim())
}
