// Resumable uploads with the TUS protocol 1.0: created, resumed after interruptions, and stored with the last
// part.
import { createHash, randomUUID, type Hash } from 'node:crypto'
import type { Context } from 'hono'
import * as v from 'valibot'
import { StorageFailure } from './failure.ts'
import type { Blobs, BlobContent } from './blobs.ts'
import type { StorageApp, StorageVariables } from './app.ts'
import type { ObjectStore } from './objects.ts'
import type { Place } from './rows.ts'
import { DEFAULT_TYPE, readMetadata, type UploadInfo } from './upload.ts'
import type { Claims } from '../keys/index.ts'

interface PendingUpload {
  readonly claims: Claims
  readonly place: Place
  readonly upload: UploadInfo
  /** As the client sent it. */
  readonly metadata: string
  readonly length: number
  readonly mayReplace: boolean
  readonly since: number
  /** Its id, and the blob that its parts are appended to. */
  readonly version: string
  readonly md5: Hash
  /** What an earlier process received, until it is part of the digest. */
  received: BlobContent | undefined
  offset: number
  lastPart: number
  /** The part that is being received. */
  running: RunningPart | undefined
}

interface RunningPart {
  /** Stops reading; what has arrived is kept. */
  stop(): void
  readonly finished: Promise<unknown>
}

type StorageContext = Context<StorageVariables>

const ROUTE = '/upload/resumable'
const TUS = { 'tus-resumable': '1.0.0' }
const PART_TYPE = 'application/offset+octet-stream'
/** Older uploads are not resumed. */
const KEPT_FOR = 24 * 3_600_000
/** An upload without a part for this long may be dropped to make room for others. */
const IDLE = 10 * 60_000
const MAX_UPLOADS = 100

/**
 * A refusal of an upload: the protocol's clients get a text, not JSON.
 * @param message with a line break if it is one of the protocol's own
 */
class UploadFailure extends StorageFailure {
  constructor(status: number, message: string) {
    super(status, 'TusError', 'TusError', message, status)
  }

  override toResponse(): Response {
    return new Response(this.message, { status: this.status, headers: TUS })
  }
}

const notFound = () => new UploadFailure(404, 'The file for this url was not found\n')
const wrongOffset = () => new UploadFailure(409, 'Upload-Offset conflict\n')
const interrupted = () => new UploadFailure(400, 'The part was interrupted')
const tooLarge = () => new UploadFailure(413, 'Maximum size exceeded\n')
const tooMany = () => new UploadFailure(429, 'Too many unfinished uploads. Finish or delete some.')

/** Refusals of the storage as those of an upload. */
function asUploadFailure(error: unknown): unknown {
  if (!(error instanceof StorageFailure) || error instanceof UploadFailure) return error
  const { code, statusCode, message } = error
  return code === 'EntityTooLarge' ? tooLarge() : new UploadFailure(Number(statusCode), message)
}

/** Adds the routes. Unfinished uploads survive a restart where blobs do. */
export function addResumableRoutes(app: StorageApp, objects: ObjectStore, blobs: Blobs): void {
  let restoring: Promise<Map<string, PendingUpload>> | undefined
  /** Unfinished uploads by id. */
  const all = () =>
    (restoring ??= restore(blobs).catch((error: unknown) => {
      restoring = undefined
      throw error
    }))
  const of = async (context: StorageContext): Promise<PendingUpload> => {
    const one = (await all()).get(context.req.param('id') ?? '')
    // Uploads of other users are treated as not found.
    if (one?.claims.sub !== context.var.claims.sub || one?.claims.role !== context.var.claims.role)
      throw notFound()
    return one
  }
  app.use(`${ROUTE}/*`, async (context, next) => {
    await next()
    if (context.error instanceof Error) {
      const failure = asUploadFailure(context.error)
      if (failure instanceof UploadFailure) context.res = failure.toResponse()
    }
  })
  app.post(ROUTE, async context => {
    const one = await begin(context, objects, blobs)
    const pending = await all()
    await makeRoom(pending, one, blobs)
    pending.set(one.version, one)
    await blobs.describe(one.version, descriptionOf(one))
    // The first part may come with the creation.
    const hasPart = context.req.header('content-type') === PART_TYPE
    if (hasPart) await goOn(context.req.raw, one, 0, blobs)
    if (one.offset === one.length) await finish(objects, one)
    return new Response(null, {
      status: 201,
      headers: {
        ...TUS,
        location: `/storage/v1${ROUTE}/${one.version}`,
        ...(hasPart ? { 'upload-offset': String(one.offset) } : {}),
      },
    })
  })
  // HEAD requests arrive as GET, with the body omitted.
  app.get(`${ROUTE}/:id`, async context => {
    const one = await of(context)
    await interrupt(one)
    const { offset, length, metadata } = one
    const headers = { ...TUS, 'upload-offset': String(offset), 'upload-length': String(length) }
    return new Response(null, {
      headers: { ...headers, 'upload-metadata': metadata, 'cache-control': 'no-store' },
    })
  })
  app.patch(`${ROUTE}/:id`, async context => {
    const one = await of(context)
    await interrupt(one)
    try {
      await goOn(context.req.raw, one, offsetOf(context.req.raw), blobs)
      if (one.offset === one.length) await finish(objects, one)
    } catch (error) {
      // The blob's contents are no longer certain, unless only the client was at fault.
      if (!(error instanceof StorageFailure) || one.offset === one.length) {
        await forget(await all(), context.req.param('id'), blobs)
      }
      throw error
    }
    return new Response(null, { status: 204, headers: { ...TUS, 'upload-offset': String(one.offset) } })
  })
  app.delete(`${ROUTE}/:id`, async context => {
    await interrupt(await of(context))
    await forget(await all(), context.req.param('id'), blobs)
    return new Response(null, { status: 204, headers: TUS })
  })
}

