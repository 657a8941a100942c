// Object records under row-level security, together with their contents.
import { createHash, randomUUID } from 'node:crypto'
import { assumeRole, type Database, type Queries } from '../database.ts'
import { explain, noSuchBucket, noSuchKey } from './failure.ts'
import { checkName, checkUpload } from './rules.ts'
import type { Blobs } from './blobs.ts'
import type { Upload } from './upload.ts'
import type { Claims } from '../tokens.ts'

/** What is known of a file's content; written at upload. */
export interface ObjectMetadata {
  readonly eTag: string
  readonly size: number
  readonly mimetype: string
  readonly cacheControl: string
  readonly lastModified: string
  readonly contentLength: number
  readonly httpStatusCode: number
}

export interface ObjectRow {
  readonly id: string
  readonly bucket_id: string
  readonly name: string
  readonly owner: string | null
  readonly version: string
  readonly metadata: ObjectMetadata
  readonly user_metadata: unknown
  readonly created_at: string
  readonly updated_at: string
  readonly last_accessed_at: string
}

export interface BucketRow {
  readonly id: string
  readonly name: string
  readonly owner: string | null
  readonly public: boolean
  readonly file_size_limit: number | null
  readonly allowed_mime_types: string[] | null
  readonly created_at: string
  readonly updated_at: string
}

export interface Place {
  readonly bucket: string
  readonly name: string
}

const FIND = 'select * from storage.objects where bucket_id = $1 and name = $2'

export class ObjectStore {
  readonly #database: Database
  readonly #blobs: Blobs

  constructor(database: Database, blobs: Blobs) {
    this.#database = database
    this.#blobs = blobs
  }

  async find(claims: Claims, place: Place): Promise<ObjectRow> {
    return one(await this.#as(claims, tx => tx.query<ObjectRow>(FIND, [place.bucket, place.name])))
  }

  /** Past the policies: for public buckets and signed addresses. */
  async findAsOwner(place: Place): Promise<ObjectRow> {
    return one(await this.#database.owner(tx => tx.query<ObjectRow>(FIND, [place.bucket, place.name])))
  }

  async read(row: ObjectRow): Promise<Uint8Array> {
    const bytes = await this.#blobs.get(row.version)
    if (!bytes) throw noSuchKey()
    return bytes
  }

  async bucket(id: string): Promise<BucketRow> {
    const [row] = await this.#database.owner(tx =>
      tx.query<BucketRow>('select * from storage.buckets where id = $1', [id]),
    )
    if (!row) throw noSuchBucket()
    return row
  }

  async write(claims: Claims, place: Place, upload: Upload, mayReplace: boolean): Promise<{ id: string }> {
    checkName(place.name)
    checkUpload(await this.bucket(place.bucket), upload)
    const version = randomUUID()
    await this.#blobs.put(version, upload.bytes)
    try {
      const recording = { claims, place, upload, version, mayReplace }
      const { id, replaced } = await record(this.#database, recording)
      if (replaced !== undefined) await this.#blobs.remove([replaced])
      return { id }
    } catch (error) {
      await this.#blobs.remove([version])
      throw explain(error)
    }
  }

  async move(claims: Claims, from: Place, to: Place): Promise<void> {
    checkName(to.name)
    await this.bucket(to.bucket)
    const sql = `update storage.objects set bucket_id = $3, name = $4, updated_at = now()
      where bucket_id = $1 and name = $2 returning *`
    one(await this.#as(claims, tx => tx.query<ObjectRow>(sql, [from.bucket, from.name, to.bucket, to.name])))
  }

  async copy(claims: Claims, from: Place, to: Place, mayReplace: boolean): Promise<{ id: string }> {
    const source = await this.find(claims, from)
    return this.write(claims, to, { ...describe(source), bytes: await this.read(source) }, mayReplace)
  }

  async remove(claims: Claims, bucket: string, names: readonly string[]): Promise<ObjectRow[]> {
    const sql = 'delete from storage.objects where bucket_id = $1 and name = any ($2::text[]) returning *'
    const rows = await this.#as(claims, tx => tx.query<ObjectRow>(sql, [bucket, [...names]]))
    await this.#blobs.remove(rows.map(row => row.version))
    return rows
  }

  /** Everything whose name begins so, whatever the case of its letters. */
  async under(claims: Claims, bucket: string, prefix: string): Promise<ObjectRow[]> {
    const sql =
      'select * from storage.objects where bucket_id = $1 and starts_with(lower(name), lower($2)) order by name'
    return this.#as(claims, tx => tx.query<ObjectRow>(sql, [bucket, prefix]))
  }

  async #as<T>(claims: Claims, work: (tx: Queries) => Promise<T>): Promise<T> {
    try {
      return await this.#database.as(claims, work)
    } catch (error) {
      throw explain(error)
    }
  }
}

function one(rows: readonly ObjectRow[]): ObjectRow {
  if (!rows[0]) throw noSuchKey()
  return rows[0]
}

interface Recording {
  readonly claims: Claims
  readonly place: Place
  readonly upload: Upload
  readonly version: string
  readonly mayReplace: boolean
}

/** Writes the record as the caller, and reads what it replaced as the owner. */
function record(
  database: Database,
  recording: Recording,
): Promise<{ id: string; replaced: string | undefined }> {
  const { claims, place, upload, version, mayReplace } = recording
  return database.owner(async tx => {
    const [before] = await tx.query<ObjectRow>(FIND, [place.bucket, place.name])
    await assumeRole(tx, claims)
    await tx.query(
      `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
       values ($1, $2, $3::uuid, $3, $4, $5, $6)${mayReplace ? ON_CONFLICT : ''}`,
      [
        place.bucket,
        place.name,
        claims.sub ?? null,
        version,
        metadataOf(upload),
        upload.userMetadata ?? null,
      ],
    )
    await tx.query("select set_config('role', 'none', true)")
    const [after] = await tx.query<ObjectRow>(FIND, [place.bucket, place.name])
    return { id: after?.id ?? '', replaced: before?.version }
  })
}

const ON_CONFLICT = ` on conflict (bucket_id, name) do update set version = excluded.version,
  metadata = excluded.metadata, user_metadata = excluded.user_metadata, updated_at = now()`

function metadataOf(upload: Upload): ObjectMetadata {
  return {
    eTag: `"${createHash('md5').update(upload.bytes).digest('hex')}"`,
    size: upload.bytes.byteLength,
    mimetype: upload.contentType,
    cacheControl: upload.cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: upload.bytes.byteLength,
    httpStatusCode: 200,
  }
}

function describe(row: ObjectRow): Omit<Upload, 'bytes'> {
  return {
    contentType: row.metadata.mimetype,
    cacheControl: row.metadata.cacheControl,
    userMetadata: row.user_metadata,
  }
}
