// PGlite as this backend runs it: compiled while other things load, filled from a snapshot, extensions on demand.
import { readFile } from 'node:fs/promises'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryFS, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { createExtensions, pgliteFolder, type Extensions } from './extensions.ts'
import { filesOf } from './wasm-files.ts'

export interface Engine {
  readonly connection: PgliteConnection
  readonly extensions: Extensions
  /** Channels that the backend itself listens on. */
  readonly channels: Set<string>
}

/** Where the cluster lies: in a folder that holds one, or in memory, filled from such a folder. */
export type Place = { readonly folder: string } | { readonly copyOf: string }

/** Extensions that every database here has, as a hosted one has them. */
export const STANDARD_EXTENSIONS = ['pgcrypto', 'uuid-ossp']

/** Pages of 8 kB that PostgreSQL keeps; it clears them all as it starts, and the default of 128 MB is a quarter of a start. */
const BUFFERS = '4096'

/** The path is what a hosted database finds without a schema's name. */
const START = [...PGlite.defaultStartParams, '-B', BUFFERS, '-c', 'search_path="$user", public, extensions']

const CLUSTER = '/pglite/data'

let compiled: Promise<WebAssembly.Module> | undefined

/** Starts to compile PostgreSQL on other threads; once in a process, and the earlier the better. */
export function warmEngine(): Promise<WebAssembly.Module> {
  compiled ??= readFile(join(pgliteFolder, 'pglite.wasm')).then(bytes => WebAssembly.compile(bytes))
  return compiled
}

/** Opens a cluster. Extensions that its database has are there when this resolves. */
export async function openEngine(place: Place): Promise<Engine> {
  const [{ createPgliteConnection }, pgliteWasmModule] = await Promise.all([
    import('@supabase/lite/pglite'),
    warmEngine(),
  ])
  const fs = 'folder' in place ? new FolderFiles(place.folder) : new MemoryFiles(place.copyOf)
  const pgliteOptions: PGliteOptions = { fs, pgliteWasmModule, parsers: TIME_PARSERS, startParams: START }
  const connection = await createPgliteConnection({ pgliteOptions })
  await connection.driver.waitReady
  const extensions = createExtensions(connection.driver)
  const { rows } = await connection.driver.query<{ extname: string }>('select extname from pg_extension')
  await extensions.provide(rows.map(row => row.extname))
  return { connection, extensions, channels: new Set() }
}

const TIMESTAMP = 1114
const TIMESTAMP_TZ = 1184

/** Times as PostgREST writes them; lite passes PostgreSQL's own spelling on where a row is returned by a write. */
const TIME_PARSERS = {
  [TIMESTAMP]: (text: string) => text.replace(' ', 'T'),
  [TIMESTAMP_TZ]: (text: string) => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'),
}

class FolderFiles extends NodeFS {
  override async initialSyncFs(): Promise<void> {
    skipBundles(this.pg)
  }
}

class MemoryFiles extends MemoryFS {
  readonly #source: string

  constructor(source: string) {
    super()
    this.#source = source
  }

  override async initialSyncFs(): Promise<void> {
    skipBundles(this.pg)
    if (this.pg) copyIn(this.pg, this.#source, CLUSTER)
  }
}

/** Lite asks PGlite for four extensions, whose compilation would be half of a start; ours come on demand. */
function skipBundles(driver: PGlite | undefined): void {
  if (driver) driver.Module.pg_extensions = {}
}

function copyIn(driver: PGlite, source: string, target: string): void {
  const files = filesOf(driver)
  files.mkdirTree(target)
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const path = `${target}/${entry.name}`
    if (entry.isDirectory()) copyIn(driver, join(source, entry.name), path)
    else files.writeFile(path, readFileSync(join(source, entry.name)), { canOwn: true })
  }
}
