// The storage service: caller checks, bucket and object routes, and errors in the official format.
import { Hono } from 'hono'
import { addBucketRoutes } from './buckets.ts'
import { addObjectRoutes } from './object-routes.ts'
import { createImages } from './images.ts'
import { ObjectStore } from './objects.ts'
import { addRenderRoutes } from './render-routes.ts'
import { createRenderedImages, withRendered } from './rendered.ts'
import { addResumableRoutes } from './resumable.ts'
import { createSigning, tokenProblem } from './signing.ts'
import { addSignedRoutes } from './signed-routes.ts'
import { accessDenied, explain, noRoute, StorageFailure } from './failure.ts'
import type { Clock } from '../shared/clock.ts'
import { asUnavailable, UnavailableError } from '../shared/unavailable.ts'
import { callerOf, credentialOf, type Claims, type Tokens } from '../keys/index.ts'
import type { StorageApp, StorageVariables } from './app.ts'
import type { Blobs } from './blobs.ts'
import type { Database } from '../database/index.ts'

export { type Blobs, copyBlobs, createDiskBlobs, createMemoryBlobs } from './blobs.ts'
export { StorageFailure } from './failure.ts'
export { ObjectStore } from './objects.ts'
export { prepareStorage } from './schema.ts'

export interface StorageDependencies {
  readonly database: Database
  readonly tokens: Tokens
  readonly blobs: Blobs
  readonly clock: Clock
  /** Where rendered images are cached; without one, in memory. */
  /** The size of the largest file of any bucket, in bytes. */
  readonly fileSizeLimit?: number | undefined
  readonly renderedFolder: string | undefined
}

/** Paths that need no key: public files, and signed URLs, whose token is checked by their routes. */
const KEYLESS: Readonly<Record<string, RegExp>> = {
  GET: /^\/storage\/v1\/((object|render\/image)\/(public|sign)\/[^/]+\/.|status$)/,
  PUT: /^\/storage\/v1\/object\/upload\/sign\/[^/]+\/./,
}

/** Routes that read public buckets for everyone, whatever their token is. */
const FOR_EVERYONE = /^\/storage\/v1\/object\/(?!authenticated\/|info\/authenticated\/)[^/]+\/./

/** Handles everything under `/storage/v1`. */
export function createStorage({
  database,
  tokens,
  blobs: files,
  clock,
  renderedFolder,
  fileSizeLimit = Infinity,
}: StorageDependencies): (request: Request) => Promise<Response> {
  const app: StorageApp = new Hono<StorageVariables>().basePath('/storage/v1')
  const rendered = createRenderedImages(renderedFolder)
  const blobs = withRendered(files, rendered)
  const objects = new ObjectStore(database, blobs, fileSizeLimit)
  const signing = createSigning(tokens, clock)
  app.use(async (context, next) => {
    const identified = await claimsOf(tokens, context.req.raw)
    context.set('identified', identified)
    context.set('claims', identified ?? { role: 'anon' })
    await next()
  })
  app.get('/status', () => new Response(null, { status: 200 }))
  addBucketRoutes(app, database, objects, fileSizeLimit)
  addSignedRoutes(app, objects, signing)
  addRenderRoutes(app, objects, signing, createImages(objects, rendered))
  addResumableRoutes(app, objects, blobs)
  addObjectRoutes(app, objects)
  app.notFound(({ req }) => {
    const { pathname, search } = new URL(req.url)
    const path = pathname.replace(/^\/storage\/v1/, '') + search
    const failure = noRoute(req.method, path)
    if (/^\/(?:bucket|object)\b/.test(path)) return failure.toResponse()
    const { message, error } = failure
    return Response.json({ message, error, statusCode: 404 }, { status: 404 })
  })
  app.onError(thrown => {
    const error = asUnavailable(thrown)
    if (error instanceof UnavailableError) throw error
    const cause = explain(error)
    return (cause instanceof StorageFailure ? cause : internal()).toResponse()
  })
  return async request => withCharset(await app.fetch(request))
}

/** The storage server names the encoding of JSON. */
function withCharset(response: Response): Response {
  const { headers } = response
  if (headers.get('content-type') === 'application/json')
    headers.set('content-type', 'application/json; charset=utf-8')
  return response
}

function internal(): StorageFailure {
  return new StorageFailure(
    500,
    'InternalError',
    'internal',
    'The storage server failed to handle this request',
    500,
  )
}

/** @returns `undefined` for an invalid token, where the route is for everyone */
async function claimsOf(tokens: Tokens, request: Request): Promise<Claims | undefined> {
  const url = new URL(request.url)
  const apikey = request.headers.get('apikey') ?? url.searchParams.get('apikey') ?? undefined
  // Like the storage server, which takes the whole header for a token if it has another scheme, or no token.
  const bearer = credentialOf(request.headers)
  const refusal = tokens.refuseKey(apikey, callerOf(request.headers))
  if (refusal && !(refusal === 'noKey' && bearer)) {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if (refusal === 'noKey' && KEYLESS[method]?.test(url.pathname)) return { role: 'anon' }
    // The gateway of the Supabase CLI passes on an empty token.
    if (refusal === 'noKey' && !tokens.needsKey) throw accessDenied('Invalid Compact JWS')
    const message = refusal === 'noKey' ? 'No API key found in request' : 'Invalid API key'
    throw accessDenied(message, 401)
  }
  const caller = await tokens.identify(apikey, bearer)
  if ('claims' in caller) return caller.claims
  if (['GET', 'HEAD'].includes(request.method) && FOR_EVERYONE.test(url.pathname)) return undefined
  throw accessDenied(await problemOf(tokens, bearer ?? apikey ?? ''))
}

async function problemOf(tokens: Tokens, token: string): Promise<string> {
  return tokens.verify(token).then(() => 'Invalid Compact JWS', tokenProblem)
}
