// The gateway's HTTP server, with limits on time, connections and requests per client.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Client timeouts in milliseconds. */
export interface Patience {
  /** For the head of a request. */
  readonly head: number
  /** For a whole request; large files on slow disks take long. */
  readonly request: number
  /** For any part of a response that waits to be sent. */
  readonly write: number
  /** How often the first two are checked. */
  readonly check: number
}

const PATIENCE: Patience = { head: 15_000, request: 120_000, write: 30_000, check: 5_000 }
/** Tokens with much metadata are long, and so are filters with lists of ids. */
const HEAD_BYTES = 64 * 1024
const CONNECTIONS = 4_096
/** Concurrent requests per connection: browsers send one at a time, legitimate pipelines a few. */
const REQUESTS_UNDER_WAY = 64
/** How long a running request may continue after the stop. */
const STOP_GRACE_MS = 2_000

/** Creates a server that is not listening yet. */
export function createBoundedServer(answer: Answer, patience: Patience = PATIENCE): Server {
  const underWay = new WeakMap<Socket, number>()
  const options = {
    headersTimeout: patience.head,
    requestTimeout: patience.request,
    connectionsCheckingInterval: patience.check,
    maxHeaderSize: HEAD_BYTES,
  }
  const server = createServer(options, (incoming, outgoing) => {
    const { socket } = incoming
    const count = (underWay.get(socket) ?? 0) + 1
    if (count > REQUESTS_UNDER_WAY) return void socket.destroy()
    underWay.set(socket, count)
    outgoing.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    // A connection that breaks during the response is the client's problem.
    outgoing.on('error', () => socket.destroy())
    answer(incoming, outgoing)
  })
  server.maxConnections = CONNECTIONS
  // Bytes accepted by the system count as activity. Computing a response may take longer.
  server.setTimeout(patience.write, socket => {
    const isWaiting = (underWay.get(socket) ?? 0) > 0 && socket.writableLength === 0
    if (!isWaiting) socket.destroy()
  })
  return server
}

/** Rejects with `EADDRINUSE` if the port is taken. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Accepts no more connections and resolves once the open ones have ended; `before` runs in between. */
export async function close(server: Server, before: () => Promise<void> | undefined): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  await before()
  server.closeIdleConnections()
  const closeTimer = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearTimeout(closeTimer)
}
