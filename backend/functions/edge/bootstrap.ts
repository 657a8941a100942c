// Runs in Deno before the module of an Edge Function: serves its handler on a free port of 127.0.0.1, and ends
// when the backend ends. It imports nothing, because only Deno loads it.

type Handler = (request: Request, info: unknown) => Response | Promise<Response>

interface ServeOptions {
  readonly handler?: Handler
  readonly onError?: (error: unknown) => Response | Promise<Response>
  readonly onListen?: (address: unknown) => void
  readonly signal?: AbortSignal
}

interface Server {
  readonly addr: { readonly port: number }
  readonly finished: Promise<void>
}

type Serve = (options: ServeOptions & { hostname: string; port: number }, handler: Handler) => Server

declare const Deno: {
  serve: unknown
  listen: unknown
  serveHttp: unknown
  readonly mainModule: string
  readonly env: { delete(name: string): void; set(name: string, value: string): void }
  readonly stdin: { readonly readable: ReadableStream<Uint8Array<ArrayBuffer>> }
  readonly stdout: { writeSync(bytes: Uint8Array): number }
  exit(code: number): never
}

/** The first line of the standard input. */
interface Greeting {
  /** Marks the lines to the backend and the requests from it. */
  readonly token: string
  /** Variables that Deno itself needed. */
  readonly hidden: readonly string[]
  /** The function's own variables. */
  readonly variables: Readonly<Record<string, string>>
}

const TOKEN_HEADER = 'x-chartroom-worker'
/** For background tasks, once the backend wants the process to end. */
const LAST_TASKS_MS = 2_000

const serve = Deno.serve as Serve
const input = Deno.stdin.readable.getReader()
const { token, hidden, variables } = await readGreeting()
for (const name of hidden) Deno.env.delete(name)
for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value)
void endWithBackend()

const tasks = new Set<Promise<unknown>>()
Object.assign(globalThis, {
  EdgeRuntime: {
    /** Keeps a background task running after the response. */
    waitUntil(task: Promise<unknown>) {
      const settled = Promise.resolve(task).finally(() => tasks.delete(settled))
      tasks.add(settled)
      return task
    },
  },
})

let server: Server | undefined

Deno.serve = (first: Handler | ServeOptions, second?: Handler) => {
  const options = typeof first === 'function' ? {} : first
  const handler = typeof first === 'function' ? first : (second ?? first.handler)
  if (!handler) throw new TypeError('Deno.serve needs a handler')
  return start(handler, options)
}
serveOldStyle()
// An error of the main module stays unhandled here, which ends the process: with preloaded modules, Deno itself may
// wait instead of reporting it.
setTimeout(() => void serveDefaultExport(), 0)

function start(handler: Handler, { onError, onListen, signal }: ServeOptions): Server {
  if (server) throw new TypeError('An Edge Function calls Deno.serve once')
  const options = {
    hostname: '127.0.0.1',
    port: 0,
    onListen: (address: unknown) => onListen?.(address),
    ...(onError ? { onError } : {}),
    ...(signal ? { signal } : {}),
  }
  server = serve(options, (request, info) => {
    if (request.headers.get(TOKEN_HEADER) !== token) return new Response('Forbidden', { status: 403 })
    const headers = new Headers(request.headers)
    headers.delete(TOKEN_HEADER)
    // Headers are immutable, and only the original request can be upgraded to a WebSocket.
    Object.defineProperty(request, 'headers', { value: headers })
    return handler(request, info)
  })
  tell({ port: server.addr.port })
  return server
}

/** A module that calls `Deno.serve` has done so when it has been evaluated. */
async function serveDefaultExport(): Promise<void> {
  const module = (await import(Deno.mainModule)) as { default?: { fetch?: Handler } }
  const service = module.default
  if (!server && typeof service?.fetch === 'function') {
    start((request, info) => service.fetch?.(request, info) ?? new Response(null, { status: 500 }), {})
  }
}

/** The `serve` of std before 0.200 accepts one connection after another; here one carries all requests. */
function serveOldStyle(): void {
  const waiting: ((event: unknown) => void)[] = []
  const events: unknown[] = []
  const handle: Handler = request => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const respondWith = async (response: Response | Promise<Response>) => resolve(await response)
    const event = { request, respondWith }
    const next = waiting.shift()
    if (next) next(event)
    else events.push(event)
    return promise
  }
  const nextRequest = () =>
    events.length > 0 ? Promise.resolve(events.shift()) : new Promise(resolve => void waiting.push(resolve))
  const address = { transport: 'tcp', hostname: '127.0.0.1', port: 0 }
  const connection = { localAddr: address, remoteAddr: address, rid: -1, close: () => undefined }
  const listen = Deno.listen as (options: { readonly port?: number }) => unknown
  Deno.listen = (options: { readonly port?: number }) => {
    if (server) return listen(options)
    start(handle, {})
    let isAccepted = false
    const accept = () => {
      if (isAccepted) return new Promise(() => undefined)
      isAccepted = true
      return Promise.resolve(connection)
    }
    return {
      addr: address,
      rid: -1,
      accept,
      close: () => undefined,
      async *[Symbol.asyncIterator]() {
        for (;;) yield await accept()
      },
    }
  }
  Deno.serveHttp = () => ({
    rid: -1,
    nextRequest,
    close: () => undefined,
    async *[Symbol.asyncIterator]() {
      for (;;) yield await nextRequest()
    },
  })
}

async function readGreeting(): Promise<Greeting> {
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('\n')) {
    const { value, done } = await input.read()
    if (done) Deno.exit(0)
    text += decoder.decode(value, { stream: true })
  }
  return JSON.parse(text) as Greeting
}

async function endWithBackend(): Promise<void> {
  while (!(await input.read()).done);
  globalThis.dispatchEvent(new CustomEvent('beforeunload', { detail: { reason: 'termination' } }))
  const timeout = new Promise(resolve => setTimeout(resolve, LAST_TASKS_MS))
  await Promise.race([Promise.allSettled(tasks), timeout])
  Deno.exit(0)
}

function tell(message: { readonly port: number }): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`\n${token} ${JSON.stringify(message)}\n`))
}
