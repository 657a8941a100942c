// A data directory as one file: a gzipped tar whose first entry says what is in it and what it must come out as.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { createTar, parseTar } from 'nanotar'
import * as v from 'valibot'

/** A file of the archive, by its path inside the data directory. */
export interface ArchivedFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface Archive {
  readonly files: readonly ArchivedFile[]
  /** PostgreSQL wants its empty folders back. */
  readonly folders: readonly string[]
}

/** Thrown for an archive that can't be used; the message names the damage. */
class ArchiveError extends Error {
  override name = 'ArchiveError'
}

const MANIFEST = 'chartroom.json'
const FORMAT = 'chartroom-data'
const VERSION = 1

/** What an archive may hold, so that nothing of it lands elsewhere. */
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
const unzip = promisify(gunzip)
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** @param database - version of the database that wrote the files, for only that one opens them */
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

/** @throws ArchiveError for what is no archive, damaged, or of another version */
export async function unpackArchive(packed: Uint8Array, database: string): Promise<Archive> {
  const [first, ...entries] = await readEntries(packed)
  const manifest = readManifest(first?.name === MANIFEST ? first.text : '', database)
  const files = entries.map(({ name, data = new Uint8Array() }) => ({ path: name, bytes: data }))
  const expected = new Map(Object.entries(manifest.files))
  for (const { path, bytes } of files) {
    if (expected.get(path) !== digest(bytes))
      throw new ArchiveError(`It is damaged: ${path} is not what was exported.`)
    expected.delete(path)
  }
  const [missing] = expected.keys()
  if (missing !== undefined) throw new ArchiveError(`It is damaged: ${missing} is missing.`)
  return { files, folders: manifest.folders }
}

async function readEntries(packed: Uint8Array) {
  try {
    // parseTar reads from the start of the memory that lies behind a view.
    return parseTar(new Uint8Array(await unzip(packed)))
  } catch {
    throw new ArchiveError('It is damaged, or no export of Chartroom.')
  }
}

function readManifest(text: string, database: string) {
  const parsed = v.safeParse(manifestSchema, parseJson(text))
  if (!parsed.success)
    throw new ArchiveError('It is no export of Chartroom, or its list of contents is damaged.')
  const manifest = parsed.output
  if (manifest.version > VERSION) {
    throw new ArchiveError(
      `It was made by a newer Chartroom (format ${manifest.version}; this one reads ${VERSION}).`,
    )
  }
  if (manifest.database !== database) {
    throw new ArchiveError(
      `Its database is of version ${manifest.database}, and this one only opens ${database}.`,
    )
  }
  return manifest
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
