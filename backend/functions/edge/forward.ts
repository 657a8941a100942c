// Passes requests and WebSockets on to the process of a function; bodies are streamed both ways.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Readable, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'

/** Not passed on, because they describe one connection. */
const CONNECTION_HEADERS = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
]
const BODILESS_STATUSES = [101, 204, 205, 304]

export interface Target {
  readonly port: number
  /** Path and query, as the function shall see them. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Rejects if the process ends before it responds, or if `signal` is aborted by then. */
export async function forward(request: Request, target: Target, signal: AbortSignal): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port: target.port,
    path: target.path,
    method: request.method,
    headers: { ...headersOf(request.headers), ...target.headers },
    agent: false,
  })
  outgoing.once('response', resolve)
  // Errors after the response reach its body.
  outgoing.on('error', reject)
  const abort = () => outgoing.destroy(new Error('The request was aborted'))
  signal.addEventListener('abort', abort, { once: true })
  request.signal.addEventListener('abort', abort, { once: true })
  sendBody(request, outgoing).catch(reject)
  try {
    return toResponse(await promise)
  } finally {
    // From now on, the caller ends the response by cancelling its body.
    signal.removeEventListener('abort', abort)
  }
}

async function sendBody(request: Request, outgoing: NodeJS.WritableStream): Promise<void> {
  if (request.body === null) return void outgoing.end()
  await pipeline(Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>), outgoing).catch(
    (error: unknown) => {
      // A function may respond without reading the body.
      if (!isClosed(error)) throw error
    },
  )
}

function isClosed(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
  )
}

function headersOf(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !CONNECTION_HEADERS.includes(name)))
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    if (CONNECTION_HEADERS.includes(name)) continue
    for (const value of values ?? []) headers.append(name, value)
  }
  const { statusCode: status = 500, statusMessage: statusText = '' } = incoming
  if (BODILESS_STATUSES.includes(status)) {
    incoming.resume()
    return new Response(null, { status, statusText, headers })
  }
  // A client that leaves cancels the body, which closes the connection to the function.
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
  return new Response(body, { status, statusText, headers })
}

/** What opens a WebSocket. */
export interface Opening extends Target {
  readonly incoming: IncomingMessage
  /** Bytes that arrived after the head. */
  readonly head: Buffer
}

/** Connects a socket with the process; resolves when either side has ended. */
export async function joinSockets(
  socket: Duplex,
  { port, path, headers, incoming, head }: Opening,
): Promise<void> {
  const ownNames = new Set(Object.keys(headers))
  const forwarded = Object.entries(incoming.headersDistinct).filter(([name]) => !ownNames.has(name))
  const lines = [
    ...forwarded.flatMap(([name, values]) => (values ?? []).map(value => `${name}: ${value}`)),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  const upstream = connect(port, '127.0.0.1')
  upstream.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  upstream.write(head)
  // A side that breaks only ends the other.
  await Promise.allSettled([pipeline(socket, upstream), pipeline(upstream, socket)])
}
