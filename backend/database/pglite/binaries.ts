// PGlite's WASM and extension bundles: compiled and unpacked once per process, on other threads. This module
// loads before the rest of the backend, so that both happen while the rest loads.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { parseTar } from 'nanotar'
import { STANDARD_EXTENSIONS } from '../engine.ts'
import { pgliteFolder } from './version.ts'

/** The folder of PGlite's own files in its WASM file system. */
export const PREFIX = '/pglite'
const SUFFIX = '.tar.gz'
const unzip = promisify(gunzip)

export interface BundleFile {
  readonly path: string
  readonly bytes: Uint8Array
}

let compiled: Promise<WebAssembly.Module> | undefined

/** Starts everything that opening a database needs; call it as early as possible. */
export function warmPglite(): void {
  compilePglite().catch(() => undefined)
  for (const name of STANDARD_EXTENSIONS) unpackExtension(name).catch(() => undefined)
}

export function compilePglite(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(readFileSync(join(pgliteFolder, 'pglite.wasm')))
  return compiled
}

/** Extensions that PGlite ships; `plpgsql` is always available. */
export function shippedExtensions(): readonly string[] {
  const bundles = readdirSync(pgliteFolder).filter(file => file.endsWith(SUFFIX))
  return bundles.map(file => file.slice(0, -SUFFIX.length)).sort()
}

/** Unpacking is the most expensive part of an extension, and databases of one process use the same ones. */
const unpacked = new Map<string, Promise<readonly BundleFile[]>>()

export function unpackExtension(name: string): Promise<readonly BundleFile[]> {
  const path = unpacked.get(name)
  if (path) return path
  const bundle = unpack(name)
  unpacked.set(name, bundle)
  // A bundle that failed to load, for example because of too many open files, may load the next time.
  bundle.catch(() => unpacked.delete(name))
  return bundle
}

async function unpack(name: string): Promise<readonly BundleFile[]> {
  const archive = readFileSync(join(pgliteFolder, `${name}${SUFFIX}`))
  // One chunk, since each chunk would wait for the main thread. The last four bytes of gzip's format are the size.
  const tar = await unzip(archive, { chunkSize: archive.readUInt32LE(archive.length - 4) + 1 })
  // parseTar ignores a view's offset and reads from the start of its buffer, so it gets a copy.
  return parseTar(new Uint8Array(tar))
    .filter(file => file.type === 'file' && !file.name.endsWith('.h'))
    .map(file => ({ path: `${PREFIX}/${file.name}`, bytes: file.data ?? new Uint8Array() }))
}
