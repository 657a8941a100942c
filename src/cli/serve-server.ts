// The inspector's server: receives events from apps over WebSocket and passes them to the console's page.
// Nothing leaves the machine.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { Backlog } from './serve-backlog.ts'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

/** The relevant headers of a request. */
interface Caller {
  /** The `Host` header, which reveals DNS rebinding: it contains the name that the page used. */
  readonly host: string | undefined
  /** Sent by browsers only. */
  readonly origin: string | undefined
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether the requested host is this machine. */
function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK.has(nameOf(`http://${host}`) ?? '')
}

/**
 * Whether an app may send events: a program, a page of this machine, or an origin that is allowed explicitly.
 */
export function mayTell({ host, origin }: Caller, allowed: readonly string[]): boolean {
  if (!isOwnHost(host)) return false
  if (origin === undefined) return true
  return allowed.includes(origin) || LOOPBACK.has(nameOf(origin) ?? '')
}

/** Whether the caller may read the apps' events: only the page that this server delivered. */
export function mayRead({ host, origin }: Caller): boolean {
  return isOwnHost(host) && origin === `http://${host}`
}

function nameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

/** The path for the page; every other path is for apps. */
export const CONSOLE_PATH = '/_chartroom/console'

const MAX_MESSAGE_BYTES = 16 * 2 ** 20
const MAX_APPS = 100
const MAX_PAGES = 20
/** Maximum backlog of a page's connection before it must reconnect and start with the stored messages. */
const MAX_BEHIND_BYTES = 256 * 2 ** 20

export interface ServerOptions {
  /** Zero: any free port. */
  readonly port: number
  /** Folder of the built page. */
  readonly page: string
  /** Other origins whose pages may send events. */
  readonly allowed?: readonly string[]
}

export interface InspectorServer {
  readonly port: number
  stop(): Promise<void>
}

/** @throws Node's Error if the port is in use */
export async function startServer({ port, page, allowed = [] }: ServerOptions): Promise<InspectorServer> {
  const hub = new Hub()
  const files = createPage(page)
  const server = createServer((request, response) => {
    if (isOwnHost(request.headers.host)) return void files(request, response)
    response
      .writeHead(403, { 'Content-Type': 'text/plain' })
      .end('This host name does not belong to this machine.\n')
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    const join = hub.joiner(request, allowed)
    if (typeof join === 'string') return refuse(socket, join)
    sockets.handleUpgrade(request, socket, head, join)
  })
  server.on('clientError', (_error, socket) => void socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      hub.stop()
      sockets.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function refuse(socket: Duplex, reason: string): void {
  socket.on('error', () => undefined)
  socket.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n${reason}\n`)
}

/** Connects apps with pages. */
class Hub {
  readonly #backlog = new Backlog()
  readonly #apps = new Map<WebSocket, string>()
  readonly #pages = new Set<WebSocket>()
  /** Different for each start of the server, since pages outlive it. */
  readonly #run = randomUUID()
  #next = 1
  #count = 0

  /** Returns the handler for the socket, or the reason to refuse it. */
  joiner(
    { url, headers }: IncomingMessage,
    allowed: readonly string[],
  ): string | ((socket: WebSocket) => void) {
    const caller: Caller = { host: headers.host, origin: headers.origin }
    if (url === CONSOLE_PATH) {
      if (!mayRead(caller)) return 'Only the page of this server may read events.'
      return this.#pages.size < MAX_PAGES ? socket => this.#page(socket) : 'Too many pages.'
    }
    if (!mayTell(caller, allowed))
      return `Pages of ${caller.origin ?? 'another host'} may not send events: see --allow-origin.`
    return this.#apps.size < MAX_APPS ? socket => this.#app(socket) : 'Too many apps.'
  }

  stop(): void {
    for (const socket of [...this.#apps.keys(), ...this.#pages]) socket.terminate()
  }

  #app(socket: WebSocket): void {
    const from = `app ${this.#next}`
    this.#next += 1
    this.#apps.set(socket, from)
    this.#send({ connected: from })
    socket.on('error', () => socket.terminate())
    socket.on('message', (data: RawData, isBinary: boolean) => {
      const text = isBinary ? '' : (data as Buffer).toString()
      if (text === '') return
      this.#count += 1
      const message = { n: this.#count, from, text }
      this.#backlog.add(message)
      this.#send(message)
    })
    socket.on('close', () => {
      this.#apps.delete(socket)
      this.#send({ disconnected: from })
    })
  }

  #page(socket: WebSocket): void {
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#pages.delete(socket))
    // Pages only receive.
    socket.on('message', () => socket.terminate())
    socket.send(JSON.stringify({ run: this.#run }))
    for (const message of this.#backlog.all()) socket.send(JSON.stringify(message))
    socket.send(JSON.stringify({ apps: [...this.#apps.values()] }))
    this.#pages.add(socket)
  }

  #send(what: object): void {
    if (this.#pages.size === 0) return
    const text = JSON.stringify(what)
    for (const page of this.#pages) {
      if (page.bufferedAmount > MAX_BEHIND_BYTES) page.terminate()
      else page.send(text)
    }
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

/** The page loads nothing from other hosts, and only pages of this machine may frame it. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; " +
  "connect-src 'self' ws://localhost:* ws://127.0.0.1:*; frame-ancestors http://localhost:* http://127.0.0.1:*; base-uri 'none'; form-action 'none'"

/** Serves `console.html` for `/`, and the files next to it. */
function createPage(folder: string) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = fileOf(request.url ?? '/', folder)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const bytes = file !== undefined && isRead ? await readFile(file).catch(() => undefined) : undefined
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Referrer-Policy', 'no-referrer')
    if (!bytes || file === undefined) {
      response.writeHead(isRead ? 404 : 405, { 'Content-Type': 'text/plain' }).end('Not found.\n')
      return
    }
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': POLICY,
    })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }
}

/** `undefined` for paths outside the folder. */
function fileOf(url: string, folder: string): string | undefined {
  const [path = '/'] = url.split(/[?#]/)
  let name: string
  try {
    name = normalize(decodeURIComponent(path))
  } catch {
    return undefined
  }
  if (name.includes('\0') || name.split(sep).includes('..')) return undefined
  return join(folder, name === sep ? 'console.html' : name)
}
