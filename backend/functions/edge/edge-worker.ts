// The process of one Edge Function: boots, serves requests, and ends after a limit, an error or a stop.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Duplex, Readable } from 'node:stream'
import { fieldOf } from '../../shared/fields.ts'
import type { Command } from './deno.ts'
import { forward, joinSockets, type Opening, type Target } from './forward.ts'
import type { FunctionLogLine } from './function-log.ts'
import type { Launch } from './launch.ts'
import { FunctionFailure, type FailureCode } from './refusals.ts'

/** Limits of one process, as on the hosted service. */
export interface EdgeLimits {
  readonly memoryMegabytes: number
  /** How long a process may live, with all its requests and background tasks. */
  readonly wallClockMs: number
  /** Until the head of a response. */
  readonly requestMs: number
  /** Includes the download of packages. */
  readonly bootMs: number
  /** Requests that one process serves at the same time. */
  readonly requests: number
}

export const EDGE_LIMITS: EdgeLimits = {
  memoryMegabytes: 256,
  wallClockMs: 400_000,
  requestMs: 150_000,
  bootMs: 60_000,
  requests: 200,
}

/** For background tasks and handlers of `beforeunload`, until the process is killed. */
const END_GRACE_MS = 2_500

export interface WorkerOptions {
  readonly launch: Launch
  /** Composes the command; `temporary` is a folder that is deleted with the process. */
  readonly command: (temporary: string) => Command & { readonly hidden: readonly string[] }
  /** The function's own variables. */
  readonly variables: Readonly<Record<string, string>>
  readonly limits: EdgeLimits
  readonly log: (from: FunctionLogLine['from'], text: string) => void
}

const TOKEN_HEADER = 'x-chartroom-worker'

export class EdgeWorker {
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>
  readonly #port: Promise<number>
  readonly #options: WorkerOptions
  readonly #token = randomBytes(24).toString('base64url')
  readonly #temporary = mkdtempSync(join(tmpdir(), 'chartroom-function-'))
  readonly #process
  /** Aborted when the process has ended. */
  readonly #exitController = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  #failure: FailureCode = 'BOOT_ERROR'
  #requests = 0
  #isRetired = false

