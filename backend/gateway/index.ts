// The gateway: one port for all services, on loopback by default, with origin checks, CORS, limits and JSON
// errors.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { gatewayError, json } from '../shared/errors.ts'
import { FAULT_HEADER, type Faults } from '../faults/index.ts'
import { refuseApiKey } from './api-key.ts'
import { familyCors, METHODS } from './cors.ts'
import { fieldOf } from '../shared/fields.ts'
import { isKnownHost, LOOPBACK } from '../shared/hosts.ts'
import { DEEPEST, isDeeperThan } from '../shared/json-depth.ts'
import { callingOrigin, type OriginPolicy } from './origins.ts'
import { refuseTool } from './tool-guard.ts'
import { close, createBoundedServer, listen, portOf } from './server.ts'
import { readStreamed, readWhole } from '../shared/request-body.ts'
import { asUnavailable, unavailable, UnavailableError } from '../shared/unavailable.ts'
import { upgrade } from './upgrade.ts'
import type { EdgeFunctions } from '../functions/index.ts'
import type { Realtime } from '../realtime/index.ts'
import type { Tokens } from '../keys/index.ts'

export { createOriginPolicy, parseOrigin } from './origins.ts'
export { parseHost } from '../shared/hosts.ts'

type App = Hono<{ Bindings: HttpBindings }>
type Handler = (request: Request) => Response | Promise<Response>

/** Handlers that the gateway routes to; each receives the full path. */
export interface Families {
  readonly tokens: Tokens
  /** Origins, in addition to loopback and the gateway's own, whose pages may call the backend. */
  readonly origins: OriginPolicy
  readonly auth: Handler
  readonly rest: Handler
  readonly storage: Handler
  /** The size of the largest file of storage in bytes, if it is set. */
  readonly fileSizeLimit?: number | undefined
  readonly functions: Handler
  /** A project's Edge Functions, which check their callers and answer preflights themselves. */
  readonly edgeFunctions?: EdgeFunctions
  readonly realtime: Realtime
  /** Whether other machines may use the simulated OAuth provider under `/_chartroom/oauth`. */
  readonly isStandInForNetwork: boolean
  /** Handles `/_chartroom/health`: whether the backend works, and if not, why. */
  readonly health: () => Response
  /** Handles `/_chartroom/access`: tables, policies, functions and buckets, for access reviews. */
  readonly access: () => Promise<Response>
  /** Handles `/_chartroom/schema`: the tables and functions that signed-in users may use. */
  readonly schema: () => Promise<Response>
  /** Handles `/_chartroom/project`: the state of a followed project. */
  readonly project?: Handler
  /** Handles `/_chartroom/sql`: scripts of the workbench. */
  readonly sql: (request: Request, connection: UserConnection) => Promise<Response>
  /** The captured emails, under `/_chartroom/inbox`. */
  readonly inbox: Handler
  /** Injected faults, if enabled. */
  readonly faults?: Faults
  /** Handles all other paths. */
  readonly site: Handler | undefined
}

/** The connection of a request that may take long. */
export interface UserConnection {
  /** Aborts when the user closes it. */
  readonly signal: AbortSignal
  /** Its file descriptor, where the system has them. */
  readonly descriptor: () => number | undefined
}

export interface Gateway {
  readonly port: number
  /** Starts serving; until then, and after `undefined`, every request gets 503. */
  serve(families: Families | undefined): void
  /** Accepts no more connections and resolves once the open ones have ended. */
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
/** A form's boundaries and fields. */
const AROUND_FILE = MEGABYTE
const FAMILY_PATHS = '/:family{auth|rest|storage|functions|realtime}/v1/*'
/** Those of services whose CORS is not up to a project's functions. */
const OTHER_PATHS = '/:family{auth|rest|storage|realtime}/v1/*'
/** Longer than any URL of our clients; a 414 says more than a broken connection. */
const URL_LENGTH = 32 * 1024

/**
 * Listens at `host`, by default on loopback; rejects with `EADDRINUSE` if the port is taken.
 * @param allowedHosts further names in `Host`, as a proxy passes them on
 */
export async function openGateway(
  port: number,
  host: string = LOOPBACK,
  allowedHosts: readonly string[] = [],
): Promise<Gateway> {
  let served: Families | undefined
  let app = createApp(served)
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    errorHandler: () => gatewayError(400, 'The request is malformed'),
  })
  const refusalOf = (incoming: IncomingMessage): GatewayRefusal | undefined => {
    const { headers, headersDistinct } = incoming
    // With several Host headers, Node uses the first, but a proxy may use another.
    if (headersDistinct.host?.length !== 1 || !isKnownHost(headers.host, host, boundPort, allowedHosts))
      return STRANGE_HOST
    const origin = callingOrigin(incoming)
    if (origin === undefined || !served || served.origins(origin)) return undefined
    const page = URL.parse(origin)
    return page && isKnownHost(page.host, host, boundPort) ? undefined : foreignOrigin(origin)
  }
  const server = createBoundedServer((incoming, outgoing) => {
    const refusal = refusalOf(incoming)
    if (refusal) return refuse(outgoing, 403, refusal)
    if (!incoming.url?.startsWith('/')) return refuse(outgoing, 400, { message: 'The URL is not a path' })
    void listener(incoming, outgoing)
  })
  server.on('upgrade', (request, socket, head) => upgrade(served, refusalOf(request), request, socket, head))
  await listen(server, port, host)
  // A stopped server no longer reports its port, but still handles requests that arrived before.
  const boundPort = portOf(server)
  return {
    port: boundPort,
    serve(families) {
      served = families
      app = createApp(families)
    },
    stop: () => close(server, () => served?.realtime.stop()),
  }
}

