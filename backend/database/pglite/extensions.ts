// PostgreSQL extensions: PGlite ships them as bundles, and each is loaded on first use.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PGlite } from '@electric-sql/pglite'
import { parseTar } from 'nanotar'
import type { Extensions } from '../engine.ts'
import { filesOf } from './wasm-files.ts'

/** The folder of PGlite's own files in its WASM file system. */
const PREFIX = '/pglite'
const SUFFIX = '.tar.gz'
const unzip = promisify(gunzip)

/** A cluster can only be opened by the version that created it. */
export function pgliteVersion(): string {
  const manifest = readFileSync(join(pgliteFolder, '..', 'package.json'), 'utf8')
  return /"version":\s*"([\w.-]+)"/.exec(manifest)?.[1] ?? 'unknown'
}

/**
 * Extensions in every hosted database's dump that are useless outside of the hosted service: here they are
 * empty.
 */
export const EMPTY_EXTENSIONS: readonly string[] = [
  'hypopg',
  'index_advisor',
  'pg_cron',
  'pg_graphql',
  'pg_net',
  'pg_stat_statements',
  'pgaudit',
  'pgjwt',
  'pgsodium',
  'plpgsql_check',
  'supabase_vault',
  'wrappers',
]

/** Folder of the installed PGlite, with its WASM and the bundles. */
export const pgliteFolder = dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite')))

/** Extensions that PGlite ships; `plpgsql` is always available. */
export function availableExtensions(): readonly string[] {
  const bundles = readdirSync(pgliteFolder).filter(file => file.endsWith(SUFFIX))
  return bundles.map(file => file.slice(0, -SUFFIX.length)).sort()
}

interface BundleFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Loads extensions into one PGlite, each once: those that it ships, and the empty ones. */
export function createExtensions(driver: PGlite): Extensions {
  const provided = new Set<string>()
  const available = new Set(availableExtensions())
  const provide = async (names: Iterable<string>) => {
    const missing = [...new Set(names)].filter(name => !provided.has(name))
    for (const name of missing.filter(name => EMPTY_EXTENSIONS.includes(name))) placeEmpty(driver, name)
    const wanted = missing.filter(name => available.has(name))
    const bundles = await Promise.all(wanted.map(bundleOf))
    for (const file of bundles.flat()) place(driver, file)
    for (const name of wanted) provided.add(name)
    const needed = bundles.flat().flatMap(requirements)
    if (needed.length > 0) await provide(needed)
  }
  return { provide, provideFor: sql => provide(extensionsNamed(sql)) }
}

/** Names after `create extension` anywhere in a script. */
export function extensionsNamed(sql: string): string[] {
  const statement = /\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?(?:"([^"]+)"|([a-z_][\w$]*))/gi
  return [...sql.matchAll(statement)].map(([, quoted, plain]) => quoted ?? plain?.toLowerCase() ?? '')
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

function placeEmpty(driver: PGlite, name: string): void {
  const path = `${PREFIX}/share/postgresql/extension/${name}`
  const control = `comment = 'empty in the embedded backend'\ndefault_version = '1.0'\nrelocatable = true\n`
  place(driver, { path: `${path}.control`, bytes: Buffer.from(control) })
  place(driver, { path: `${path}--1.0.sql`, bytes: new Uint8Array() })
}

/** Extensions that the control file requires. */
function requirements({ path, bytes }: BundleFile): string[] {
  if (!path.endsWith('.control')) return []
  const line = /^[ \t]*requires[ \t]*=[ \t]*'([^']*)'/m.exec(Buffer.from(bytes).toString())?.[1] ?? ''
  return line.split(',').map(name => name.trim())
}
