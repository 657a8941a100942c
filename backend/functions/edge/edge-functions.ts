// A project's Edge Functions: one Deno process for each, started by its first request and again after a change.
import { existsSync, readFileSync, watch, type FSWatcher } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { parseEnv } from 'node:util'
import { callerOf, type Tokens } from '../../keys/index.ts'
import { json } from '../../shared/errors.ts'
import { commandFor, type Deno } from './deno.ts'
import type { EdgeFunctionConfig, EdgeFunctionsConfig } from './edge-function-config.ts'
import { EDGE_LIMITS, EdgeWorker, type EdgeLimits } from './edge-worker.ts'
import { createFunctionLog, type FunctionLogLine } from './function-log.ts'
import { launchProcess, type Launch } from './launch.ts'
import { failureResponse, FunctionFailure, refuseToken } from './refusals.ts'

export interface EdgeFunctionsOptions {
  readonly deno: Deno
  readonly functions: EdgeFunctionsConfig
  readonly tokens: Tokens
  /** Variables that the service defines; `supabase/functions/.env` cannot replace them. */
  readonly variables: () => Promise<Readonly<Record<string, string>>>
  readonly onLog?: (line: FunctionLogLine) => void
  readonly limits?: Partial<EdgeLimits>
  readonly launch?: Launch
}

export interface EdgeFunctions {
  /** Handles `/functions/v1/NAME…`. Bodies are streamed both ways; preflights are the function's. */
  fetch(request: Request): Promise<Response>
  /** Passes a WebSocket for `/functions/v1/NAME…` on; resolves to the refusal, if it is refused. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<Response | undefined>
  /** The functions, their processes and what they printed, as JSON. */
  describe(): Response
  /** Ends all processes. */
  stop(): Promise<void>
}

/** More processes would slow each other down; the one that was idle for the longest makes room. */
const MOST_WORKERS = 16
/** Of names, so that a function cannot replace the variables of the service. */
const RESERVED = 'SUPABASE_'
/** An editor writes a file in several steps. */
const SETTLE_MS = 50

