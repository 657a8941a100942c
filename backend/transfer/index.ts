// Exports and imports a data directory that no running backend uses.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { openDataDirectory, type DataDirectory } from '../shared/data-directory.ts'
import { fieldOf } from '../shared/fields.ts'
import { LOCK_FILE } from '../shared/data-lock.ts'
import { canOpenCluster, clusterVersion, pgliteVersion } from '../database/index.ts'
import { packArchive, readArchive, type Archive, type ArchivedFile, type Contents } from './archive.ts'
import { isWrittenAnew } from './cluster-paths.ts'
import { PARTS, replaceData } from '../shared/staged-import.ts'
import { walk } from '../shared/walk.ts'

export { clearDataDirectory, resetDataDirectory } from './reset.ts'

export interface ExportOptions {
  /** Includes keys and passwords; anyone with the file can then sign tokens. */
  readonly withSecrets: boolean
  readonly force: boolean
}

export interface ImportOptions {
  readonly force: boolean
  /** Accepts the cluster of a server, in which its author decides what runs on this machine. */
  readonly trust: boolean
}

/** Thrown if a file or directory already exists or is missing; the message names the fix. */
class TransferError extends Error {
  override name = 'TransferError'
}

const SECRETS = 'secrets.json'

/**
 * Exports a data directory to one file that only its owner can read.
 * @throws TransferError, or DirectoryInUseError if a running backend uses the directory
 */
export async function exportData(dir: string, file: string, options: ExportOptions): Promise<void> {
  const root = resolve(dir)
  if (!existsSync(join(root, 'database'))) throw new TransferError(`${root} contains no backend data.`)
  if (existsSync(file) && !options.force)
    throw new TransferError(`${file} already exists. Add --force to replace it.`)
  const { archive, version } = await holding(root, async ({ database }) => {
    if (existsSync(join(database, 'postmaster.pid')))
      throw new TransferError(
        `The PostgreSQL server of ${root} was not shut down. Start the backend once, and stop it.`,
      )
    const version = clusterVersion(database)
    return { archive: collect(root, options.withSecrets, version), version }
  })
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  try {
    writeFileSync(partial, await packArchive(archive, version), { mode: 0o600 })
    renameSync(partial, file)
  } finally {
    rmSync(partial, { force: true })
  }
}

/**
 * Imports an exported file into a data directory.
 * @throws ArchiveError if the file is invalid, TransferError, or DirectoryInUseError
 */
export async function importData(file: string, dir: string, { force, trust }: ImportOptions): Promise<void> {
  const root = resolve(dir)
  const read = async () =>
    readArchive(await openArchive(file), { canOpen: canOpenCluster, preferred: pgliteVersion() })
  // The whole file is checked before anything is written.
  const { folders, isOfServer } = await checkArchive(await read())
  if (isOfServer && !trust)
    throw new TransferError(
      `${file} is the cluster of a PostgreSQL server. A server that opens it does what the author of the file put into its ` +
        'system tables, which may run programs with your permissions. If you made the file, or trust who did, add --trust.',
    )
  if (existsSync(root) && readdirSync(root).some(name => name !== LOCK_FILE) && !force) {
    throw new TransferError(`${root} is not empty. Add --force to replace its contents.`)
  }
  const pieces = await read()
  await holding(root, () => replaceData(root, folders, pieces))
}

async function checkArchive(pieces: ReturnType<typeof readArchive>): Promise<Contents> {
  for (;;) {
    const { done, value } = await pieces.next()
    if (done) return value
  }
}

async function openArchive(file: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    return (await open(file)).createReadStream()
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'The file does not exist'
        : 'The file cannot be read'
    throw new TransferError(`${reason}: ${file}`)
  }
}

async function holding<T>(root: string, work: (directory: DataDirectory) => Promise<T>): Promise<T> {
  const directory = openDataDirectory(root)
  try {
    return await work(directory)
  } finally {
    directory.release()
  }
}

function collect(root: string, withSecrets: boolean, version: string): Archive {
  const isServers = version.startsWith('postgres-')
  const files: ArchivedFile[] = []
  const folders: string[] = []
  const pathOf = (path: string) => relative(root, path).split(sep).join('/')
  for (const part of PARTS.filter(name => existsSync(join(root, name)))) {
    folders.push(part)
    for (const { path, entry } of walk(join(root, part))) {
      if (entry.isDirectory()) folders.push(pathOf(path))
      else if (!isServers || !isWrittenAnew(pathOf(path)))
        files.push({ path: pathOf(path), bytes: readRegular(path) })
    }
  }
  if (withSecrets) files.push({ path: SECRETS, bytes: readFileSync(join(root, SECRETS)) })
  return { files, folders }
}

/** Another user may own the cluster of a server, and replace a file by a link to one of this user. */
function readRegular(path: string): Uint8Array {
  const isLink = (error: unknown) => fieldOf(error, 'code') === 'ELOOP'
  try {
    const file = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
    try {
      if (fstatSync(file).isFile()) return readFileSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (!isLink(error)) throw error
  }
  throw new TransferError(`${path} is a link, or no file, which a data directory never has. Remove it.`)
}
