// Object records under row-level security, and their contents.
import { createHash, randomUUID } from 'node:crypto'
import type { Database, Queries } from '../database/index.ts'
import { UnavailableError } from '../shared/unavailable.ts'
import { accessDenied, explain, noRelated, noSuchBucket, noSuchKey } from './failure.ts'
import { record, tryRecord, type Content, type Recording } from './record.ts'
import { FIND, readObjectMetadata, type ObjectRow, type Place, type BucketRow } from './rows.ts'
import { checkName, checkType, largestFile, tooLarge } from './rules.ts'
import type { BlobContent, Blobs, ByteSource } from './blobs.ts'
import type { Upload, UploadInfo } from './upload.ts'
import type { Claims } from '../keys/index.ts'

export class ObjectStore {
  readonly #database: Database
  readonly #blobs: Blobs
  readonly #largest: number

  /** @param largest the size of the largest file of any bucket, in bytes */
  constructor(database: Database, blobs: Blobs, largest = Infinity) {
    this.#database = database
    this.#blobs = blobs
    this.#largest = largest
  }

  async find(claims: Claims, place: Place): Promise<ObjectRow> {
    checkName(place.name)
    return one(await this.#as(claims, tx => tx.query<ObjectRow>(FIND, [place.bucket, place.name])))
  }

  /** As everyone, if the bucket is public; `undefined` claims are those of a request with an invalid token. */
  async findReadable(claims: Claims | undefined, place: Place): Promise<ObjectRow> {
    const bucket = await this.bucket(place.bucket)
    if (bucket.public) return this.findAsOwner(place)
    if (!claims) throw noSuchBucket()
    return this.find(claims, place)
  }

  /** Whatever the policies say, if the bucket is public. */
  async findPublic(place: Place): Promise<ObjectRow> {
    return this.findReadable(undefined, place)
  }

  /** Bypasses the policies: for public buckets and signed URLs. */
  async findAsOwner(place: Place): Promise<ObjectRow> {
    checkName(place.name)
    return one(await this.#database.owner(tx => tx.query<ObjectRow>(FIND, [place.bucket, place.name])))
  }

  async open(row: ObjectRow): Promise<BlobContent> {
    const content = await this.#blobs.open(row.version)
    if (!content) throw noSuchKey()
    return content
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
    const bucket = await this.bucket(place.bucket)
    checkType(bucket, place.name, upload.contentType)
    const version = randomUUID()
    const md5 = createHash('md5')
    const largest = largestFile(bucket, place.name, this.#largest)
    let size = 0
    await this.#blobs.put(
      version,
      watched(upload.bytes, chunk => {
        size += chunk.byteLength
        if (size > largest) throw tooLarge()
        md5.update(chunk)
      }),
    )
    const content = { size, md5: md5.digest('hex') }
    return this.#record({ claims, place, upload, content, version, mayReplace })
  }

  /** Stores what was appended to the blob of a version. */
  async finish(recording: Recording): Promise<void> {
    const { place, upload, content, version } = recording
    const bucket = await this.bucket(place.bucket)
    checkType(bucket, place.name, upload.contentType)
    if (content.size > largestFile(bucket, place.name, this.#largest)) throw tooLarge()
    await this.#blobs.finish(version)
    await this.#record(recording)
  }

  async #record(recording: Recording): Promise<{ id: string }> {
    try {
      const { id, replaced } = await record(this.#database, recording)
      if (replaced !== undefined) await this.#blobs.remove([replaced])
      return { id }
    } catch (error) {
      // If the database fails during COMMIT, the record may exist and still need its file.
      if (!(error instanceof UnavailableError)) await this.#blobs.remove([recording.version])
      throw explain(error)
    }
  }

  /**
   * Rejects what `write` would reject because of the policies, or of the bucket's limits if the file is
   * known; changes nothing.
   */
  async checkWrite(claims: Claims, place: Place, mayReplace: boolean, file?: ExpectedFile): Promise<void> {
    checkName(place.name)
    if (file) {
      const bucket = await this.bucket(place.bucket)
      checkType(bucket, place.name, file.contentType)
      if (file.size > largestFile(bucket, place.name, this.#largest)) throw tooLarge()
    }
    try {
      await tryRecord(this.#database, { claims, place, upload: NOTHING, content: EMPTY, mayReplace })
    } catch (error) {
      throw explain(error)
    }
  }

  async move(claims: Claims, from: Place, to: Place): Promise<void> {
    checkName(from.name)
    checkName(to.name)
    // The owner's view tells a missing object from one that may not be moved.
    await this.findAsOwner(from)
    const sql = `update storage.objects set bucket_id = $3, name = $4, updated_at = now()
      where bucket_id = $1 and name = $2 returning *`
    one(await this.#as(claims, tx => tx.query<ObjectRow>(sql, [from.bucket, from.name, to.bucket, to.name])))
  }

  /** @returns the new object */
  async copy(claims: Claims, from: Place, to: Place, options: CopyOptions): Promise<ObjectRow> {
    const source = await this.find(claims, from)
    await this.bucket(to.bucket).catch(() => {
      throw noRelated()
    })
    const content = await this.open(source)
    const upload = { ...describe(source), ...options.changes, bytes: content.stream() }
    await this.write(claims, to, upload, options.mayReplace)
    return this.findAsOwner(to)
  }

  /** Removes one object; tells a missing one from one that may not be removed. */
  async removeOne(claims: Claims, place: Place): Promise<void> {
    await this.findAsOwner(place)
    const removed = await this.remove(claims, place.bucket, [place.name])
    if (removed.length === 0) throw accessDenied('Access denied')
  }

  async remove(claims: Claims, bucket: string, names: readonly string[]): Promise<ObjectRow[]> {
    const rows = await this.#as(claims, tx => tx.query<ObjectRow>(DELETE, [bucket, [...names]]))
    await this.#blobs.remove(rows.map(row => row.version))
    return rows
  }

  /** The objects that `remove` would remove; changes nothing. */
  async tryRemove(claims: Claims, bucket: string, names: readonly string[]): Promise<ObjectRow[]> {
    return this.#as(claims, async tx => {
      await tx.query('savepoint attempt')
      const rows = await tx.query<ObjectRow>(DELETE, [bucket, [...names]])
      await tx.query('rollback to savepoint attempt')
      return rows
    })
  }

  /** All objects whose name starts with the prefix, ignoring case. */
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

interface CopyOptions {
  readonly mayReplace: boolean
  /** What differs from the source. */
  readonly changes: Partial<UploadInfo>
}

/** The properties of a file that is not sent yet. */
interface ExpectedFile {
  readonly size: number
  readonly contentType: string
}

/** Calls `onChunk` for each chunk before it is passed on. */
async function* watched(bytes: ByteSource, onChunk: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onChunk(chunk)
    yield chunk
  }
}

const DELETE = 'delete from storage.objects where bucket_id = $1 and name = any ($2::text[]) returning *'
const NOTHING = { contentType: '', cacheControl: '', userMetadata: undefined }
const EMPTY: Content = { size: 0, md5: '' }

function one(rows: readonly ObjectRow[]): ObjectRow {
  const [row] = rows
  if (!row) throw noSuchKey()
  return { ...row, metadata: readObjectMetadata(row.metadata) }
}

function describe(row: ObjectRow): UploadInfo {
  return {
    contentType: row.metadata.mimetype,
    cacheControl: row.metadata.cacheControl,
    userMetadata: row.user_metadata,
  }
}
