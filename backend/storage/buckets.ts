// Bucket routes; the policies of storage.buckets decide who may use them.
import {
  bucketBody,
  bucketsQuery,
  newBucketBody,
  readBody,
  readQuery,
  type BucketSettings,
} from './bodies.ts'
import { accessDenied, invalidType, noSuchBucket, notEmpty } from './failure.ts'
import type { StorageApp } from './app.ts'
import type { ObjectStore } from './objects.ts'
import { type BucketRow, withIsoTimes } from './rows.ts'
import { checkBucketName, tooLarge } from './rules.ts'
import type { Database } from '../database/index.ts'

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }
const LIST_LIMIT = 100_000
/** The columns that the storage server sends. */
const COLUMNS = `id, name, public, coalesce(owner::text, '') as owner, created_at, updated_at, file_size_limit,
  allowed_mime_types`

/** The storage server answers both. */
const COLLECTION = ['/bucket', '/bucket/']

/** @param largest the size of the largest file of any bucket, which no bucket can exceed */
export function addBucketRoutes(
  app: StorageApp,
  database: Database,
  objects: ObjectStore,
  largest: number,
): void {
  app.on('GET', COLLECTION, async context => {
    const query = await readQuery(context.req.url, bucketsQuery)
    const { limit = null, offset = 0, sortColumn = 'id', sortOrder = 'asc', search } = query
    // The names of columns and orders are those of the schema.
    const sql = `select ${COLUMNS}, 'STANDARD' as type from storage.buckets
      where $1::text is null or position(lower($1) in lower(name)) > 0
      order by ${sortColumn} ${sortOrder} limit $2 offset $3`
    const rows = await database.as(context.var.claims, tx =>
      tx.query<BucketRow>(sql, [search ?? null, limit, offset]),
    )
    return context.json(rows.map(withIsoTimes))
  })
  app.get('/bucket/:id', async context => {
    const rows = await database.as(context.var.claims, tx =>
      tx.query<BucketRow>(`select ${COLUMNS} from storage.buckets where id = $1`, [context.req.param('id')]),
    )
    if (!rows[0]) throw noSuchBucket()
    return context.json(withIsoTimes(rows[0]))
  })
  addBucketWrites(app, database, largest)
  addBucketEnds(app, database, objects)
}

function addBucketWrites(app: StorageApp, database: Database, largest: number): void {
  app.on('POST', COLLECTION, async context => {
    const body = await readBody(context.req.raw, newBucketBody)
    const { id = body.name, name } = body
    checkBucketName(name)
    checkBucketName(id)
    const { size = null, types = null } = settingsOf(body, largest)
    await database.as(context.var.claims, tx =>
      tx.query(
        `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
         values ($1, $2, $3, $4, $5)`,
        [id, name, body.public ?? false, size, types],
      ),
    )
    return context.json({ name })
  })
  app.put('/bucket/:id', async context => {
    const body = await readBody(context.req.raw, bucketBody)
    const { size, types } = settingsOf(body, largest)
    const rows = await database.as(context.var.claims, tx =>
      tx.query(
        `update storage.buckets set public = coalesce($2, public),
           file_size_limit = case when $3 then $4 else file_size_limit end,
           allowed_mime_types = case when $5 then $6 else allowed_mime_types end,
           updated_at = now() where id = $1 returning id`,
        [
          context.req.param('id'),
          body.public ?? null,
          size !== undefined,
          size ?? null,
          types !== undefined,
          types ?? null,
        ],
      ),
    )
    if (rows.length === 0) throw noSuchBucket()
    return context.json({ message: 'Successfully updated' })
  })
}

function addBucketEnds(app: StorageApp, database: Database, objects: ObjectStore): void {
  app.post('/bucket/:id/empty', async context => {
    const { claims } = context.var
    if (claims.role !== 'service_role') throw accessDenied('Access denied: Invalid role', 403)
    const { id } = await objects.bucket(context.req.param('id'))
    const names = (await objects.under(claims, id, '')).map(row => row.name).slice(0, LIST_LIMIT)
    await objects.remove(claims, id, names)
    return context.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' })
  })
  app.delete('/bucket/:id', async context => {
    const { id } = await objects.bucket(context.req.param('id'))
    const [first] = await database.owner(tx =>
      tx.query('select 1 from storage.objects where bucket_id = $1 limit 1', [id]),
    )
    if (first) throw notEmpty()
    const rows = await database.as(context.var.claims, tx =>
      tx.query('delete from storage.buckets where id = $1 returning id', [id]),
    )
    if (rows.length === 0) throw noSuchBucket()
    return context.json({ message: 'Successfully deleted' })
  })
}

interface Settings {
  /** In bytes; `null` removes the limit, and `undefined` keeps it. */
  readonly size: number | null | undefined
  readonly types: readonly string[] | null | undefined
}

const TYPE = /^[\w+.-]+\/[\w+.-]+(?:;\s*charset=[\w-]+)?$|\*$/
const LONGEST_TYPE = 1000

function settingsOf(
  { file_size_limit: limit, allowed_mime_types: allowedTypes }: BucketSettings,
  largest: number,
): Settings {
  const types = allowedTypes?.filter(type => type !== '') ?? allowedTypes
  const invalid = types?.find(type => type.length > LONGEST_TYPE || !TYPE.test(type))
  if (invalid !== undefined) throw invalidType(invalid)
  const size = typeof limit === 'string' ? sizeOf(limit) : limit
  if ((size ?? 0) > largest) throw tooLarge()
  return { size, types }
}

/** The schema has checked the form. As in the storage server, three digits count. */
function sizeOf(limit: string): number {
  const [, value = '', unit = 'B'] = /^([\d.]+)([a-z]+)$/i.exec(limit) ?? []
  return Math.floor(Number(Number(value).toPrecision(3)) * (UNITS[unit.toUpperCase()] ?? 1))
}
