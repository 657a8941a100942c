// The gateway: one loopback port for all families, with CORS, body limits and JSON errors.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { gatewayError } from './errors.ts'
import { isLoopback } from './loopback.ts'
import { StoppedError } from './mutex.ts'
import { readWhole } from './request-body.ts'
import { upgrade } from './upgrade.ts'
import type { Realtime } from './realtime/index.ts'
import type { Refusal, Tokens } from './tokens.ts'

type Handler = (request: Request) => Response | Promise<Response>

/** What the gateway passes requests to; each family sees whole paths. */
export interface Families {
  readonly tokens: Tokens
  readonly auth: Handler
  readonly rest: Handler
  readonly storage: Handler
  readonly functions: Handler
  readonly realtime: Realtime
  /** The mails that were not sent, under `/_chartroom/inbox`. */
  readonly inbox: Handler
  /** Everything that belongs to no family. */
  readonly site: Handler | undefined
}

export interface Gateway {
  readonly port: number
  /** Begins to answer; until then every request gets 503. */
  serve(families: Families): void
  /** Takes no more connections and resolves once those under way have ended. */
  stop(): Promise<void>
}

const MEGABYTE = 1024 * 1024
const LIMITS = {
  auth: MEGABYTE,
  rest: 10 * MEGABYTE,
  storage: 50 * MEGABYTE,
  functions: 10 * MEGABYTE,
  realtime: 3 * MEGABYTE,
}
/** How long a request under way may go on after the stop. */
const STOP_GRACE_MS = 2_000

const REFUSALS: Record<Refusal, readonly [message: string, hint?: string]> = {
  noKey: ['No API key found in request', 'No `apikey` request header or url param was found.'],
  wrongKey: ['Invalid API key', 'Double check your Supabase `apikey`'],
  secretInBrowser: ['Forbidden use of secret API key in browser'],
  tokenExpired: ['JWT expired'],
  tokenInvalid: ['Invalid JWT'],
}

/** Listens on the loopback address; rejects with `EADDRINUSE` when the port is taken. */
export async function openGateway(port: number): Promise<Gateway> {
  let served: Families | undefined
  let app = createApp(served)
  const listener = getRequestListener(request => app.fetch(request), {
    overrideGlobalObjects: false,
    errorHandler: () => gatewayError(400, 'The request could not be read'),
  })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.on('upgrade', (request, socket, head) => upgrade(served, request, socket, head))
  await listen(server, port)
  return {
    port: portOf(server),
    serve(families) {
      served = families
      app = createApp(families)
    },
    stop: () => close(server, served?.realtime),
  }
}

function createApp(families: Families | undefined): Hono {
  const app = new Hono()
  // The families are for pages of any origin; the app and what it asks of its own origin are not.
  app.use(
    '/:family/v1/*',
    cors({ origin: '*', allowMethods: METHODS, exposeHeaders: EXPOSED, maxAge: 86_400 }),
  )
  app.use(async (context, next) => {
    const { hostname } = new URL(context.req.url)
    if (!isLoopback(hostname)) return gatewayError(403, 'This backend answers on the loopback address only')
    if (!METHODS.includes(context.req.method)) return gatewayError(405, 'Method Not Allowed')
    // PostgreSQL's text has no NUL, so that no name or value with one can be meant.
    if (context.req.url.includes('%00')) return gatewayError(400, 'The address holds a NUL character')
    return families ? next() : gatewayError(503, 'The backend is starting')
  })
  if (families) addRoutes(app, families)
  app.onError(error => {
    if (error instanceof StoppedError) return gatewayError(503, error.message)
    return gatewayError(500, 'The backend failed to answer this request')
  })
  return app
}

function addRoutes(app: Hono, families: Families): void {
  addFamily(app, families, 'auth', families.auth)
  addFamily(app, families, 'rest', families.rest)
  addFamily(app, families, 'storage', families.storage)
  addFamily(app, families, 'functions', families.functions)
  addFamily(app, families, 'realtime', families.realtime.fetch)
  app.get('/_chartroom/health', context => context.json({ status: 'ok' }))
  for (const path of ['', '.json', '.css', '.js']) {
    app.all(`/_chartroom/inbox${path}`, context => families.inbox(context.req.raw))
  }
  app.all('*', context => families.site?.(context.req.raw) ?? gatewayError(404, 'Not Found'))
}

function addFamily(app: Hono, { tokens }: Families, name: keyof typeof LIMITS, handle: Handler): void {
  app.all(`/${name}/v1/*`, async context => {
    const request = await readWhole(context.req.raw, LIMITS[name])
    if (request === 'tooLarge') return tooLarge(LIMITS[name])
    // Storage says for itself what is open to anyone.
    return (name === 'storage' ? undefined : refuseKey(tokens, request)) ?? handle(request)
  })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const EXPOSED = [
  'content-range',
  'content-location',
  'content-length',
  'content-disposition',
  'content-profile',
  'etag',
  'location',
  'preference-applied',
  'range-unit',
  'retry-after',
  'x-relay-error',
  'x-sb-error-code',
  'sb-error-code',
  'sb-auth-session-id',
  'sb-auth-user-id',
  'x-supabase-api-version',
]

function tooLarge(limit: number): Response {
  const message = `The body is larger than ${limit / MEGABYTE} MB`
  return Response.json(
    { statusCode: '413', error: 'Payload too large', code: 'EntityTooLarge', message, msg: message },
    { status: 413, headers: { connection: 'close' } },
  )
}

function refuseKey(tokens: Tokens, request: Request): Response | undefined {
  const url = new URL(request.url)
  // Links in mails and redirects carry no key.
  if (/^\/auth\/v1\/(verify|authorize|callback)$/.test(url.pathname)) return undefined
  const apikey = request.headers.get('apikey') ?? url.searchParams.get('apikey') ?? undefined
  const refusal = tokens.refuseKey(apikey, request.headers.get('user-agent') ?? undefined)
  return refusal && gatewayError(401, ...REFUSALS[refusal])
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function close(server: Server, realtime: Realtime | undefined): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  await realtime?.stop()
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearTimeout(late)
}