/** Why a request is refused before it reaches a service. */
export interface GatewayRefusal {
  readonly message: string
  readonly hint?: string
}

const STRANGE_HOST = {
  message: 'This backend does not serve this host name',
  hint: 'If a proxy of yours keeps the name, start the backend with --allow-host NAME',
}

function foreignOrigin(origin: string): GatewayRefusal {
  const message = `Pages of ${origin} may not use this backend`
  if (origin === 'null') return { message: 'Pages without an origin may not use this backend' }
  return { message, hint: `If the page is yours, start the backend with --allow-origin ${origin}` }
}

function refuse(outgoing: ServerResponse, status: number, refusal: GatewayRefusal): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  outgoing.end(JSON.stringify(refusal))
}

/** `Refresh` makes a browser that shows this repeat the request. */
function starting(): Response {
  const response = gatewayError(503, 'The backend is starting')
  for (const name of ['Retry-After', 'Refresh']) response.headers.set(name, '1')
  return response
}

function createApp(families: Families | undefined): App {
  const app: App = new Hono()
  // Runs before CORS handles preflights, since faults apply to them too.
  if (families?.faults) app.options(FAMILY_PATHS, families.faults.middleware)
  // Services are open to all allowed origins; the app and the tools only to their own.
  app.use(families?.edgeFunctions ? OTHER_PATHS : FAMILY_PATHS, familyCors([FAULT_HEADER]))
  app.use(async (context, next) => {
    if (context.req.url.length > URL_LENGTH) return gatewayError(414, 'The URL is too long')
    if (!METHODS.includes(context.req.method)) return gatewayError(405, 'Method Not Allowed')
    // PostgreSQL text cannot contain NUL, so no valid name or value has one.
    if (context.req.url.includes('%00')) return gatewayError(400, 'The URL contains a NUL character')
    return families ? next() : starting()
  })
  if (families?.faults) app.use(FAMILY_PATHS, families.faults.middleware)
  if (families) addRoutes(app, families)
  app.onError(thrown => {
    const error = asUnavailable(thrown)
    if (error instanceof UnavailableError) return unavailable(error)
    return gatewayError(500, 'The backend failed to handle this request')
  })
  return app
}

function addRoutes(app: App, families: Families): void {
  addFamily(app, families, 'auth', families.auth)
  addFamily(app, families, 'rest', families.rest)
  addStorage(app, families)
  if (families.edgeFunctions) addEdgeFunctions(app, families.edgeFunctions)
  addFamily(app, families, 'functions', families.functions)
  addFamily(app, families, 'realtime', families.realtime.fetch)
  app.use('/_chartroom/*', async ({ req, env }, next) => {
    const isForNetwork = families.isStandInForNetwork && req.path.startsWith('/_chartroom/oauth/')
    const refusal = refuseTool(env.incoming, isForNetwork)
    return refusal === undefined ? next() : gatewayError(403, refusal)
  })
  if (families.faults) app.route('/_chartroom/faults', families.faults.api.app)
  app.get('/_chartroom/health', () => families.health())
  app.get('/_chartroom/access', () => families.access())
  app.get('/_chartroom/schema', () => families.schema())
  for (const path of ['', '/:id'])
    app.all(`/_chartroom/sql${path}`, ({ req, env }) => families.sql(req.raw, connectionOf(env)))
  for (const path of ['', '/reset', '/users']) {
    app.all(
      `/_chartroom/project${path}`,
      ({ req }) => families.project?.(req.raw) ?? gatewayError(404, 'This backend follows no project'),
    )
  }
  for (const path of ['', '.json', '.css', '.js']) {
    app.all(`/_chartroom/inbox${path}`, ({ req }) => families.inbox(req.raw))
  }
  app.get(
    '/_chartroom/functions.json',
    () => families.edgeFunctions?.describe() ?? gatewayError(404, 'Not Found'),
  )
  app.all('/_chartroom/oauth/*', context => families.auth(context.req.raw))
  for (const [path, what] of Object.entries(ABSENT)) {
    app.all(path, () => gatewayError(501, `${what} is not part of this backend`))
  }
  app.all('/rest-admin/*', () => gatewayError(404, 'Not Found'))
  app.all('*', async context => {
    const response = (await families.site?.(context.req.raw)) ?? gatewayError(404, 'Not Found')
    // Tells the console that this origin serves the faults API.
    if (families.faults) response.headers.set('X-Chartroom-Faults', '/_chartroom/faults')
    return response
  })
}

