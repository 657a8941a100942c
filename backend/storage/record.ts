// Writes an object's record under the policies of whoever uploads.
import { createHash } from 'node:crypto'
import type { Database, Queries } from '../database/index.ts'
import { assumeRole } from '../database/roles.ts'
import { FIND, type ObjectMetadata, type ObjectRow, type Place } from './rows.ts'
import type { Upload } from './upload.ts'
import type { Claims } from '../keys/tokens.ts'

export interface Recording {
  readonly claims: Claims
  readonly place: Place
  readonly upload: Upload
  readonly version: string
  readonly mayReplace: boolean
}

interface Recorded {
  readonly id: string
  /** The version that it took the place of. */
  readonly replaced: string | undefined
}

/** Writes the record as the caller, and reads what it replaced as the owner. */
export function record(database: Database, recording: Recording): Promise<Recorded> {
  return database.owner(tx => insert(tx, recording))
}

/** Does the same and takes it back; rejects where the policies forbid it. */
export async function tryRecord(database: Database, recording: Recording): Promise<void> {
  const undo = new Error('Taken back')
  const attempt = database.owner(async tx => {
    await insert(tx, recording)
    throw undo
  })
  await attempt.catch((error: unknown) => {
    if (error !== undo) throw error
  })
}

async function insert(
  tx: Queries,
  { claims, place, upload, version, mayReplace }: Recording,
): Promise<Recorded> {
  const [before] = await tx.query<ObjectRow>(FIND, [place.bucket, place.name])
  await assumeRole(tx, claims)
  await tx.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
       values ($1, $2, $3::uuid, $3, $4, $5, $6)${mayReplace ? ON_CONFLICT : ''}`,
    [place.bucket, place.name, claims.sub ?? null, version, metadataOf(upload), upload.userMetadata ?? null],
  )
  await tx.query("select set_config('role', 'none', true)")
  const [after] = await tx.query<ObjectRow>(FIND, [place.bucket, place.name])
  return { id: after?.id ?? '', replaced: before?.version }
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
