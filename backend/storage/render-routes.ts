// Routes of rendered images: public, for signed-in users, and by signed URL.
import { answerImage } from './answer-file.ts'
import { noSuchBucket } from './failure.ts'
import type { Images } from './images.ts'
import type { StorageApp } from './index.ts'
import type { ObjectStore } from './objects.ts'
import type { ObjectRow } from './rows.ts'
import type { Signing } from './signing.ts'
import { describeForHeader, readSigned, readTransform, type Transform } from './transforms.ts'

export function addRenderRoutes(
  app: StorageApp,
  objects: ObjectStore,
  signing: Signing,
  images: Images,
): void {
  const answer = async (request: Request, row: ObjectRow, transform: Transform) => {
    const image = await images.render(row, transform, request.headers.get('accept'))
    return answerImage(request, row, image, describeForHeader(transform))
  }
  app.get('/render/image/public/:bucket/:name{.+}', async context => {
    const place = context.req.param()
    const transform = readTransform(context.req.query())
    if (!(await objects.bucket(place.bucket)).public) throw noSuchBucket()
    return answer(context.req.raw, await objects.findAsOwner(place), transform)
  })
  app.get('/render/image/authenticated/:bucket/:name{.+}', async context => {
    const transform = readTransform(context.req.query())
    return answer(context.req.raw, await objects.find(context.var.claims, context.req.param()), transform)
  })
  app.get('/render/image/sign/:bucket/:name{.+}', async context => {
    const place = context.req.param()
    const { transformations } = await signing.checkDownload(place, context.req.query('token'))
    return answer(context.req.raw, await objects.findAsOwner(place), readSigned(transformations))
  })
}
