// Prepared databases, cached between runs: a new one copies files instead of running initdb, which takes
// seconds.
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Clusters } from './clusters.ts'
import { packFolder, unpackFolder } from './packed.ts'

/** A cleanly closed cluster, packed, and a folder with the files that belong to its rows. */
export interface Snapshot {
  readonly archive: string
  readonly objects: string
}

/** The folders in which a snapshot is made. */
export interface SnapshotFolders {
  readonly database: string
  readonly objects: string
}

/** Kinds of snapshots; each is created only by code in this folder. */
export type SnapshotKind = 'harbour' | 'bare'

/** The file with the checksum of a snapshot's contents. */
const SUM = 'sum'
/** A snapshot takes 25 MB: at most this many of a kind are kept of older code, which another checkout may still run. */
const MAX_SNAPSHOTS = 2
/** How long another process may still be copying a snapshot. */
const IN_USE_MS = 120_000
/** How long another process may take to make one: on a busy machine minutes, with its database open. */
const MAKING_MS = 3_600_000

interface SnapshotRequest {
  readonly kind: SnapshotKind
  readonly variant?: string
  readonly clusters: Clusters
}

/**
 * Returns the snapshot of a kind; if it does not exist, `fill` creates its contents from an empty cluster.
 */
export async function takeSnapshot(
  { kind, variant, clusters }: SnapshotRequest,
  fill: (folders: SnapshotFolders) => Promise<void>,
  cache = cacheFolder(folder => clusters.canUse(folder)),
): Promise<Snapshot> {
  const name = [nameOf(kind, clusters), variant, clusters.version, sourceHash()].filter(Boolean).join('-')
  return ensure(cache, name, async folders => {
    unpackFolder((await emptyCluster(clusters, cache)).archive, folders.database)
    mkdirSync(folders.objects)
    await fill(folders)
  })
}

/** The part of a folder's name by which older ones of the same kind are found. */
const nameOf = (kind: string, { kind: engine }: Clusters) =>
  engine === 'pglite' ? kind : `${engine}_${kind}`

const partsOf = (folder: string): Snapshot & SnapshotFolders => ({
  archive: join(folder, 'packed'),
  database: join(folder, 'database'),
  objects: join(folder, 'objects'),
})

/** Copies a folder; file systems that support it share the blocks. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
}

/** A new cluster from initdb. */
function emptyCluster(clusters: Clusters, cache: string): Promise<Snapshot> {
  const name = `${nameOf('initdb', clusters)}-${clusters.version}`
  return ensure(cache, name, ({ database }) => clusters.create(database))
}

async function ensure(
  cache: string,
  name: string,
  make: (folders: SnapshotFolders) => Promise<void>,
): Promise<Snapshot> {
  const folder = join(cache, name)
  if (isWhole(folder)) return partsOf(folder)
  const partial = join(cache, `making-${randomBytes(6).toString('hex')}`)
  const { archive, ...folders } = partsOf(partial)
  mkdirSync(partial, { mode: 0o700 })
  try {
    await make(folders)
    packFolder(folders.database, archive)
    rmSync(folders.database, { recursive: true })
    writeFileSync(join(partial, SUM), sumOf(partial))
    commitSnapshot(partial, folder)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  removeOld(cache, name)
  return partsOf(folder)
}

/** The state of each snapshot's files when its contents were last verified. */
const proven = new Map<string, string>()

/** Verifies a snapshot. A damaged one is removed, because copies of it would damage data folders. */
function isWhole(folder: string): boolean {
  if (!existsSync(folder)) return false
  try {
    const fileMode = lookOf(folder)
    if (proven.get(folder) === fileMode) return true
    if (readFileSync(join(folder, SUM), 'utf8') === sumOf(folder)) {
      proven.set(folder, fileMode)
      return true
    }
  } catch {
    // The snapshot is not readable.
  }
  rmSync(folder, { recursive: true, force: true })
  return false
}

/** File metadata that reflects any change, cheaper than reading all files. */
function lookOf(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const { ino, size, mtimeMs, ctimeMs } = statSync(join(folder, name))
    hash.update(`${name} ${ino} ${size} ${mtimeMs} ${ctimeMs}\n`)
  }
  return hash.digest('hex')
}

/** The checksum of all names and contents of a snapshot. */
function sumOf(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name !== SUM)
  const sum = entries.sort().reduce((before, name) => {
    const path = join(folder, name)
    const nameHash = crc32(name, before)
    return statSync(path).isDirectory() ? nameHash : crc32(readFileSync(path), nameHash)
  }, 0)
  return sum.toString(16)
}

/** Several processes may create the same snapshot at once; the first one wins. */
function commitSnapshot(partial: string, folder: string): void {
  try {
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** Removes those of older code, of the same kind as `current`; variants of the same code are all in use. */
function removeOld(cache: string, current: string): void {
  const kind = current.slice(0, current.indexOf('-') + 1)
  const aged = readdirSync(cache).map(name => ({
    name,
    folder: join(cache, name),
    age: Date.now() - (statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  }))
  const older = aged
    .filter(({ name }) => name.startsWith(kind) && name !== current && !name.endsWith(sourceHash()))
    .sort((a, b) => a.age - b.age)
  const outdated = older.slice(MAX_SNAPSHOTS).filter(({ age }) => age > IN_USE_MS)
  // Left over from a process that was killed.
  const abandoned = aged.filter(({ name, age }) => name.startsWith('making-') && age > MAKING_MS)
  for (const { folder } of [...outdated, ...abandoned]) rmSync(folder, { recursive: true, force: true })
}

let hashed: string | undefined

/** Any change to code in this folder may change the prepared contents; a process keeps the code that it loaded. */
function sourceHash(): string {
  if (hashed !== undefined) return hashed
  const root = join(import.meta.dirname, '..')
  const hash = createHash('sha256')
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.[jt]s$/.test(file)) hash.update(file).update(readFileSync(join(root, file)))
  }
  return (hashed = hash.digest('hex').slice(0, 16))
}

let lastKey: string | undefined

function cacheFolder(canUse: (folder: string) => boolean): string {
  if (lastKey !== undefined && canUse(lastKey)) return lastKey
  const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'chartroom')
  try {
    mkdirSync(folder, { recursive: true })
    // Only a write shows whether the folder is writable.
    rmSync(mkdtempSync(join(folder, 'making-')), { recursive: true })
    if (!canUse(folder)) throw new Error('PostgreSQL may not pass this folder.')
    lastKey = folder
  } catch {
    const passing = mkdtempSync(join(tmpdir(), 'chartroom-'))
    chmodSync(passing, 0o711)
    process.on('exit', () => rmSync(passing, { recursive: true, force: true }))
    lastKey = passing
  }
  return lastKey
}
