// PGlite as this backend runs it: compiled while other things load, filled from a snapshot, extensions on demand.
import { readFile } from 'node:fs/promises'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryFS, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { guardEngine, type EngineFailure, type EngineGuard } from './engine-guard.ts'
import { createExtensions, pgliteFolder, type Extensions } from './extensions.ts'
import { closeFiles, copyTree, filesOf, watchDisk, type WasmFiles } from './wasm-files.ts'

export interface Engine {
  readonly connection: PgliteConnection
  readonly extensions: Extensions
  /** Channels that the backend itself listens on. */
  readonly channels: Set<string>
  /** Set once PostgreSQL can't go on; then `abandon` is all that is left to call. */
  readonly failure: EngineFailure | undefined
  /** Bytes of its WASM memory, which never shrinks. */
  readonly memoryBytes: number
  /** Releases the cluster without a shutdown, as a crash does, and returns where to open it again. */
  abandon(): Place
}

/** Where the cluster is: a folder that holds one, or memory, filled from such a folder or from an abandoned engine. */
export type Place =
  { readonly folder: string } | { readonly copyOf: string } | { readonly copyOfFiles: WasmFiles }

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

/** Emscripten's view of the memory, whose types PGlite does not pass on. */
interface WasmMemory {
  readonly HEAPU8: Uint8Array
}

/** Opens a cluster. Extensions that its database has are there when this resolves. */
export async function openEngine(place: Place): Promise<Engine> {
  const [{ createPgliteConnection }, pgliteWasmModule] = await Promise.all([
    import('@supabase/lite/pglite'),
    warmEngine(),
  ])
  const fs = 'folder' in place ? new FolderFiles(place.folder) : new MemoryFiles(place)
  const pgliteOptions: PGliteOptions = { fs, pgliteWasmModule, parsers: TIME_PARSERS, startParams: START }
  try {
    const connection = await createPgliteConnection({ pgliteOptions })
    await connection.driver.waitReady
    const extensions = createExtensions(connection.driver)
    const { rows } = await connection.driver.query<{ extname: string }>('select extname from pg_extension')
    await extensions.provide(rows.map(row => row.extname))
    return {
      connection,
      extensions,
      channels: new Set(),
      get failure() {
        return fs.guard?.failure
      },
      get memoryBytes() {
        return (connection.driver.Module as unknown as WasmMemory).HEAPU8.byteLength
      },
      abandon: () => fs.abandon(),
    }
  } catch (error) {
    fs.abandon()
    throw fs.guard?.failure ?? error
  }
}

const TIMESTAMP = 1114
const TIMESTAMP_TZ = 1184

/** Times as PostgREST writes them; lite passes PostgreSQL's own spelling on where a row is returned by a write. */
const TIME_PARSERS = {
  [TIMESTAMP]: (text: string) => text.replace(' ', 'T'),
  [TIMESTAMP_TZ]: (text: string) => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'),
}

class FolderFiles extends NodeFS {
  guard: EngineGuard | undefined
  readonly #folder: string

  constructor(folder: string) {
    super(folder)
    this.#folder = folder
  }

  override async initialSyncFs(): Promise<void> {
    if (!this.pg) return
    skipBundles(this.pg)
    this.guard = guardEngine(this.pg, watchDisk(this.pg))
  }

  abandon(): Place {
    if (this.pg) closeFiles(this.pg)
    return { folder: this.#folder }
  }
}

class MemoryFiles extends MemoryFS {
  guard: EngineGuard | undefined
  readonly #source: { readonly copyOf: string } | { readonly copyOfFiles: WasmFiles }

  constructor(source: { readonly copyOf: string } | { readonly copyOfFiles: WasmFiles }) {
    super()
    this.#source = source
  }

  override async initialSyncFs(): Promise<void> {
    if (!this.pg) return
    skipBundles(this.pg)
    this.guard = guardEngine(this.pg)
    if ('copyOf' in this.#source) copyIn(this.pg, this.#source.copyOf, CLUSTER)
    else copyTree(this.#source.copyOfFiles, filesOf(this.pg), CLUSTER)
  }

  abandon(): Place {
    return this.pg ? { copyOfFiles: filesOf(this.pg) } : this.#source
  }
}

/** Lite asks PGlite for four extensions, whose compilation would be half of a start; ours come on demand. */
function skipBundles(driver: PGlite): void {
  driver.Module.pg_extensions = {}
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
