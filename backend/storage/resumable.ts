// Uploads in parts by the TUS protocol 1.0: begun, gone on with after a break, and stored when the last part is there.
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { invalidRequest, StorageFailure } from './failure.ts'
import type { StorageApp } from './index.ts'
import type { ObjectStore } from './objects.ts'
import type { Place } from './rows.ts'
import { DEFAULT_TYPE, readMetadata, type Upload } from './upload.ts'
import type { Claims } from '../keys/tokens.ts'

interface Begun {
  readonly claims: Claims
  readonly place: Place
  readonly upload: Omit<Upload, 'bytes'>
  readonly length: number
  readonly mayReplace: boolean
  readonly since: number
  parts: readonly Uint8Array[]
  offset: number
}

type StorageContext = Context<{ Variables: { claims: Claims } }>

const ROUTE = '/upload/resumable'
const TUS = { 'tus-resumable': '1.0.0' }
/** What is held in memory until its last part is there. */
const LARGEST = 500 * 1024 * 1024
/** Nobody comes back later than that. */
const KEPT_FOR = 24 * 3_600_000
const MOST = 100

const notFound = () => new StorageFailure(404, 'NoSuchUpload', 'not_found', 'Upload not found', 404)
const wrongOffset = () =>
  new StorageFailure(409, 'InvalidUploadOffset', 'conflict', 'Upload-Offset conflict', 409)

/** Adds the routes; what is begun lives as long as this backend does. */
export function addResumableRoutes(app: StorageApp, objects: ObjectStore): void {
  const begun = new Map<string, Begun>()
  const of = (context: StorageContext): Begun => {
    const one = begun.get(context.req.param('id') ?? '')
    // Another's upload is none that one may know of.
    if (one?.claims.sub !== context.var.claims.sub || one?.claims.role !== context.var.claims.role)
      throw notFound()
    return one
  }
  app.post(ROUTE, async context => {
    const one = await begin(context, objects)
    forgetOld(begun)
    const id = randomUUID()
    begun.set(id, one)
    if (one.length === 0) await finish(objects, one)
    return new Response(null, {
      status: 201,
      headers: { ...TUS, location: `/storage/v1${ROUTE}/${id}`, 'upload-offset': '0' },
    })
  })
  // What is asked by HEAD comes as GET, with its body left out.
  app.get(`${ROUTE}/:id`, context => {
    const { offset, length } = of(context)
    const headers = { ...TUS, 'upload-offset': String(offset), 'upload-length': String(length) }
    return new Response(null, { headers: { ...headers, 'cache-control': 'no-store' } })
  })
  app.patch(`${ROUTE}/:id`, async context => {
    const one = of(context)
    await goOn(context.req.raw, one)
    if (one.offset === one.length) {
      await finish(objects, one).catch((error: unknown) => {
        begun.delete(context.req.param('id'))
        throw error
      })
    }
    return new Response(null, { status: 204, headers: { ...TUS, 'upload-offset': String(one.offset) } })
  })
  app.delete(`${ROUTE}/:id`, context => {
    of(context)
    begun.delete(context.req.param('id'))
    return new Response(null, { status: 204, headers: TUS })
  })
}

async function begin(context: StorageContext, objects: ObjectStore): Promise<Begun> {
  const { claims } = context.var
  const length = countOf(context.req.header('upload-length'), 'Upload-Length')
  const told = metadataOf(context.req.header('upload-metadata') ?? '')
  const place = { bucket: told.get('bucketName') ?? '', name: told.get('objectName') ?? '' }
  if (length > LARGEST) {
    throw new StorageFailure(
      413,
      'EntityTooLarge',
      'Payload too large',
      'The object exceeded the maximum allowed size',
      413,
    )
  }
  const seconds = told.get('cacheControl')
  const encoded = told.get('metadata')
  const upload = {
    contentType: told.get('contentType') ?? DEFAULT_TYPE,
    cacheControl: seconds === undefined ? 'no-cache' : `max-age=${seconds}`,
    userMetadata: encoded === undefined ? undefined : readMetadata(encoded),
  }
  const mayReplace = context.req.header('x-upsert') === 'true'
  await objects.checkWrite(claims, place, mayReplace, { size: length, contentType: upload.contentType })
  return { claims, place, upload, length, mayReplace, since: Date.now(), parts: [], offset: 0 }
}

/** Takes the part on; whatever of it is not here when the line breaks is sent again. */
async function goOn(request: Request, one: Begun): Promise<void> {
  if (request.headers.get('content-type') !== 'application/offset+octet-stream')
    throw invalidRequest('A part must be application/offset+octet-stream')
  const offset = countOf(request.headers.get('upload-offset') ?? undefined, 'Upload-Offset')
  const part = new Uint8Array(await request.arrayBuffer())
  if (offset !== one.offset || offset + part.byteLength > one.length) throw wrongOffset()
  one.parts = [...one.parts, part]
  one.offset += part.byteLength
}

async function finish(objects: ObjectStore, one: Begun): Promise<void> {
  const bytes = new Uint8Array(Buffer.concat(one.parts))
  // Its end stays known: who lost the last answer asks how far it is.
  one.parts = []
  await objects.write(one.claims, one.place, { ...one.upload, bytes }, one.mayReplace)
}

function forgetOld(begun: Map<string, Begun>): void {
  const now = Date.now()
  for (const [id, { since }] of begun) {
    if (now - since > KEPT_FOR || begun.size >= MOST) begun.delete(id)
  }
}

function countOf(text: string | undefined, name: string): number {
  if (!/^\d{1,15}$/.test(text ?? '')) throw invalidRequest(`${name} must be a number of bytes`)
  return Number(text)
}

/** `name base64, name base64`. */
function metadataOf(header: string): ReadonlyMap<string, string> {
  const pairs = header.split(',').map(pair => pair.trim().split(' '))
  return new Map(
    pairs.map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString('utf8')]),
  )
}
