// Routes of rendered images: public, for signed-in users, and by signed URL.
import { answerImage, keepUntil } from './answer-file.ts'
import type { Images } from './images.ts'
import { PLACE, type StorageApp } from './app.ts'
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
  app.get(`/render/image/public/${PLACE}`, async context => {
    const transform = readTransform(context.req.query())
    return answer(context.req.raw, await objects.findPublic(context.req.param()), transform)
  })
  app.get(`/render/image/authenticated/${PLACE}`, async context => {
    const transform = readTransform(context.req.query())
    return answer(context.req.raw, await objects.find(context.var.claims, context.req.param()), transform)
  })
  app.get(`/render/image/sign/${PLACE}`, async context => {
    const place = context.req.param()
    const { transformations, until } = await signing.checkDownload(place, context.req.query('token'))
    const row = await objects.findAsOwner(place)
    return keepUntil(await answer(context.req.raw, row, readSigned(transformations)), until)
  })
}
