// A data directory as one file: a gzipped tar whose first entry lists the contents and their checksums.
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { createTar } from 'nanotar'
import * as v from 'valibot'
import { ArchiveError, notAnExport } from './archive-error.ts'
import { foreignPath, isWrittenAnew } from './cluster-paths.ts'
import type { Piece } from '../shared/staged-import.ts'
import { readTar } from './tar.ts'

/** A file of the archive, by its path in the data directory. */
export interface ArchivedFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface Archive {
  readonly files: readonly ArchivedFile[]
  /** PostgreSQL requires its empty folders. */
  readonly folders: readonly string[]
}

const MANIFEST = 'chartroom.json'
const FORMAT = 'chartroom-data'
const VERSION = 1

/** Valid paths in an archive, so that no file is written elsewhere. */
const pathSchema = v.pipe(
  v.string(),
  v.regex(/^(?:secrets\.json|(?:database|objects)(?:\/[\w.-]+)*)$/),
  v.check(path => !path.split('/').some(part => part === '..' || part === '.')),
)

const manifestSchema = v.object({
  format: v.literal(FORMAT),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  database: v.string(),
  files: v.record(pathSchema, v.string()),
  folders: v.array(pathSchema),
})

const zip = promisify(gzip)
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** @param database version of the database that wrote the files, because only this version opens them */
export async function packArchive({ files, folders }: Archive, database: string): Promise<Uint8Array> {
  const manifest = {
    format: FORMAT,
    version: VERSION,
    database,
    files: Object.fromEntries(files.map(({ path, bytes }) => [path, digest(bytes)])),
    folders,
  }
  const entries = files.map(({ path, bytes }) => ({ name: path, data: bytes }))
  const first = { name: MANIFEST, data: JSON.stringify(manifest) }
  return zip(createTar([first, ...entries]), { level: 6 })
}

/** Maximum compression ratio of an archive: a database of mostly empty pages reaches a tenth of it. */
const LARGEST_RATIO = 200
const ALWAYS_ALLOWED = 64 * 1024 * 1024
const LARGEST_MANIFEST = 64 * 1024 * 1024

/** What a whole archive contains. */
export interface Contents {
  readonly folders: readonly string[]
  readonly isOfServer: boolean
}

/** The versions of databases that can be opened here. */
export interface DatabaseVersions {
  canOpen(version: string): boolean
  /** Named in errors. */
  readonly preferred: string
}

/**
 * Reads an archive of any size piece by piece, without the configuration of a server; returns its folders. Damage may
 * only be detected at the last piece.
 * @throws ArchiveError if the archive is invalid, damaged, of another version, or larger than any export
 */
export async function* readArchive(
  archive: AsyncIterable<Uint8Array>,
  database: DatabaseVersions,
): AsyncGenerator<Piece, Contents> {
  let manifest: ReturnType<typeof readManifest> | undefined
  let first: Uint8Array[] = []
  let sum: { readonly path: string; readonly hash: Hash } | undefined
  const expected = new Map<string, string>()
  const endFile = () => {
    if (sum && expected.get(sum.path) !== sum.hash.digest('hex'))
      throw new ArchiveError(`The file is damaged: ${sum.path} differs from the export.`)
    if (sum) expected.delete(sum.path)
  }
  const endManifest = () => {
    manifest = readManifest(Buffer.concat(first).toString(), database)
    first = []
    for (const [path, digest] of Object.entries(manifest.files)) expected.set(path, digest)
  }
  for await (const { path, at, bytes } of readTar(unpacked(archive))) {
    if (path === MANIFEST && !manifest) {
      if (at > LARGEST_MANIFEST) throw new ArchiveError('The list of contents is too long.')
      first.push(bytes)
      continue
    }
    if (!manifest) endManifest()
    if (at === 0) {
      endFile()
      if (!expected.has(path)) throw new ArchiveError(`The file is damaged: ${path} differs from the export.`)
      sum = { path, hash: createHash('sha256') }
    }
    sum?.hash.update(bytes)
    if (!manifest || !isOfServer(manifest) || !isWrittenAnew(path)) yield { path, at, bytes }
  }
  if (!manifest) endManifest()
  endFile()
  const [missing] = expected.keys()
  if (missing !== undefined) throw new ArchiveError(`The file is damaged: ${missing} is missing.`)
  return { folders: manifest?.folders ?? [], isOfServer: manifest !== undefined && isOfServer(manifest) }
}

/** Whether the database is the cluster of a server, which runs as a program of this machine. */
const isOfServer = ({ database }: { readonly database: string }) => database.startsWith('postgres-')

/** @throws ArchiveError if the data is not gzip, cut short, or unpacks to far more than its size */
async function* unpacked(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [consumed, yielded] = [0, 0]
  const measured = async function* () {
    for await (const chunk of archive) {
      consumed += chunk.byteLength
      yield chunk
    }
  }
  const source = Readable.from(measured())
  const gunzip = source.pipe(createGunzip({ chunkSize: 256 * 1024 }))
  source.once('error', error => gunzip.destroy(error))
  const chunks: AsyncIterable<Uint8Array> = gunzip
  try {
    for await (const chunk of chunks) {
      yielded += chunk.byteLength
      if (yielded > ALWAYS_ALLOWED + consumed * LARGEST_RATIO)
        throw new ArchiveError('The file unpacks to more than any export contains.')
      yield chunk
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : notAnExport()
  }
}

function readManifest(text: string, { canOpen, preferred }: DatabaseVersions) {
  const parsed = v.safeParse(manifestSchema, parseJson(text))
  if (!parsed.success)
    throw new ArchiveError('The file is not a Chartroom export, or its list of contents is damaged.')
  const manifest = parsed.output
  if (manifest.version > VERSION) {
    throw new ArchiveError(
      `The file was created by a newer Chartroom (format ${manifest.version}; this one reads ${VERSION}).`,
    )
  }
  if (!canOpen(manifest.database)) {
    throw new ArchiveError(
      `Its database has version ${manifest.database}, but this Chartroom only opens ${preferred}.`,
    )
  }
  const foreign = isOfServer(manifest) && foreignPath(Object.keys(manifest.files), manifest.folders)
  if (foreign)
    throw new ArchiveError(
      `The file contains ${foreign}, which is no data of a database, so it is no export.`,
    )
  return manifest
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