function addFamily(app: App, { tokens }: Families, name: keyof typeof LIMITS, handle: Handler): void {
  app.all(`/${name}/v1/*`, async context => {
    const request = await readWhole(context.req.raw, LIMITS[name])
    if (request === 'tooLarge') return tooLarge(LIMITS[name])
    markPeer(request, context.env.incoming)
    if (isJson(name, request) && (await isTooDeep(request))) {
      const message = 'The body is nested too deeply'
      return json(400, { code: name === 'rest' ? 'PGRST102' : 'bad_json', message, msg: message })
    }
    return refuseApiKey(tokens, request) ?? handle(request)
  })
}

/** Bodies are streams; the service also decides which requests are public. */
function addStorage(app: App, { storage, fileSizeLimit = 0 }: Families): void {
  const limit = Math.max(LIMITS.storage, fileSizeLimit + AROUND_FILE)
  app.all('/storage/v1/*', async context => {
    const streamed = readStreamed(context.req.raw, limit)
    if (streamed === 'tooLarge') return tooLarge(limit)
    markPeer(streamed.request, context.env.incoming)
    const response = await storage(streamed.request)
    return (await streamed.drain()) ? response : tooLarge(limit)
  })
}

/** Set like a proxy would; the caller's own value is not trusted. */
function markPeer({ headers }: Request, incoming: IncomingMessage): void {
  headers.set('x-forwarded-for', peerOf(incoming))
}

/** Bodies are not read here: they are streamed to the function. */
function addEdgeFunctions(app: App, { fetch }: EdgeFunctions): void {
  app.all('/functions/v1/*', async context => {
    const { url, method, headers, body, signal } = context.req.raw
    // Undici requires `duplex` with a stream; the DOM types lack it.
    const init = { method, headers, body, signal, duplex: 'half' }
    const request = new Request(url, init)
    markPeer(request, context.env.incoming)
    return fetch(request)
  })
}

function connectionOf({ incoming, outgoing }: HttpBindings): UserConnection {
  const closed = new AbortController()
  outgoing.once('close', () => closed.abort())
  return {
    signal: closed.signal,
    descriptor() {
      const descriptor = fieldOf(fieldOf(incoming.socket, '_handle'), 'fd')
      return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined
    },
  }
}

function peerOf({ socket }: IncomingMessage): string {
  const [address = LOOPBACK] = (socket.remoteAddress ?? LOOPBACK).split('%')
  return address.replace(/^::ffff:/, '')
}

/**
 * Services that parse every body as JSON. Functions only parse JSON content types; storage checks what it
 * parses itself.
 */
const JSON_FAMILIES = ['auth', 'rest', 'realtime']

function isJson(family: string, { headers }: Request): boolean {
  const isSentAsJson = /json/i.test(headers.get('content-type') ?? '')
  return JSON_FAMILIES.includes(family) || (family === 'functions' && isSentAsJson)
}

async function isTooDeep(request: Request): Promise<boolean> {
  if (request.body === null || /octet-stream/i.test(request.headers.get('content-type') ?? '')) return false
  return isDeeperThan(DEEPEST, new Uint8Array(await request.clone().arrayBuffer()))
}

/** Hosted APIs that are missing here. */
const ABSENT = {
  '/graphql/v1/*': 'GraphQL',
  '/pg/*': 'The metadata API',
  '/analytics/v1/*': 'The log service',
}

function tooLarge(limit: number): Response {
  const message = `The body is larger than ${limit / MEGABYTE} MB`
  return Response.json(
    { statusCode: '413', error: 'Payload too large', code: 'EntityTooLarge', message, msg: message },
    { status: 413, headers: { connection: 'close' } },
  )
}
