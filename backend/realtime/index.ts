// The realtime service: the socket endpoint and the HTTP broadcast API.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { createAuthorizer } from './authorize.ts'
import { createChanges } from './changes.ts'
import { Connection } from './connection.ts'
import { createHub } from './hub.ts'
import { createHttpApi } from './http-api.ts'
import { readVersion } from './protocol.ts'
import { createRate } from './rate.ts'
import { createMessageCleanup, createReplay } from './replay.ts'
import { DEFAULT_REALTIME_SETTINGS, type RealtimeSettings } from './settings.ts'
import type { RealtimeContext } from './realtime-context.ts'
import type { Clock } from '../shared/clock.ts'
import type { Database } from '../database/index.ts'
import { forBrowser, isFromBrowser, type Tokens } from '../keys/index.ts'

export { prepareRealtime } from './schema.ts'

export { DEFAULT_REALTIME_SETTINGS, type RealtimeSettings } from './settings.ts'

export interface Realtime {
  start(): Promise<void>
  /** Takes over a socket whose API key has been checked, or returns why not. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): UpgradeRefusal | undefined
  /** Handles all requests under `/realtime/v1` that are not sockets. */
  fetch(request: Request): Promise<Response>
  /** Handles frames that have arrived, closes all sockets with 1012 and resolves once they are closed. */
  stop(): Promise<void>
}

export interface UpgradeRefusal {
  readonly status: number
  readonly error: string
}

export interface RealtimeParts {
  readonly database: Database
  readonly tokens: Tokens
  readonly clock: Clock
  readonly settings?: Partial<RealtimeSettings> | undefined
  /** Wraps each socket, for fault injection. */
  readonly wrap?: (socket: WebSocket, request: IncomingMessage) => WebSocket
}

/** Interval of the token expiry check. */
const EXPIRY_CHECK_MS = 250
/** Maximum time at the stop to handle open frames, and for clients to answer the close. */
const DRAIN_MS = 500
const CLOSE_GRACE_MS = 500
const NORMAL = 1000
const SERVICE_RESTART = 1012

export function createRealtime(parts: RealtimeParts): Realtime {
  const state = { isStopping: false }
  const context = createRealm(parts, () => state.isStopping)
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: context.settings.maxFrameBytes,
    perMessageDeflate: false,
  })
  const connections = new Set<Connection>()
  const cleanup = createMessageCleanup(parts.database, context.clock)
  let sweep: NodeJS.Timeout | undefined
  return {
    async start() {
      await context.changes.start()
      await cleanup.start()
      sweep = setInterval(() => closeIdle(context, connections), EXPIRY_CHECK_MS)
    },
    fetch: createHttpApi(context),
    upgrade(request, socket, head) {
      const query = new URL(request.url ?? '/', 'http://localhost').searchParams
      const version = readVersion(query.get('vsn'))
      const refusal = version ? refuse(context, connections.size) : { status: 403, error: 'Forbidden' }
      if (!version || refusal) return refusal
      server.handleUpgrade(request, socket, head, ws => {
        const apikey = query.get('apikey') ?? String(request.headers.apikey ?? '')
        const isBrowser = isFromBrowser(name => request.headers[name]?.toString())
        const realtime = isBrowser ? { ...context, tokens: forBrowser(context.tokens) } : context
        const connection = new Connection(parts.wrap?.(ws, request) ?? ws, version, apikey, realtime)
        connections.add(connection)
        ws.once('close', () => connections.delete(connection))
      })
      return undefined
    },
    async stop() {
      state.isStopping = true
      clearInterval(sweep)
      cleanup.stop()
      await drain(server, [...connections])
    },
  }
}

function createRealm(
  { database, tokens, clock, settings }: RealtimeParts,
  isStopping: () => boolean,
): RealtimeContext {
  const hub = createHub()
  let ids = 0
  return {
    hub,
    changes: createChanges(database, hub),
    tokens,
    authorizer: createAuthorizer(database),
    replay: createReplay(database, clock),
    settings: { ...DEFAULT_REALTIME_SETTINGS, ...settings },
    clock,
    rates: { events: createRate(clock), joins: createRate(clock), presence: createRate(clock) },
    users: new Set(),
    nextId: () => (ids += 1),
    isStopping,
  }
}

function refuse(
  { settings, users, rates, isStopping }: RealtimeContext,
  open: number,
): UpgradeRefusal | undefined {
  if (isStopping()) return { status: 503, error: 'Service Unavailable' }
  if (users.size >= settings.maxConcurrentUsers || open >= settings.maxConnections)
    return { status: 429, error: 'Too many connected users' }
  if (rates.joins.perSecond() >= settings.maxJoinsPerSecond)
    return { status: 429, error: 'Too many joins per second' }
  return undefined
}

/** Closes channels whose token has expired, and sockets that are idle or have no channel. */
function closeIdle({ hub, clock, settings }: RealtimeContext, connections: ReadonlySet<Connection>): void {
  const now = clock.now()
  for (const channel of hub.members()) channel.expireBy(now)
  const at = performance.now()
  for (const { socket, emptySince } of connections) {
    const silentMs = at - socket.lastReceivedAt
    // A disconnected peer doesn't answer the close either.
    if (silentMs > settings.idleTimeoutMs + CLOSE_GRACE_MS) socket.terminate()
    else if (silentMs > settings.idleTimeoutMs) socket.close(NORMAL)
    else if (emptySince !== undefined && at - emptySince > settings.noChannelTimeoutMs) socket.terminate()
  }
}

async function drain(server: WebSocketServer, connections: readonly Connection[]): Promise<void> {
  const closed = Promise.all([...server.clients].map(ws => new Promise(resolve => ws.once('close', resolve))))
  await within(DRAIN_MS, Promise.all(connections.map(({ socket }) => socket.settled())))
  for (const { socket } of connections) socket.close(SERVICE_RESTART)
  await within(CLOSE_GRACE_MS, closed)
  for (const { socket } of connections) socket.terminate()
  await closed
  server.close()
}

/** Waits for work, at most for the given time. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise(resolve => (timer = setTimeout(resolve, milliseconds)))
  await Promise.race([work, timeout])
  clearTimeout(timer)
}
