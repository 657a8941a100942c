// The backend's PGlite: compiled while other modules load, filled from a snapshot, with extensions on demand.
import { statSync } from 'node:fs'
import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Engine, EngineFailure } from '../engine.ts'
import { readPacked, type PackedEntry } from '../packed.ts'
import { acceptAnyValue } from '../values.ts'
import { PARSERS } from '../parsers.ts'
import { guardEngine, type EngineGuard, type RunCall } from './engine-guard.ts'
import { compilePglite } from './binaries.ts'
import { createExtensions } from './extensions.ts'
import { openLogins, RETURN_TO_OWNER } from './logins.ts'
import { runScript } from './script.ts'
import { openSeries } from './series.ts'
import { closeFiles, copyTree, filesOf, shareFiles, watchDisk, type WasmFiles } from './wasm-files.ts'

export interface PgliteEngine extends Engine {
  readonly driver: PGlite
  /** Channels that the backend itself listens on. */
  readonly channels: Set<string>
  /** Set once PostgreSQL can't continue; then only `abandon` may be called. */
  readonly failure: EngineFailure | undefined
  /** Runs work whose transactions are those of `authenticator`. */
  asAuthenticator<T>(work: () => Promise<T>): Promise<T>
  /** Runs all calls that run statements through a function that may interrupt them, until it is set back. */
  interruptible(run: RunCall | undefined): void
  /** Bytes of its WASM memory, which never shrinks. */
  readonly memoryBytes: number
  /** Releases the cluster without a shutdown, like a crash, and returns where to reopen it. */
  abandon(): Place
}

/** The location of the cluster: a folder, or memory filled from a packed one or from an abandoned engine. */
export type Place =
  { readonly folder: string } | { readonly copyOf: string } | { readonly copyOfFiles: WasmFiles }

/**
 * PostgreSQL's buffer pages of 8 kB. It clears all of them at startup; the default of 128 MB takes a quarter
 * of the start. Files in memory are read as fast without them.
 */
const BUFFERS = { folder: '4096', memory: '2048' } as const

/** The search path of a hosted database. */
const START = [...PGlite.defaultStartParams, '-c', 'search_path="$user", public, extensions']

const CLUSTER = '/pglite/data'

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
  const pgliteWasmModule = await compilePglite()
  const fs = 'folder' in place ? new FolderFiles(place.folder) : new MemoryFiles(place)
  const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const startParams = [...START, '-B', BUFFERS['folder' in place ? 'folder' : 'memory'], ...settingArgs]
  try {
    const driver = new Pglite({ fs, pgliteWasmModule, parsers: PARSERS, startParams })
    await driver.waitReady
    const extensions = createExtensions(driver)
    const { rows } = await driver.query<{ name: string; version: string }>(
      'select extname as name, extversion as version from pg_extension',
    )
    await extensions.restore(rows)
    const { asAuthenticator, asRole } = await openLogins(driver)
    return {
      // Its owner is a superuser, whose SQL stays in the WASM.
      admin: async sql => void (await driver.exec(sql)),
      ownerPrivileges: '',
      series: openSeries(driver),
      runScript: sql => runScript(driver, sql),
      asOwner: work => work(),
      asAuthenticator: async work => asAuthenticator(work, () => fs.guard?.failure !== undefined),
      asRole,
      interruptible: run => fs.guard?.through(run),
      returnToOwner: RETURN_TO_OWNER,
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

class Pglite extends PGlite {
  /** PGlite's own adds parsers that it does not need. */
  override async _initArrayTypes(): Promise<void> {
    await acceptAnyValue(this)
  }
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
    this.guard = guardEngine(this.pg)
    if ('copyOf' in this.#source) shareFiles(filesOf(this.pg), entriesOf(this.#source.copyOf), CLUSTER)
    else copyTree(this.#source.copyOfFiles, filesOf(this.pg), CLUSTER)
  }

  abandon(): Place {
    return this.pg ? { copyOfFiles: filesOf(this.pg) } : this.#source
  }
}

/** Packed clusters by file: databases in memory share their bytes. */
const archives = new Map<string, readonly PackedEntry[]>()

function entriesOf(file: string): readonly PackedEntry[] {
  // It may be another one than before: a damaged snapshot is made again.
  const { ino, mtimeMs } = statSync(file)
  const key = `${file} ${ino} ${mtimeMs}`
  const archive = archives.get(key)
  if (archive) return archive
  const read = readPacked(file)
  archives.set(key, read)
  return read
}
