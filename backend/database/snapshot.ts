// Prepared data folders, kept between runs: a start from nothing then copies files, where initdb would take seconds.
import { createHash, randomBytes } from 'node:crypto'
import { constants, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
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

/** The file with the checksum of what a snapshot holds. */
const SUM = 'sum'
/** A snapshot takes 40 MB. More than this many of a kind are only left over from older code. */
const KEPT = 2
/** So long another process may still be copying from one. */
const IN_USE_MS = 120_000

interface Wanted {
  readonly kind: SnapshotKind
  readonly variant?: string
}

/** The snapshot of a kind; `fill` makes its contents, from an empty cluster, when it isn't there yet. */
export async function takeSnapshot(
  { kind, variant }: Wanted,
  fill: (snapshot: Snapshot) => Promise<void>,
  cache = cacheFolder(),
): Promise<Snapshot> {
  const folder = await ensure(cache, [kind, variant, sourceHash()].filter(Boolean).join('-'), async made => {
    copyFolder(await emptyCluster(cache), partsOf(made).database)
    mkdirSync(partsOf(made).objects)
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
async function emptyCluster(cache: string): Promise<string> {
  const folder = await ensure(cache, `cluster-${pgliteVersion()}`, async made => {
    const dataDir = partsOf(made).database
    const driver = await PGlite.create({ dataDir, pgliteWasmModule: await warmEngine() })
    await driver.close()
  })
  return partsOf(folder).database
}

async function ensure(cache: string, name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cache, name)
  if (isWhole(folder)) return folder
  const partial = join(cache, `making-${randomBytes(6).toString('hex')}`)
  mkdirSync(partial, { mode: 0o700 })
  try {
    await make(partial)
    writeFileSync(join(partial, SUM), sumOf(partial))
    keep(partial, folder)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  removeOld(cache, name.slice(0, name.indexOf('-') + 1))
  return folder
}

/** What a snapshot looked like when its contents were last found whole. */
const proven = new Map<string, string>()

/** What was damaged since it was made would be copied into data folders, and damage those: it is removed. */
function isWhole(folder: string): boolean {
  if (!existsSync(folder)) return false
  try {
    const look = lookOf(folder)
    if (proven.get(folder) === look) return true
    if (readFileSync(join(folder, SUM), 'utf8') === sumOf(folder)) {
      proven.set(folder, look)
      return true
    }
  } catch {
    // Not even to be read.
  }
  rmSync(folder, { recursive: true, force: true })
  return false
}

/** Whatever changes a file shows here, for less than reading them all costs. */
function lookOf(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const { ino, size, mtimeMs, ctimeMs } = statSync(join(folder, name))
    hash.update(`${name} ${ino} ${size} ${mtimeMs} ${ctimeMs}\n`)
  }
  return hash.digest('hex')
}

/** Of all that a snapshot holds, by names and contents. */
function sumOf(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name !== SUM)
  const sum = entries.sort().reduce((before, name) => {
    const path = join(folder, name)
    const named = crc32(name, before)
    return statSync(path).isDirectory() ? named : crc32(readFileSync(path), named)
  }, 0)
  return sum.toString(16)
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
  const found = readdirSync(cache).filter(name => name.startsWith(kind) || name.startsWith('making-'))
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

let known: string | undefined

function cacheFolder(): string {
  if (known !== undefined) return known
  const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'chartroom')
  try {
    mkdirSync(folder, { recursive: true })
    // Whether it can be written shows only by writing.
    rmSync(mkdtempSync(join(folder, 'making-')), { recursive: true })
    known = folder
  } catch {
    const passing = mkdtempSync(join(tmpdir(), 'chartroom-'))
    process.on('exit', () => rmSync(passing, { recursive: true, force: true }))
    known = passing
  }
  return known
}