const stored = v.object({
  claims: v.looseObject({ role: v.string(), sub: v.exactOptional(v.string()) }),
  place: v.object({ bucket: v.string(), name: v.string() }),
  upload: v.object({
    contentType: v.string(),
    cacheControl: v.string(),
    userMetadata: v.optional(v.unknown()),
  }),
  metadata: v.optional(v.string(), ''),
  length: v.number(),
  mayReplace: v.boolean(),
  since: v.number(),
})

const descriptionOf = ({ claims, place, upload, metadata, length, mayReplace, since }: PendingUpload) =>
  JSON.stringify({ claims, place, upload, metadata, length, mayReplace, since })

/** The unfinished uploads of earlier processes. Others are removed: invalid ones, and complete ones without a record. */
async function restore(blobs: Blobs): Promise<Map<string, PendingUpload>> {
  const pending = new Map<string, PendingUpload>()
  for (const { version, description, content } of await blobs.described()) {
    const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), stored), description)
    if (!success || content.size >= output.length) {
      await blobs.remove([version])
      continue
    }
    const { claims, upload, ...rest } = output
    pending.set(version, {
      ...rest,
      claims,
      upload: { ...upload, userMetadata: upload.userMetadata },
      version,
      offset: content.size,
      lastPart: Date.now(),
      running: undefined,
      received: content,
      md5: createHash('md5'),
    })
  }
  return pending
}

async function begin(context: StorageContext, objects: ObjectStore, blobs: Blobs): Promise<PendingUpload> {
  const { claims } = context.var
  const version = context.req.header('tus-resumable')
  if (version !== undefined && version !== TUS['tus-resumable'])
    throw new UploadFailure(400, 'Invalid tus-resumable\n')
  const announced = context.req.header('upload-length')
  if (announced === undefined)
    throw new UploadFailure(400, 'Upload-Length or Upload-Defer-Length header required\n')
  const length = countOf(announced, 'upload-length')
  const described = context.req.header('upload-metadata')
  if (described === undefined) throw new UploadFailure(400, 'Metadata header is required')
  const metadata = metadataOf(described)
  const place = { bucket: metadata.get('bucketName') ?? '', name: metadata.get('objectName') ?? '' }
  // One user may use half of the room.
  if (length > blobs.unfinishedBytes / 2) throw tooLarge()
  const seconds = metadata.get('cacheControl')
  const upload = {
    contentType: metadata.get('contentType') ?? DEFAULT_TYPE,
    cacheControl: seconds === undefined ? 'no-cache' : `max-age=${seconds}`,
    userMetadata: readMetadata(metadata.get('metadata')),
  }
  const mayReplace = context.req.header('x-upsert') === 'true'
  await objects.checkWrite(claims, place, mayReplace, { size: length, contentType: upload.contentType })
  const now = Date.now()
  const content = { version: randomUUID(), md5: createHash('md5'), received: undefined, offset: 0 }
  return {
    claims,
    place,
    upload,
    metadata: described,
    length,
    mayReplace,
    since: now,
    lastPart: now,
    running: undefined,
    ...content,
  }
}

/**
 * A client that asks again has given up its last part, whose connection may be dead without an error here.
 */
async function interrupt({ running }: PendingUpload): Promise<void> {
  running?.stop()
  await running?.finished
}

