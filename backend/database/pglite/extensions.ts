// PostgreSQL extensions: PGlite ships them as bundles, and each is loaded on first use.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PGlite } from '@electric-sql/pglite'
import { parseTar } from 'nanotar'
import { STANDARD_EXTENSIONS, type Extensions } from '../engine.ts'
import { EMPTY_EXTENSIONS, extensionsNamed } from '../extensions.ts'
import { SERVICE_EXTENSIONS } from '../service-extensions/index.ts'
import { pgliteFolder } from './version.ts'
import { filesOf } from './wasm-files.ts'

/** The folder of PGlite's own files in its WASM file system. */
const PREFIX = '/pglite'
const SUFFIX = '.tar.gz'
const unzip = promisify(gunzip)

/** Extensions that PGlite ships; `plpgsql` is always available. */
function availableExtensions(): readonly string[] {
  const bundles = readdirSync(pgliteFolder).filter(file => file.endsWith(SUFFIX))
  return bundles.map(file => file.slice(0, -SUFFIX.length)).sort()
}

interface BundleFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Loads extensions into one PGlite, each once: those that it ships, those of the backend, and the empty ones. */
export function createExtensions(driver: PGlite): Extensions {
  const provided = new Set<string>()
  const available = new Set(availableExtensions())
  const provide = async (names: Iterable<string>) => {
    const missing = [...new Set(names)].filter(name => !provided.has(name))
    for (const name of missing) {
      const script = SERVICE_EXTENSIONS[name] ?? (EMPTY_EXTENSIONS.includes(name) ? '' : undefined)
      if (script !== undefined) placeScript(driver, name, script)
    }
    const wanted = missing.filter(name => available.has(name))
    const bundles = await Promise.all(wanted.map(bundleOf))
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
      available: availableExtensions(),
      empty: EMPTY_EXTENSIONS,
    }),
  }
}

/** Starts unpacking the extensions of every database on other threads, before the database is open. */
export function warmExtensions(): void {
  for (const name of STANDARD_EXTENSIONS) bundleOf(name).catch(() => undefined)
}

/** Unpacking is the most expensive part of an extension, and databases of one process use the same ones. */
const unpacked = new Map<string, Promise<readonly BundleFile[]>>()

function bundleOf(name: string): Promise<readonly BundleFile[]> {
  const known = unpacked.get(name)
  if (known) return known
  const bundle = unpack(name)
  unpacked.set(name, bundle)
  // A bundle that failed to load, for example because of too many open files, may load the next time.
  bundle.catch(() => unpacked.delete(name))
  return bundle
}

async function unpack(name: string): Promise<readonly BundleFile[]> {
  const tar = await unzip(readFileSync(join(pgliteFolder, `${name}${SUFFIX}`)))
  // parseTar ignores a view's offset and reads from the start of its buffer, so it gets a copy.
  return parseTar(new Uint8Array(tar))
    .filter(file => file.type === 'file' && !file.name.endsWith('.h'))
    .map(file => ({ path: `${PREFIX}/${file.name}`, bytes: file.data ?? new Uint8Array() }))
}

function place(driver: PGlite, { path, bytes }: BundleFile): void {
  const files = filesOf(driver)
  files.mkdirTree(dirname(path))
  files.writeFile(path, bytes)
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
