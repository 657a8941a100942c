// Routes of signed URLs, for downloads and uploads.
import { readBody, signBody, signManyBody } from './bodies.ts'
import { answerFile, keepUntil } from './answer-file.ts'
import { readUpload } from './upload.ts'
import { describeTransform, readTransform } from './transforms.ts'
import { PLACE, type StorageApp } from './app.ts'
import type { ObjectStore } from './objects.ts'
import type { Signing } from './signing.ts'

export function addSignedRoutes(app: StorageApp, objects: ObjectStore, signing: Signing): void {
  app.post(`/object/upload/sign/${PLACE}`, async context => {
    const place = context.req.param()
    const { claims } = context.var
    const mayReplace = context.req.header('x-upsert') === 'true'
    await objects.checkWrite(claims, place, mayReplace)
    return context.json(await signing.signUpload(claims, place, mayReplace))
  })
  app.put(`/object/upload/sign/${PLACE}`, async context => {
    const place = context.req.param()
    const { claims, mayReplace } = await signing.checkUpload(place, context.req.query('token'))
    await objects.write(claims, place, await readUpload(context.req.raw), mayReplace)
    return context.json({ Key: `${place.bucket}/${place.name}` })
  })
  app.post('/object/sign/:bucket', async context => {
    const { expiresIn, paths } = await readBody(context.req.raw, signManyBody)
    const bucket = context.req.param('bucket')
    const missing = 'Either the object does not exist or you do not have access to it'
    const signed = paths.map(async name => {
      const object = await objects.find(context.var.claims, { bucket, name }).catch(() => undefined)
      if (!object) return { error: missing, path: name, signedURL: null }
      const signedURL = await signing.signDownload({ bucket, name: object.name }, expiresIn)
      return { error: null, path: name, signedURL }
    })
    return context.json(await Promise.all(signed))
  })
  app.post(`/object/sign/${PLACE}`, async context => {
    const place = context.req.param()
    const { expiresIn, transform = {} } = await readBody(context.req.raw, signBody)
    await objects.find(context.var.claims, place)
    return context.json({
      signedURL: await signing.signDownload(
        place,
        expiresIn,
        describeTransform(readTransform(transform, 'body/transform')),
      ),
    })
  })
  app.get(`/object/sign/${PLACE}`, async context => {
    const place = context.req.param()
    const { until } = await signing.checkDownload(place, context.req.query('token'))
    const answer = await answerFile(context.req.raw, objects, await objects.findAsOwner(place))
    return keepUntil(answer, until)
  })
}