/** Where a part begins. */
function offsetOf({ headers }: Request): number {
  const offset = headers.get('upload-offset')
  if (offset === null) throw new UploadFailure(403, 'Upload-Offset header required\n')
  if (headers.get('content-type') !== PART_TYPE) throw new UploadFailure(400, 'Invalid content-type\n')
  return countOf(offset, 'upload-offset')
}

/** Appends a part. Of an interrupted part, what has arrived is kept. */
async function goOn(request: Request, one: PendingUpload, offset: number, blobs: Blobs): Promise<void> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (one.length > 0 && one.offset === one.length) throw new UploadFailure(409, 'The resource already exists')
  if (one.running || offset !== one.offset) throw wrongOffset()
  if (offset + announced > one.length) throw new UploadFailure(413, "upload's size exceeded\n")
  const stopped = Promise.withResolvers<never>()
  // It may be stopped before anything waits for it.
  stopped.promise.catch(() => undefined)
  const written = blobs.append(one.version, countedPart(request.body, one, stopped.promise))
  one.running = {
    stop: () => stopped.reject(interrupted()),
    finished: written.catch(() => undefined),
  }
  try {
    await written
  } finally {
    one.running = undefined
  }
}

/** The bytes of a part; each chunk counts once it is written. */
async function* countedPart(
  body: ReadableStream<Uint8Array> | null,
  one: PendingUpload,
  stopped: Promise<never>,
): AsyncGenerator<Uint8Array> {
  if (one.received) {
    for await (const chunk of one.received.stream(0, one.offset)) one.md5.update(chunk)
    one.received = undefined
  }
  const reader = body?.getReader()
  for (;;) {
    const next = reader?.read().catch(() => {
      throw interrupted()
    })
    const chunk = (await Promise.race([next, stopped]))?.value
    if (!chunk) return
    if (one.offset + chunk.byteLength > one.length) throw tooLarge()
    yield chunk
    one.md5.update(chunk)
    one.offset += chunk.byteLength
    one.lastPart = Date.now()
  }
}

/** The upload stays registered, because a client that lost the last response asks for its offset. */
async function finish(objects: ObjectStore, one: PendingUpload): Promise<void> {
  const { claims, place, upload, version, mayReplace, length } = one
  const content = { size: length, md5: one.md5.digest('hex') }
  await objects.finish({ claims, place, upload, content, version, mayReplace })
}

async function forget(pending: Map<string, PendingUpload>, id: string, blobs: Blobs): Promise<void> {
  const one = pending.get(id)
  pending.delete(id)
  // The blob of a finished upload belongs to its object.
  if (one && one.offset < one.length) await blobs.remove([one.version])
}

const ownerOf = ({ claims: { role, sub } }: PendingUpload) => `${role} ${sub ?? ''}`

/** Drops old or idle uploads until there is room for one more; refuses the new one if that is not enough. */
async function makeRoom(
  pending: Map<string, PendingUpload>,
  upload: PendingUpload,
  blobs: Blobs,
): Promise<void> {
  const now = Date.now()
  for (const [id, { since }] of pending) if (now - since > KEPT_FOR) await forget(pending, id, blobs)
  const uploads = () => [...pending].map(([id, one]) => ({ id, one }))
  const ownUploads = () => uploads().filter(({ one }) => ownerOf(one) === ownerOf(upload))
  const bytesOf = (list: ReturnType<typeof uploads>) =>
    list.reduce((sum, { one }) => sum + (one.offset < one.length ? one.length : 0), upload.length)
  const isFull = (list: ReturnType<typeof uploads>, share: number) =>
    list.length >= MAX_UPLOADS * share || bytesOf(list) > blobs.unfinishedBytes * share
  // One user may use half of the room.
  for (const [list, share] of [
    [ownUploads, 0.5],
    [uploads, 1],
  ] as const) {
    while (isFull(list(), share)) {
      const idle = list().find(({ one }) => one.offset === one.length || now - one.lastPart > IDLE)
      if (!idle) throw tooMany()
      await forget(pending, idle.id, blobs)
    }
  }
}

function countOf(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UploadFailure(400, `Invalid ${name}\n`)
  return Number(text)
}

/** Parses `name base64,name base64`. */
function metadataOf(header: string): ReadonlyMap<string, string> {
  const pairs = header.split(',').map(pair => pair.trim().split(' '))
  const isInvalid = pairs.some(
    ([, value = '', ...extra]) => extra.length > 0 || value.length % 4 > 0 || !/^[\w+/=-]*$/.test(value),
  )
  if (isInvalid) throw new UploadFailure(400, 'Invalid upload-metadata\n')
  return new Map(
    pairs.map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString('utf8')]),
  )
}
