// Object routes: upload, download, list, remove, move and copy.
import type { Context } from 'hono'
import { answerFile } from './answer-file.ts'
import { listBody, pageBody, readBody, removeBody, transferBody } from './bodies.ts'
import { noSuchBucket, noSuchKey } from './failure.ts'
import { listFolder, listPage } from './listing.ts'
import { readUpload } from './upload.ts'
import type { StorageApp } from './index.ts'
import type { ObjectStore } from './objects.ts'
import { type ObjectRow, withIsoTimes } from './rows.ts'
import type { Claims } from '../keys/index.ts'

type PlaceContext<Path extends string> = Context<{ Variables: { claims: Claims } }, Path>

export function addObjectRoutes(app: StorageApp, objects: ObjectStore): void {
  addListRoute(app, objects)
  addPageRoute(app, objects)
  addTransferRoutes(app, objects)
  addRemoveRoutes(app, objects)
  app.get('/object/public/:bucket/:name{.+}', async context => {
    const place = context.req.param()
    if (!(await objects.bucket(place.bucket)).public) throw noSuchBucket()
    return answerFile(context.req.raw, objects, await objects.findAsOwner(place))
  })
  app.get('/object/info/public/:bucket/:name{.+}', async context => {
    const place = context.req.param()
    if (!(await objects.bucket(place.bucket)).public) throw noSuchBucket()
    return context.json(toInfo(await objects.findAsOwner(place)))
  })
  app.get('/object/info/:bucket/:name{.+}', async context =>
    context.json(toInfo(await objects.find(context.var.claims, context.req.param()))),
  )
  const download = async (context: PlaceContext<'/object/:bucket/:name{.+}'>) => {
    const place = context.req.param()
    // Whether the bucket exists is public, as in the official server.
    await objects.bucket(place.bucket)
    return answerFile(context.req.raw, objects, await objects.find(context.var.claims, place))
  }
  app.get('/object/authenticated/:bucket/:name{.+}', download)
  app.get('/object/:bucket/:name{.+}', download)
  const upload = async (context: PlaceContext<'/object/:bucket/:name{.+}'>, mayReplace: boolean) => {
    const place = context.req.param()
    const { id } = await objects.write(
      context.var.claims,
      place,
      await readUpload(context.req.raw),
      mayReplace,
    )
    return context.json({ Id: id, Key: `${place.bucket}/${place.name}` })
  }
  app.post('/object/:bucket/:name{.+}', context => upload(context, context.req.header('x-upsert') === 'true'))
  app.put('/object/:bucket/:name{.+}', context => upload(context, true))
}

function addListRoute(app: StorageApp, objects: ObjectStore): void {
  app.post('/object/list/:bucket', async context => {
    const body = await readBody(context.req.raw, listBody)
    const prefix = body.prefix === '' || body.prefix.endsWith('/') ? body.prefix : `${body.prefix}/`
    const rows = await objects.under(context.var.claims, context.req.param('bucket'), prefix + body.search)
    const { search, limit, offset, sortBy } = body
    return context.json(
      listFolder(rows, {
        prefix,
        search,
        limit,
        offset,
        sortBy: sortBy.column ?? 'name',
        order: sortBy.order ?? 'asc',
      }),
    )
  })
}

function addPageRoute(app: StorageApp, objects: ObjectStore): void {
  app.post('/object/list-v2/:bucket', async context => {
    const body = await readBody(context.req.raw, pageBody)
    const rows = await objects.under(context.var.claims, context.req.param('bucket'), body.prefix)
    return context.json(
      listPage(
        rows.filter(({ name }) => name.startsWith(body.prefix)),
        body,
      ),
    )
  })
}

function addTransferRoutes(app: StorageApp, objects: ObjectStore): void {
  app.post('/object/move', async context => {
    const body = await readBody(context.req.raw, transferBody)
    const to = { bucket: body.destinationBucket ?? body.bucketId, name: body.destinationKey }
    await objects.move(context.var.claims, { bucket: body.bucketId, name: body.sourceKey }, to)
    return context.json({ message: 'Successfully moved' })
  })
  app.post('/object/copy', async context => {
    const body = await readBody(context.req.raw, transferBody)
    const to = { bucket: body.destinationBucket ?? body.bucketId, name: body.destinationKey }
    const from = { bucket: body.bucketId, name: body.sourceKey }
    const { id } = await objects.copy(context.var.claims, from, to, context.req.header('x-upsert') === 'true')
    return context.json({ Id: id, Key: `${to.bucket}/${to.name}` })
  })
}

function addRemoveRoutes(app: StorageApp, objects: ObjectStore): void {
  app.delete('/object/:bucket', async context => {
    const { prefixes } = await readBody(context.req.raw, removeBody)
    const bucket = context.req.param('bucket')
    // As PostgREST offers it for rows; the hosted storage server does not, and never names it as applied.
    const isTrial = /\btx=rollback\b/.test(context.req.header('prefer') ?? '')
    if (isTrial) context.header('preference-applied', 'tx=rollback')
    const removed = isTrial
      ? await objects.tryRemove(context.var.claims, bucket, prefixes)
      : await objects.remove(context.var.claims, bucket, prefixes)
    return context.json(removed.map(withIsoTimes))
  })
  app.delete('/object/:bucket/:name{.+}', async context => {
    const { bucket, name } = context.req.param()
    if ((await objects.remove(context.var.claims, bucket, [name])).length === 0) throw noSuchKey()
    return context.json({ message: 'Successfully deleted' })
  })
}

function toInfo(stored: ObjectRow): Record<string, unknown> {
  const row = withIsoTimes(stored)
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    bucket_id: row.bucket_id,
    size: row.metadata.size,
    content_type: row.metadata.mimetype,
    cache_control: row.metadata.cacheControl,
    etag: row.metadata.eTag,
    metadata: row.user_metadata ?? {},
    last_modified: row.metadata.lastModified,
    created_at: row.created_at,
  }
}
