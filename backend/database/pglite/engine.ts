// The backend's PGlite: compiled while other modules load, filled from a snapshot, with extensions on demand.
import { readFile } from 'node:fs/promises'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryFS, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Engine, EngineFailure } from '../engine.ts'
import { guardEngine, type EngineGuard } from './engine-guard.ts'
import { createExtensions } from './extensions.ts'
import { pgliteFolder } from './version.ts'
import { closeFiles, copyTree, filesOf, watchDisk, type WasmFiles } from './wasm-files.ts'

export interface PgliteEngine extends Engine {
  readonly driver: PGlite
  /** Channels that the backend itself listens on. */
  readonly channels: Set<string>
  /** Set once PostgreSQL can't continue; then only `abandon` may be called. */
  readonly failure: EngineFailure | undefined
  /** Bytes of its WASM memory, which never shrinks. */
  readonly memoryBytes: number
  /** Releases the cluster without a shutdown, like a crash, and returns where to reopen it. */
  abandon(): Place
}

/** The location of the cluster: a folder, or memory filled from a folder or from an abandoned engine. */
export type Place =
  { readonly folder: string } | { readonly copyOf: string } | { readonly copyOfFiles: WasmFiles }

/**
 * PostgreSQL's buffer pages of 8 kB. It clears all of them at startup; the default of 128 MB takes a quarter
 * of the start.
 */
const BUFFERS = '4096'

/** The search path of a hosted database. */
const START = [...PGlite.defaultStartParams, '-B', BUFFERS, '-c', 'search_path="$user", public, extensions']

const CLUSTER = '/pglite/data'

let compiled: Promise<WebAssembly.Module> | undefined

/** Starts compiling PostgreSQL on other threads, once per process; call it as early as possible. */
export function warmPglite(): Promise<WebAssembly.Module> {
  compiled ??= readFile(join(pgliteFolder, 'pglite.wasm')).then(bytes => WebAssembly.compile(bytes))
  return compiled
}

/** Emscripten's memory, for which PGlite exports no types. */
interface WasmMemory {
  readonly HEAPU8: Uint8Array
}

/**
 * Opens a cluster. Its database's extensions are loaded when the promise resolves.
 * @param settings what sessions start with, and what `reset all` restores
 */
export async function openPglite(
  place: Place,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgliteEngine> {
  const [{ createPgliteConnection }, pgliteWasmModule] = await Promise.all([
    import('@supabase/lite/pglite'),
    warmPglite(),
  ])
  const fs = 'folder' in place ? new FolderFiles(place.folder) : new MemoryFiles(place)
  const own = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const startParams = [...START, ...own]
  const pgliteOptions: PGliteOptions = { fs, pgliteWasmModule, parsers: TIME_PARSERS, startParams }
  try {
    const connection = await createPgliteConnection({ pgliteOptions })
    const { driver } = connection
    await driver.waitReady
    const extensions = createExtensions(driver)
    const { rows } = await driver.query<{ extname: string }>('select extname from pg_extension')
    await extensions.provide(rows.map(row => row.extname))
    return {
      connection,
      driver,
      extensions,
      endsStatements: false,
      channels: new Set(),
      get failure() {
        return fs.guard?.failure
      },
      get memoryBytes() {
        return (driver.Module as unknown as WasmMemory).HEAPU8.byteLength
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

/** Formats times like PostgREST; for rows returned by a write, lite uses PostgreSQL's own format. */
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

/**
 * Lite requests four extensions from PGlite, whose compilation would take half of the start; ours are loaded
 * on demand.
 */
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
