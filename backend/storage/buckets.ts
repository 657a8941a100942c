// Bucket routes; the policies of storage.buckets decide who may use them.
import { bucketBody, readBody } from './bodies.ts'
import { invalidRequest, noSuchBucket } from './failure.ts'
import type { StorageApp } from './index.ts'
import type { ObjectStore } from './objects.ts'
import { type BucketRow, withIsoTimes } from './rows.ts'
import type { Database } from '../database/index.ts'

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }
const MANY = 100_000
/** The columns that the storage server sends. */
const BUCKETS = `select id, name, public, owner, created_at, updated_at, file_size_limit, allowed_mime_types
  from storage.buckets`

export function addBucketRoutes(app: StorageApp, database: Database, objects: ObjectStore): void {
  app.get('/bucket', async context => {
    const rows = await database.as(context.var.claims, tx => tx.query<BucketRow>(`${BUCKETS} order by id`))
    return context.json(rows.map(withIsoTimes))
  })
  app.get('/bucket/:id', async context => {
    const rows = await database.as(context.var.claims, tx =>
      tx.query<BucketRow>(`${BUCKETS} where id = $1`, [context.req.param('id')]),
    )
    if (!rows[0]) throw noSuchBucket()
    return context.json(withIsoTimes(rows[0]))
  })
  addBucketWrites(app, database)
  addBucketEnds(app, database, objects)
}

function addBucketWrites(app: StorageApp, database: Database): void {
  app.post('/bucket', async context => {
    const body = await readBody(context.req.raw, bucketBody)
    const id = body.id ?? body.name
    if (!id || !/^[\w.\- ]{1,100}$/.test(id)) throw invalidRequest('Bucket name invalid')
    await database.as(context.var.claims, tx =>
      tx.query(
        `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
         values ($1, $2, $3, $4, $5)`,
        [
          id,
          body.name ?? id,
          body.public ?? false,
          sizeOf(body.file_size_limit),
          body.allowed_mime_types ?? null,
        ],
      ),
    )
    return context.json({ name: id })
  })
  app.put('/bucket/:id', async context => {
    const body = await readBody(context.req.raw, bucketBody)
    const rows = await database.as(context.var.claims, tx =>
      tx.query(
        `update storage.buckets set public = coalesce($2, public), file_size_limit = coalesce($3, file_size_limit),
           allowed_mime_types = coalesce($4, allowed_mime_types), updated_at = now() where id = $1 returning id`,
        [
          context.req.param('id'),
          body.public ?? null,
          sizeOf(body.file_size_limit),
          body.allowed_mime_types ?? null,
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
    const id = context.req.param('id')
    const names = (await objects.under(claims, id, '')).map(row => row.name).slice(0, MANY)
    await objects.remove(claims, id, names)
    return context.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' })
  })
  app.delete('/bucket/:id', async context => {
    const rows = await database.as(context.var.claims, tx =>
      tx.query('delete from storage.buckets where id = $1 returning id', [context.req.param('id')]),
    )
    if (rows.length === 0) throw noSuchBucket()
    return context.json({ message: 'Successfully deleted' })
  })
}

function sizeOf(limit: number | string | null | undefined): number | null {
  if (limit === undefined || limit === null) return null
  const match = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(String(limit).trim())
  if (!match) throw invalidRequest(`"${limit}" is not a file size`)
  return Math.floor(Number(match[1]) * (UNITS[(match[2] ?? 'B').toUpperCase()] ?? 1))
}
