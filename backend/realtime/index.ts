// The realtime family: the socket endpoint and the broadcast API over HTTP.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { Connection, type ConnectionDependencies } from './connection.ts'
import { createChanges } from './changes.ts'
import { createHub } from './hub.ts'
import { createHttpBroadcast } from './http-broadcast.ts'
import { createAuthorizer } from './authorize.ts'
import type { Database } from '../database.ts'
import type { Tokens } from '../tokens.ts'

export interface Realtime {
  start(): Promise<void>
  /** Takes over a socket whose API key has been checked. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Answers everything under `/realtime/v1` that is no socket. */
  fetch(request: Request): Promise<Response>
  /** Closes every socket with 1001 and resolves when they are gone. */
  stop(): Promise<void>
}

/** Largest frame a client may send. */
const LARGEST_FRAME = 3 * 1024 * 1024
/** A client that has not even sent a heartbeat for this long is gone. */
const SILENCE_LIMIT_MS = 60_000
const SILENCE_CHECK_MS = 15_000
/** How long a client may take to answer the close. */
const CLOSE_GRACE_MS = 500

export function createRealtime(database: Database, tokens: Tokens): Realtime {
  const hub = createHub()
  const changes = createChanges(database, hub)
  const mayUse = createAuthorizer(database)
  let ids = 0
  const dependencies: ConnectionDependencies = { hub, changes, tokens, mayUse, nextId: () => (ids += 1) }
  const server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME, perMessageDeflate: false })
  const connections = new Set<Connection>()
  let sweep: NodeJS.Timeout | undefined
  return {
    async start() {
      await changes.start()
      sweep = setInterval(() => dropSilent(connections), SILENCE_CHECK_MS)
    },
    fetch: createHttpBroadcast(hub, tokens, mayUse),
    upgrade(request, socket, head) {
      const query = new URL(request.url ?? '/', 'http://localhost').searchParams
      const version = query.get('vsn') === '2.0.0' ? '2.0.0' : '1.0.0'
      server.handleUpgrade(request, socket, head, ws => {
        const connection = new Connection(ws, version, query.get('apikey') ?? '', dependencies)
        connections.add(connection)
        ws.once('close', () => connections.delete(connection))
      })
    },
    async stop() {
      clearInterval(sweep)
      const gone = [...server.clients].map(ws => new Promise(resolve => ws.once('close', resolve)))
      for (const connection of connections) connection.close(1001, 'The backend is stopping')
      const late = setTimeout(() => connections.forEach(connection => connection.terminate()), CLOSE_GRACE_MS)
      await Promise.all(gone)
      clearTimeout(late)
      server.close()
    },
  }
}

function dropSilent(connections: ReadonlySet<Connection>): void {
  for (const connection of connections) {
    if (Date.now() - connection.lastHeard > SILENCE_LIMIT_MS) connection.terminate()
  }
}
