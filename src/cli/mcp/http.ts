// `chartroom mcp --http`: the server over Streamable HTTP, on this machine only and with a token.
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

export interface HttpServer {
  readonly port: number
  readonly stop: () => Promise<void>
}

export interface HttpOptions {
  /** 0 for a free one. */
  readonly port: number
  readonly token: string
  /** Creates a server for each session. */
  readonly create: () => McpServer
}

/** Open sessions of clients that speak a protocol of 2025; the oldest ends if there are more. */
const MOST_SESSIONS = 32

/** @throws Node's Error if the port is in use */
export async function serveHttp({ port, token, create }: HttpOptions): Promise<HttpServer> {
  const modern = createMcpHandler(create, { legacy: 'reject' })
  const sessions = new Sessions(create)
  const answer = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins())
    if (refused) return refused
    if (!hasToken(request, token))
      return new Response('The token is missing or wrong: send it as "Authorization: Bearer TOKEN".\n', {
        status: 401,
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    if (new URL(request.url).pathname !== '/mcp')
      return new Response('The endpoint is /mcp.\n', { status: 404 })
    return (await isLegacyRequest(request)) ? sessions.answer(request) : modern.fetch(request)
  }
  const server = createHttpServer((incoming, response) => {
    answer(requestOf(incoming, response))
      .then(result => send(result, response))
      .catch(() => response.destroy())
  })
  server.on('clientError', (_error, socket) => void socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      await modern.close()
      await sessions.close()
      server.closeAllConnections()
      await new Promise(resolve => void server.close(resolve))
    },
  }
}

function hasToken(request: Request, token: string): boolean {
  const givenToken = Buffer.from(/^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '')
  const expectedToken = Buffer.from(token)
  return givenToken.length === expectedToken.length && timingSafeEqual(givenToken, expectedToken)
}

/** Clients that speak a protocol of 2025 cancel a call by another request of their session. */
class Sessions {
  readonly #create: () => McpServer
  readonly #open = new Map<string, WebStandardStreamableHTTPServerTransport>()

  constructor(create: () => McpServer) {
    this.#create = create
  }

  async answer(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const session = id === null ? undefined : this.#open.get(id)
    if (session) return session.handleRequest(request)
    if (id !== null) return new Response('The session has ended: connect again.\n', { status: 404 })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: async started => {
        this.#open.set(started, transport)
        for (const [oldest, one] of this.#open) {
          if (this.#open.size <= MOST_SESSIONS) break
          this.#open.delete(oldest)
          await one.close()
        }
      },
      onsessionclosed: sessionId => void this.#open.delete(sessionId),
    })
    await this.#create().connect(transport)
    return transport.handleRequest(request)
  }

  async close(): Promise<void> {
    for (const transport of this.#open.values()) await transport.close()
    this.#open.clear()
  }
}

/** The request as the SDK takes it; aborted when the client disconnects. */
function requestOf(incoming: IncomingMessage, response: ServerResponse): Request {
  const { method = 'GET', headers, url = '/' } = incoming
  const controller = new AbortController()
  response.on('close', () => controller.abort())
  const headerPairs = Object.entries(headers).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, Array.isArray(value) ? value.join(', ') : value]],
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const path = url.startsWith('/') ? url : '/'
  return new Request(`http://localhost${path}`, {
    method,
    headers: headerPairs,
    signal: controller.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as unknown as BodyInit, duplex: 'half' as const }),
  })
}

async function send(result: Response, response: ServerResponse): Promise<void> {
  response.writeHead(result.status, Object.fromEntries(result.headers))
  if (!result.body) return void response.end()
  response.flushHeaders()
  await pipeline(Readable.fromWeb(result.body as unknown as ReadableStream), response)
}