  constructor(options: WorkerOptions) {
    this.#options = options
    const { limits, log } = options
    const { hidden, ...command } = options.command(this.#temporary)
    this.#process = options.launch(command)
    const port = Promise.withResolvers<number>()
    this.#port = port.promise
    // A failed boot without a request is only logged.
    this.#port.catch(() => undefined)
    const exited = Promise.withResolvers<void>()
    this.exited = exited.promise
    this.#process.on('error', error => log('service', `could not be started: ${error.message}`))
    this.#process.on('close', (code, signal) => {
      this.#close(code, signal)
      port.reject(new FunctionFailure(this.#failure))
      exited.resolve()
    })
    this.#process.stdin.on('error', () => undefined)
    this.#process.stdin.write(
      `${JSON.stringify({ token: this.#token, hidden, variables: options.variables })}\n`,
    )
    this.#read(this.#process.stdout, 'stdout', message => {
      this.#failure = 'WORKER_ERROR'
      port.resolve(message)
      clearTimeout(boot)
      this.#failAfter(
        limits.wallClockMs,
        'WORKER_LIMIT',
        `reached the wall clock limit of ${limits.wallClockMs / 1000} s`,
      )
    })
    this.#read(this.#process.stderr, 'stderr')
    const boot = this.#failAfter(
      limits.bootMs,
      'BOOT_ERROR',
      `did not call Deno.serve within ${limits.bootMs / 1000} s`,
    )
  }

  /** Whether new requests may go to this process. */
  get isUsable(): boolean {
    return !this.#isRetired && !this.#exitController.signal.aborted
  }

  get requests(): number {
    return this.#requests
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** @throws FunctionFailure if the process fails before it responds */
  async fetch(request: Request, target: Omit<Target, 'port'>): Promise<Response> {
    this.#admit()
    const { requestMs } = this.#options.limits
    const timeout = AbortSignal.timeout(requestMs)
    try {
      const port = await withSignal(this.#port, timeout)
      const headers = { ...target.headers, [TOKEN_HEADER]: this.#token }
      const response = await forward(
        request,
        { ...target, port, headers },
        AbortSignal.any([timeout, this.#exitController.signal]),
      )
      return this.#counted(response)
    } catch (error) {
      this.#release()
      if (error instanceof FunctionFailure) throw error
      if (timeout.aborted) {
        this.#options.log('service', `did not respond within ${requestMs / 1000} s`)
        throw new FunctionFailure('IDLE_TIMEOUT')
      }
      // A connection breaks a moment before its process has ended.
      await Promise.race([this.exited, new Promise(resolve => setTimeout(resolve, 100))])
      throw new FunctionFailure(this.#failure)
    }
  }

  /** Passes a WebSocket on. @throws FunctionFailure if the process fails to boot */
  async connect(socket: Duplex, opening: Omit<Opening, 'port'>): Promise<void> {
    this.#admit()
    try {
      const port = await this.#port
      const headers = { ...opening.headers, [TOKEN_HEADER]: this.#token }
      await joinSockets(socket, { ...opening, port, headers })
    } finally {
      this.#release()
    }
  }

  /** Takes no more requests, and ends after those it has. */
  retire(): void {
    this.#isRetired = true
    if (this.#requests === 0) void this.stop()
  }

  /** Ends the process, killing it after a grace period. */
  stop(): Promise<void> {
    this.#isRetired = true
    this.#process.stdin.end()
    this.#timers.push(setTimeout(() => this.#process.kill('SIGKILL'), END_GRACE_MS))
    return this.exited
  }

  /** A request lasts until its response has been read or cancelled. */
  #counted(response: Response): Response {
    const { body, status, statusText, headers } = response
    if (body === null) {
      this.#release()
      return response
    }
    const reader = body.getReader()
    const release = () => this.#release()
    const counted = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { value, done } = await reader.read()
          if (!done) return controller.enqueue(value)
          controller.close()
          release()
        } catch (error) {
          controller.error(error)
          release()
        }
      },
      cancel(reason) {
        release()
        return reader.cancel(reason)
      },
    })
    return new Response(counted, { status, statusText, headers })
  }

  #admit(): void {
    const { limits, log } = this.#options
    if (this.#requests >= limits.requests) {
      log('service', `a request was refused: ${limits.requests} are under way`)
      throw new FunctionFailure('WORKER_LIMIT')
    }
    this.#requests += 1
  }

  #release(): void {
    this.#requests -= 1
    if (this.#isRetired && this.#requests === 0) void this.stop()
  }

  #failAfter(milliseconds: number, failure: FailureCode, reason: string): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#failure = failure
      if (this.#requests > 0 || failure === 'BOOT_ERROR')
        this.#options.log('service', `was ended: it ${reason}`)
      this.#process.kill('SIGKILL')
    }, milliseconds)
    this.#timers.push(timer)
    return timer
  }

  #read(stream: Readable, from: 'stdout' | 'stderr', onPort?: (port: number) => void): void {
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', line => {
      const message = line.startsWith(`${this.#token} `) ? line.slice(this.#token.length + 1) : undefined
      if (message !== undefined) return onPort?.(Number(fieldOf(JSON.parse(message), 'port')))
      if (/out of memory/i.test(line)) this.#failure = 'WORKER_LIMIT'
      if (line !== '') this.#options.log(from, line)
    })
  }

  #close(code: number | null, signal: NodeJS.Signals | null): void {
    for (const timer of this.#timers) clearTimeout(timer)
    if (!this.#isRetired && (code ?? 1) !== 0 && signal !== 'SIGKILL') {
      this.#options.log('service', `ended with ${signal ?? `exit code ${code}`}`)
    }
    this.#exitController.abort()
    rmSync(this.#temporary, { recursive: true, force: true })
  }
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new Error('It took too long'))
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort))
}
