// Writes an object's record under the uploader's policies.
import { type Database, type Queries, assumeClaims } from '../database/index.ts'
import { FIND, type ObjectMetadata, type ObjectRow, type Place } from './rows.ts'
import type { UploadInfo } from './upload.ts'
import type { Claims } from '../keys/index.ts'

/** The bytes of an upload, in any form. */
export interface Content {
  readonly size: number
  readonly md5: string
}

export interface Recording {
  readonly claims: Claims
  readonly place: Place
  readonly upload: UploadInfo
  readonly content: Content
  readonly version: string
  readonly mayReplace: boolean
}

interface Recorded {
  readonly id: string
  /** The version that it replaced. */
  readonly replaced: string | undefined
}

/** Writes a record as the caller; rejects if the policies forbid it. */
export async function record(database: Database, recording: Recording): Promise<Recorded> {
  await tryRecord(database, recording)
  return database.owner(async tx => {
    await assumeClaims(tx, recording.claims)
    return insert(tx, recording, metadataOf(recording))
  })
}

/** Rejects if the policies forbid the record; writes nothing. */
export function tryRecord(database: Database, recording: Omit<Recording, 'version'>): Promise<void> {
  return database.as(recording.claims, tx => tryInsert(tx, recording, metadataOf(recording)))
}

/** Inserts as the caller, who may set neither version nor owner, and rolls back. */
async function tryInsert(
  tx: Queries,
  { place, upload, mayReplace }: Omit<Recording, 'version'>,
  metadata: ObjectMetadata,
): Promise<void> {
  await tx.query('savepoint attempt')
  await tx.query(
    `insert into storage.objects (bucket_id, name, metadata, user_metadata)
       values ($1, $2, $3, $4)${mayReplace ? `${ON_CONFLICT}, ${CONTENT}` : ''}`,
    [place.bucket, place.name, metadata, upload.userMetadata ?? null],
  )
  await tx.query('rollback to savepoint attempt')
}

async function insert(
  tx: Queries,
  { claims, place, upload, version, mayReplace }: Recording,
  metadata: ObjectMetadata,
): Promise<Recorded> {
  const [before] = await tx.query<ObjectRow>(FIND, [place.bucket, place.name])
  const [after] = await tx.query<{ id: string }>(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
       values ($1, $2, $3::uuid, $3, $4, $5, $6)
       ${mayReplace ? `${ON_CONFLICT}, version = excluded.version, ${CONTENT}` : ''} returning id`,
    [place.bucket, place.name, claims.sub ?? null, version, metadata, upload.userMetadata ?? null],
  )
  return { id: after?.id ?? '', replaced: before?.version }
}

const ON_CONFLICT = ' on conflict (bucket_id, name) do update set updated_at = now()'
const CONTENT = 'metadata = excluded.metadata, user_metadata = excluded.user_metadata'

function metadataOf({ upload, content }: Pick<Recording, 'upload' | 'content'>): ObjectMetadata {
  return {
    eTag: `"${content.md5}"`,
    size: content.size,
    mimetype: upload.contentType,
    cacheControl: upload.cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: content.size,
    httpStatusCode: 200,
  }
}
