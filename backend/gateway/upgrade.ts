// Socket upgrades at the gateway: which are allowed, and how others are refused.
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Faults } from '../faults/index.ts'
import type { EdgeFunctions } from '../functions/index.ts'
import type { Realtime } from '../realtime/index.ts'
import { isFromBrowser, type Tokens } from '../keys/index.ts'
import type { GatewayRefusal } from './index.ts'

interface Upgradable {
  readonly tokens: Tokens
  readonly realtime: Realtime
  readonly edgeFunctions?: EdgeFunctions
  readonly faults?: Faults
}

/** Passes a socket to realtime or an Edge Function or refuses it; without services, the backend is still starting. */
export function upgrade(
  families: Upgradable | undefined,
  refusal: GatewayRefusal | undefined,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  socket.on('error', () => socket.destroy())
  if (refusal) return refuse(socket, 403, refusal)
  if (!families) return refuse(socket, 503, { message: 'Service Unavailable' })
  const url = URL.parse(request.url ?? '/', 'http://localhost')
  if (!url) return refuse(socket, 400, { message: 'Bad Request' })
  const { edgeFunctions } = families
  if (edgeFunctions && url.pathname.startsWith('/functions/v1/')) {
    void edgeFunctions
      .upgrade(request, socket, head)
      .then(async refused => refused && refuse(socket, refused.status, { message: await refused.text() }))
      .catch(() => socket.destroy())
    return
  }
  if (url.pathname !== '/realtime/v1/websocket') return refuse(socket, 404, { message: 'Not Found' })
  const apikey = url.searchParams.get('apikey') ?? request.headers.apikey?.toString()
  const isBrowser = isFromBrowser(name => request.headers[name]?.toString())
  if (families.tokens.refuseKey(apikey, { isBrowser }))
    return refuse(socket, 401, { message: 'Unauthorized' })
  const open = () => {
    const refused = families.realtime.upgrade(request, socket, head)
    if (refused) refuse(socket, refused.status, { message: refused.error })
  }
  if (!families.faults) return open()
  families.faults.upgrade({
    request,
    socket,
    url,
    open,
    refuse: (status, message, headers) => refuse(socket, status, { message }, headers),
  })
}

function refuse(
  socket: Duplex,
  status: number,
  refusal: GatewayRefusal,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify(refusal)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...extraHeaders,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // A client that never closes its side would delay the stop.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`)
}
