// A server in front of the embedded backend that sends what it receives to an original as well, and compares
// the answers. A program that talks to it sees the embedded backend.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { compareExchanges, type Sides } from './differences.ts'
import type { Comparison, FoundDifference } from './run.ts'
import { parseBody, sendTo, type Answer, type SentRequest } from './servers.ts'

export interface MirrorOptions {
  /** Where the program expects its server; 0: a free port. */
  readonly port: number
  /** The embedded backend. */
  readonly ours: string
  /** The path of the compared service, such as `/auth/v1`. Requests for other paths reach the backend only. */
  readonly service: string
  /** The original server of that service. */
  readonly theirs: string
  /** The headers that clients read. */
  readonly headers: readonly string[]
  /** Names the requests in differences. */
  readonly name: string
}

/** Listens on loopback while `work` runs. @throws Error with code `EADDRINUSE` if the port is taken */
export async function withMirror<T>(
  options: MirrorOptions,
  work: (url: string) => Promise<T>,
): Promise<{ readonly result: T; readonly comparison: Comparison }> {
  const mirror = new Mirror(options)
  const server = createServer((request, response) => void mirror.answer(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  try {
    return { result: await work(`http://127.0.0.1:${port}`), comparison: mirror }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

class Mirror implements Comparison {
  readonly #options: MirrorOptions
  readonly #sides: Sides
  /** The end of the request before: both servers get the requests in the same order. */
  #previous: Promise<unknown> = Promise.resolve()
  requests = 0
  readonly found: FoundDifference[] = []

  constructor(options: MirrorOptions) {
    this.#options = options
    this.#sides = { bases: [options.ours + options.service, options.theirs], counterparts: new Map() }
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const sent = await readRequest(request)
      const exchanged = this.#previous.then(() => this.#exchange(sent))
      this.#previous = exchanged.catch(() => undefined)
      const { status, headers, bytes } = await exchanged
      const length = sent.method === 'HEAD' || bytes.length === 0 ? {} : { 'content-length': bytes.length }
      response.writeHead(status, { ...forwarded(headers, NOT_ANSWERED), ...length })
      response.end(bytes)
    } catch (error) {
      response.writeHead(502, { 'content-type': 'text/plain' })
      response.end(`A server can't be reached: ${String(error)}`)
    }
  }

  async #exchange(sent: SentRequest): Promise<Answer> {
    const { ours, theirs, service, headers, name } = this.#options
    if (!sent.path.startsWith(`${service}/`)) return sendTo(ours, sent)
    const toOriginal = { ...this.#translate(sent), path: this.#rename(sent.path.slice(service.length)) }
    const answers = await Promise.all([sendTo(ours, sent), sendTo(theirs, toOriginal)])
    const [one, other] = answers.map(answer => ({ ...answer, body: parseBody(answer.bytes.toString()) }))
    if (one && other) {
      this.requests += 1
      const path = sent.path.slice(service.length).replace(/\?.*/, '')
      const step = `${this.requests}. ${sent.method} ${path}`
      const differences = compareExchanges(one, other, this.#sides, headers)
      this.found.push(...differences.map(difference => ({ ...difference, conversation: name, step })))
    }
    return answers[0]
  }

  /** A request with the original's ids, tokens and codes in place of ours. */
  #translate({ method, path, headers, body }: SentRequest): SentRequest {
    const isText = /json|urlencoded/.test(headers['content-type'] ?? '')
    return {
      method,
      path,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, this.#rename(value)]),
      ),
      body: isText && body !== undefined ? this.#rename(Buffer.from(body).toString()) : body,
    }
  }

  #rename(text: string): string {
    let renamed = text
    for (const [ours, theirs] of this.#sides.counterparts)
      if (ours.length >= SHORTEST && renamed.includes(ours)) renamed = renamed.replaceAll(ours, theirs)
    return renamed
  }
}

/** Of a value that is replaced wherever it occurs: a code has six digits. */
const SHORTEST = 6

/** Headers of one connection, and those that `fetch` sets. */
const NOT_SENT = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding']
/** The body is sent unpacked and in one piece. */
const NOT_ANSWERED = ['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding']

async function readRequest(request: IncomingMessage): Promise<SentRequest> {
  const { method = 'GET', url: path = '/' } = request
  const bytes = new Uint8Array(await buffer(request))
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const)
  const body = bytes.length > 0 ? bytes : undefined
  return { method, path, headers: forwarded(Object.fromEntries(headers), NOT_SENT), body }
}

function forwarded(headers: SentRequest['headers'], dropped: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name)))
}