export function createEdgeFunctions(options: EdgeFunctionsOptions): EdgeFunctions {
  const { functions, tokens } = options
  const log = createFunctionLog(line => options.onLog?.(line))
  const workers = new WorkerPool({ ...options, log: line => log.add(line) })
  const find = async (url: URL, method: string, headers: Headers) => {
    const [, name = '', rest = ''] = /^\/functions\/v1\/([^/]*)(.*)$/.exec(url.pathname) ?? []
    const config = functions.list().find(one => one.name === name)
    if (!config) return failureResponse('NOT_FOUND')
    if (tokens.refuseKey(headers.get('apikey') ?? undefined, callerOf(headers)) === 'secretInBrowser')
      return json(401, { message: 'Forbidden use of secret API key in browser' })
    // Browsers send no token with a preflight.
    const refusal = config.verifyJwt && method !== 'OPTIONS' ? await refuseToken(tokens, headers) : undefined
    return refusal ?? { config, target: { path: `/${name}${rest}${url.search}`, headers: forwarded(url) } }
  }
  return {
    async fetch(request) {
      const target = await find(new URL(request.url), request.method, request.headers)
      if (target instanceof Response) return target
      try {
        const worker = await workers.take(target.config)
        return guarded(request, await worker.fetch(request, target.target))
      } catch (error) {
        return toFailure(error)
      }
    },
    async upgrade(incoming, socket, head) {
      const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`)
      const entries = Object.entries(incoming.headersDistinct)
      const headers = new Headers(entries.map(([name, values]) => [name, (values ?? []).join(', ')]))
      const target = await find(url, 'GET', headers)
      if (target instanceof Response) return target
      try {
        const worker = await workers.take(target.config)
        await worker.connect(socket, { ...target.target, incoming, head })
        return undefined
      } catch (error) {
        return toFailure(error)
      }
    },
    describe: () =>
      json(200, {
        deno: options.deno,
        functions: functions
          .list()
          .map(({ name, verifyJwt }) => ({ name, verifyJwt, pid: workers.pidOf(name) ?? null })),
        log: log.lines,
      }),
    stop: () => workers.stop(),
  }
}

function toFailure(error: unknown): Response {
  if (error instanceof FunctionFailure) return failureResponse(error.code)
  throw error
}

/** As a proxy in front of the service would add them; `x-forwarded-for` is set by the gateway. */
function forwarded({ host, protocol, port }: URL): Record<string, string> {
  return {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.replace(':', ''),
    'x-forwarded-port': port || '80',
  }
}

/**
 * Functions are served on the app's own origin, where their pages must not run scripts; the hosted service shows
 * them as text, too.
 */
function guarded({ method }: Request, response: Response): Response {
  const headers = new Headers(response.headers)
  const type = headers.get('content-type') ?? ''
  if (method === 'GET' && /^\s*text\/html/i.test(type))
    headers.set('content-type', type.replace(/text\/html/i, 'text/plain'))
  if (!headers.has('content-security-policy'))
    headers.set('content-security-policy', "default-src 'none'; sandbox")
  if (!headers.has('x-content-type-options')) headers.set('x-content-type-options', 'nosniff')
  if (response.status >= 500) headers.set('sb-error-code', 'EDGE_FUNCTION_ERROR')
  const { body, status, statusText } = response
  return new Response(body, { status, statusText, headers })
}

interface PoolOptions extends EdgeFunctionsOptions {
  readonly log: (line: Omit<FunctionLogLine, 'at'>) => void
}

interface Pooled {
  readonly worker: Promise<EdgeWorker>
  usedAt: number
}

class WorkerPool {
  readonly #options: PoolOptions
  readonly #limits: EdgeLimits
  readonly #workers = new Map<string, Pooled>()
  /** Workers that have not ended, including retired ones. */
  readonly #alive = new Set<EdgeWorker>()
  readonly #watcher: FSWatcher | undefined
  #settling: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#limits = { ...EDGE_LIMITS, ...options.limits }
    this.#watcher = this.#watch(options.functions.folder)
  }

  pidOf(name: string): number | undefined {
    return [...this.#alive].find(worker => worker.isUsable && this.#names.get(worker) === name)?.pid
  }

  readonly #names = new WeakMap<EdgeWorker, string>()

  /** The running process of a function, or a new one. @throws FunctionFailure if too many functions are busy */
  async take(config: EdgeFunctionConfig): Promise<EdgeWorker> {
    const pooled = this.#workers.get(config.name)
    const worker = await pooled?.worker.catch(() => undefined)
    if (pooled && worker?.isUsable && this.#workers.get(config.name) === pooled) {
      pooled.usedAt = Date.now()
      return worker
    }
    const current = this.#workers.get(config.name)
    if (current && current !== pooled) return this.take(config)
    if (this.#isStopped) throw new FunctionFailure('WORKER_ERROR')
    const next: Pooled = { worker: this.#start(config), usedAt: Date.now() }
    this.#workers.set(config.name, next)
    return next.worker
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#settling)
    this.#watcher?.close()
    await Promise.all([...this.#workers.values()].map(({ worker }) => worker.catch(() => undefined)))
    await Promise.all([...this.#alive].map(worker => worker.stop()))
  }

  async #start(config: EdgeFunctionConfig): Promise<EdgeWorker> {
    await this.#makeRoom(config.name)
    const { deno, functions, launch = launchProcess } = this.#options
    const variables = { ...this.#ownVariables(config.name), ...(await this.#options.variables()) }
    const { memoryMegabytes } = this.#limits
    const worker = new EdgeWorker({
      launch,
      limits: this.#limits,
      variables,
      command: temporary =>
        commandFor({ deno, config, folder: functions.folder, temporary, memoryMegabytes }),
      log: (from, text) => this.#options.log({ function: config.name, from, text }),
    })
    this.#names.set(worker, config.name)
    this.#alive.add(worker)
    void worker.exited.then(() => this.#alive.delete(worker))
    return worker
  }

  /** `[edge_runtime.secrets]` and `supabase/functions/.env`, read at each start of a process. */
  #ownVariables(name: string): Record<string, string> {
    const { folder, secrets } = this.#options.functions
    const file = join(folder, '.env')
    const read = existsSync(file) ? Object.entries(parseEnv(readFileSync(file, 'utf8'))) : []
    const reserved = read.filter(([key]) => key.startsWith(RESERVED))
    for (const [key] of reserved)
      this.#log(name, `.env: ${key} is skipped, because names must not start with ${RESERVED}`)
    const entries = read.filter(entry => !reserved.includes(entry))
    return { ...secrets, ...Object.fromEntries(entries.map(([key, value]) => [key, value ?? ''])) }
  }

  async #makeRoom(name: string): Promise<void> {
    if (this.#alive.size < MOST_WORKERS) return
    for (const [name, pooled] of [...this.#workers].sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      const worker = await pooled.worker.catch(() => undefined)
      if (!worker?.isUsable || worker.requests > 0) continue
      this.#workers.delete(name)
      return worker.retire()
    }
    this.#log(name, `was not started: ${MOST_WORKERS} functions are busy`)
    throw new FunctionFailure('WORKER_LIMIT')
  }

  /** Any file may be imported by any function. */
  #watch(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { recursive: true, persistent: false }, () => {
        clearTimeout(this.#settling)
        this.#settling = setTimeout(() => this.#retireAll(), SETTLE_MS)
      })
      watcher.on('error', () => watcher.close())
      return watcher
    } catch {
      this.#log('*', `${folder} cannot be watched; restart the backend after a change`)
      return undefined
    }
  }

  #retireAll(): void {
    const retired = [...this.#workers]
    this.#workers.clear()
    for (const [name, { worker }] of retired) {
      void worker.then(one => {
        if (!one.isUsable) return
        this.#log(name, 'files have changed; the next request starts it again')
        one.retire()
      })
    }
  }

  #log(name: string, text: string): void {
    this.#options.log({ function: name, from: 'service', text })
  }
}
