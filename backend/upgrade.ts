// The gateway's door for sockets: who may open one, and how the others are turned away.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Realtime } from './realtime/index.ts'
import type { Tokens } from './tokens.ts'

/** Hands a socket to realtime, or refuses it; without families the backend is still starting. */
export function upgrade(
  families: { readonly tokens: Tokens; readonly realtime: Realtime } | undefined,
  isKnownHost: boolean,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  socket.on('error', () => socket.destroy())
  if (!families) return refuse(socket, 503, 'Service Unavailable')
  const url = URL.parse(request.url ?? '/', 'http://localhost')
  if (!url) return refuse(socket, 400, 'Bad Request')
  if (!isKnownHost) return refuse(socket, 403, 'Forbidden')
  if (url.pathname !== '/realtime/v1/websocket') return refuse(socket, 404, 'Not Found')
  const apikey = url.searchParams.get('apikey') ?? undefined
  if (families.tokens.refuseKey(apikey, request.headers['user-agent']))
    return refuse(socket, 401, 'Unauthorized')
  families.realtime.upgrade(request, socket, head)
}

function refuse(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ message })
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`
  // A client that never closes its own side would hold up the stop.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${message}\r\n${headers}\r\n\r\n${body}`)
}
