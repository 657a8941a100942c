// A plain HTTP and WebSocket server that logs what it receives: enough of a backend for a client's calls.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { atTestEnd } from './endings.ts'
import { sessionBody } from './fake-backend.ts'

/** A call as the server received it. */
export interface LoggedCall {
  /** `WS` for a socket. */
  readonly method: string
  /** Path and query; of a socket, the path. */
  readonly path: string
  readonly status: number
}

type Reply = readonly [status: number, body?: unknown]

interface LoggingServer {
  readonly url: string
  readonly calls: readonly LoggedCall[]
  readonly sockets: readonly WebSocket[]
  /** Replies once with this to the next call whose `METHOD /path` begins with the text. */
  next(call: string, reply: Reply): void
}

/** Listens on a free port until the test ends. */
export async function startLoggingServer(): Promise<LoggingServer> {
  const calls: LoggedCall[] = []
  const sockets: WebSocket[] = []
  const once = new Map<string, Reply>()
  let sessions = 0
  const replyTo = (call: string): Reply => {
    for (const [prefix, reply] of once)
      if (call.startsWith(prefix)) {
        once.delete(prefix)
        return reply
      }
    if (/^POST \/auth\/v1\/(?:token|verify)/.test(call)) return [200, sessionBody(`session-${++sessions}`)]
    if (call.startsWith('GET /auth/v1/user')) return [200, sessionBody('user').user]
    if (call.startsWith('POST /auth/v1/logout')) return [204]
    if (call.startsWith('POST /storage/')) return [200, { Key: 'charts/a.png', Id: '1' }]
    return [200, call.startsWith('GET /rest/') ? [] : {}]
  }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '' } = request
    const [status, body] = replyTo(`${method} ${path}`)
    calls.push({ method, path, status })
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    })
  })
  const upgrades = new WebSocketServer({ server })
  upgrades.on('connection', (socket, { url = '' }) => {
    calls.push({ method: 'WS', path: url.split('?', 1)[0] ?? '', status: 101 })
    sockets.push(socket)
    socket.on('message', data => {
      const [joinRef, ref, topic, event] = JSON.parse((data as Buffer).toString()) as unknown[]
      const reply = event === 'phx_join' ? { postgres_changes: [] } : {}
      socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: reply }]))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atTestEnd(async () => {
    for (const socket of sockets) socket.terminate()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    sockets,
    next: (call, reply) => void once.set(call, reply),
  }
}
