// Object records under row-level security, together with their contents.
import { randomUUID } from 'node:crypto'
import type { Database, Queries } from '../database/index.ts'
import { explain, noSuchBucket, noSuchKey } from './failure.ts'
import { record, tryRecord } from './record.ts'
import { FIND, type ObjectRow, type Place, type BucketRow } from './rows.ts'
import { checkName, checkUpload, type Measure } from './rules.ts'
import type { Blobs } from './blobs.ts'
import type { Upload } from './upload.ts'
import type { Claims } from '../keys/tokens.ts'

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
    checkUpload(await this.bucket(place.bucket), {
      size: upload.bytes.byteLength,
      contentType: upload.contentType,
    })
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

  /**
   * Refuses what `write` would refuse for the sake of the policies, and of the bucket's limits where the file is
   * known; leaves everything as it is.
   */
  async checkWrite(claims: Claims, place: Place, mayReplace: boolean, measure?: Measure): Promise<void> {
    checkName(place.name)
    const bucket = await this.bucket(place.bucket)
    if (measure) checkUpload(bucket, measure)
    try {
      await tryRecord(this.#database, { claims, place, upload: NOTHING, version: 'none', mayReplace })
    } catch (error) {
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

const NOTHING: Upload = {
  bytes: new Uint8Array(),
  contentType: '',
  cacheControl: '',
  userMetadata: undefined,
}

function one(rows: readonly ObjectRow[]): ObjectRow {
  if (!rows[0]) throw noSuchKey()
  return rows[0]
}

function describe(row: ObjectRow): Omit<Upload, 'bytes'> {
  return {
    contentType: row.metadata.mimetype,
    cacheControl: row.metadata.cacheControl,
    userMetadata: row.user_metadata,
  }
}
