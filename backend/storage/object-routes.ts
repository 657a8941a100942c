// Object routes: upload, download, list, remove, move and copy.
import type { Context } from 'hono'
import { answerFile, validatorsOf } from './answer-file.ts'
import { copyBody, listBody, moveBody, pageBody, readBody, removeBody, type TransferBody } from './bodies.ts'
import { listFolder, listPage } from './listing.ts'
import { readMetadataHeader, readUpload } from './upload.ts'
import { PLACE, type StorageApp, type StorageVariables } from './app.ts'
import type { ObjectStore } from './objects.ts'
import { type ObjectRow, type Place, withIsoTimes } from './rows.ts'

type PlaceContext = Context<StorageVariables, typeof PLACE>

export function addObjectRoutes(app: StorageApp, objects: ObjectStore): void {
  addListRoute(app, objects)
  addPageRoute(app, objects)
  addTransferRoutes(app, objects)
  addRemoveRoutes(app, objects)
  app.get(`/object/public/${PLACE}`, async context =>
    answerFile(context.req.raw, objects, await objects.findPublic(context.req.param())),
  )
  app.get(`/object/info/public/${PLACE}`, async context =>
    answerInfo(await objects.findPublic(context.req.param())),
  )
  app.on('GET', [`/object/info/authenticated/${PLACE}`, `/object/info/${PLACE}`], async context =>
    answerInfo(await objects.findReadable(context.var.identified, context.req.param())),
  )
  app.on('GET', [`/object/authenticated/${PLACE}`, `/object/${PLACE}`], async context =>
    answerFile(
      context.req.raw,
      objects,
      await objects.findReadable(context.var.identified, context.req.param()),
    ),
  )
  const upload = async (context: PlaceContext, mayReplace: boolean) => {
    const place = context.req.param()
    const { id } = await objects.write(
      context.var.claims,
      place,
      await readUpload(context.req.raw),
      mayReplace,
    )
    return context.json({ Id: id, Key: `${place.bucket}/${place.name}` })
  }
  app.post(`/object/${PLACE}`, context => upload(context, context.req.header('x-upsert') === 'true'))
  app.put(`/object/${PLACE}`, context => upload(context, true))
}

function addListRoute(app: StorageApp, objects: ObjectStore): void {
  app.post('/object/list/:bucket', async context => {
    const body = await readBody(context.req.raw, listBody)
    const prefix = body.prefix === '' || body.prefix.endsWith('/') ? body.prefix : `${body.prefix}/`
    const { search = '' } = body
    const rows = await objects.under(context.var.claims, context.req.param('bucket'), prefix + search)
    return context.json(listFolder(rows, { ...body, prefix }))
  })
}

function addPageRoute(app: StorageApp, objects: ObjectStore): void {
  app.post('/object/list-v2/:bucket', async context => {
    const body = await readBody(context.req.raw, pageBody)
    const { prefix = '' } = body
    const rows = await objects.under(context.var.claims, context.req.param('bucket'), prefix)
    return context.json(
      listPage(
        rows.filter(({ name }) => name.startsWith(prefix)),
        body,
      ),
    )
  })
}

function addTransferRoutes(app: StorageApp, objects: ObjectStore): void {
  app.post('/object/move', async context => {
    const { from, to } = placesOf(await readBody(context.req.raw, moveBody))
    await objects.move(context.var.claims, from, to)
    return context.json({ message: 'Successfully moved' })
  })
  app.post('/object/copy', async context => {
    const body = await readBody(context.req.raw, copyBody)
    const { from, to } = placesOf(body)
    const { metadata: { cacheControl, mimetype } = {}, copyMetadata = true } = body
    const metadata = readMetadataHeader(context.req.header('x-metadata'))
    const copied = await objects.copy(context.var.claims, from, to, {
      mayReplace: context.req.header('x-upsert') === 'true',
      changes: {
        ...(mimetype === undefined ? {} : { contentType: mimetype }),
        ...(cacheControl === undefined ? {} : { cacheControl }),
        ...(metadata === undefined && copyMetadata ? {} : { userMetadata: metadata ?? null }),
      },
    })
    const row = withIsoTimes(copied)
    return context.json({
      Id: row.id,
      Key: `${to.bucket}/${to.name}`,
      ...row,
      owner: row.owner ?? '',
      owner_id: row.owner_id ?? '',
    })
  })
}

function placesOf(body: TransferBody): { readonly from: Place; readonly to: Place } {
  const { bucketId, sourceKey, destinationKey, destinationBucket = bucketId } = body
  return {
    from: { bucket: bucketId, name: sourceKey },
    to: { bucket: destinationBucket, name: destinationKey },
  }
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
    return context.json(
      removed.map(row => ({
        ...withIsoTimes(row),
        owner: row.owner ?? '',
        owner_id: row.owner_id ?? '',
        user_metadata: row.user_metadata ?? {},
      })),
    )
  })
  app.delete(`/object/${PLACE}`, async context => {
    await objects.removeOne(context.var.claims, context.req.param())
    return context.json({ message: 'Successfully deleted' })
  })
}

function answerInfo(stored: ObjectRow): Response {
  const { metadata, ...row } = withIsoTimes(stored)
  const info = {
    id: row.id,
    name: row.name,
    version: row.version,
    bucket_id: row.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: row.user_metadata,
    last_modified: metadata.lastModified,
    created_at: row.created_at,
  }
  return Response.json(info, { headers: validatorsOf(stored) })
}
