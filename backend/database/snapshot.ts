// Prepared data folders, kept between runs: a start from nothing then copies files, where initdb would take seconds.
import { createHash, randomBytes } from 'node:crypto'
import { constants, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pgliteVersion } from './extensions.ts'
import { warmEngine } from './engine.ts'

/** A folder that holds a cluster, closed in good order, and the files that belong to its rows. */
export interface Snapshot {
  readonly database: string
  readonly objects: string
}

/** What a snapshot may be of; each kind is made by code of this folder alone. */
export type SnapshotKind = 'harbour' | 'bare'

/** More than this many of a kind are only left over from older code. */
const KEPT = 3
/** So long another process may still be copying from one. */
const IN_USE_MS = 120_000

/** The snapshot of a kind; `fill` makes its contents, from an empty cluster, when it isn't there yet. */
export async function takeSnapshot(
  kind: SnapshotKind,
  fill: (snapshot: Snapshot) => Promise<void>,
): Promise<Snapshot> {
  const folder = await ensure(kind, sourceHash(), async made => {
    copyFolder(await emptyCluster(), join(made, 'database'))
    mkdirSync(join(made, 'objects'))
    await fill(partsOf(made))
  })
  return partsOf(folder)
}

const partsOf = (folder: string): Snapshot => ({
  database: join(folder, 'database'),
  objects: join(folder, 'objects'),
})

/** Copies a folder; file systems that can, share the blocks. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
}

/** Fresh from initdb. */
function emptyCluster(): Promise<string> {
  return ensure('cluster', pgliteVersion(), async folder => {
    const driver = await PGlite.create({ dataDir: folder, pgliteWasmModule: await warmEngine() })
    await driver.close()
  })
}

async function ensure(kind: string, key: string, make: (folder: string) => Promise<void>): Promise<string> {
  const cache = cacheFolder()
  const folder = join(cache, `${kind}-${key}`)
  if (existsSync(folder)) return folder
  const partial = join(cache, `making-${randomBytes(6).toString('hex')}`)
  mkdirSync(partial, { mode: 0o700 })
  try {
    await make(partial)
    keep(partial, folder)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  removeOld(cache, kind)
  return folder
}

/** Several processes may make the same one at once; the first wins. */
function keep(partial: string, folder: string): void {
  try {
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

function removeOld(cache: string, kind: string): void {
  const found = readdirSync(cache).filter(name => name.startsWith(`${kind}-`) || name.startsWith('making-'))
  const aged = found
    .map(name => ({
      folder: join(cache, name),
      at: statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at)
  for (const { folder, at } of aged.slice(KEPT)) {
    if (Date.now() - at > IN_USE_MS) rmSync(folder, { recursive: true, force: true })
  }
}

/** Whatever in this folder changes may change what is prepared. */
function sourceHash(): string {
  const root = join(import.meta.dirname, '..')
  const hash = createHash('sha256')
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.ts')) hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

let cache: string | undefined

function cacheFolder(): string {
  if (cache !== undefined) return cache
  const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'chartroom')
  try {
    mkdirSync(folder, { recursive: true })
    // Whether it can be written shows only by writing.
    rmSync(mkdtempSync(join(folder, 'making-')), { recursive: true })
    cache = folder
  } catch {
    const passing = mkdtempSync(join(tmpdir(), 'chartroom-'))
    process.on('exit', () => rmSync(passing, { recursive: true, force: true }))
    cache = passing
  }
  return cache
}
