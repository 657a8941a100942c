// One connection of the realtime socket: a separate RealtimeClient with all automatic behavior disabled.
import { RealtimeClient, type WebSocketLikeConstructor } from '@supabase/realtime-js'
import type { SocketEvent, SocketInput } from '../../../machines/index.ts'
import type { Clock, TimerHandle } from '../../runtime/index.ts'
import type { SocketOptions } from '../options.ts'

export interface SocketBackend {
  readonly url: string
  readonly key: string
  /** The key to put into the socket’s URL, if it may have been replaced. */
  readonly currentKey?: () => string
  /** The current access token; without one the socket uses only the API key. */
  readonly accessToken: () => string | undefined
  readonly WebSocket: typeof globalThis.WebSocket | undefined
  /** Options of the official client. */
  readonly options?: SocketOptions | undefined
  readonly clock: Clock
}

export interface SocketLife {
  readonly client: RealtimeClient
  /** Topics that are being left and cannot be joined until that is done. */
  readonly leaving: Map<string, Promise<unknown>>
  /** Resolves when joins use the current token. */
  authorised(): Promise<unknown>
  /** Sends the current token to the server and the joined topics. */
  pushToken(): void
  /** Sends a probe to check that the connection works. */
  probe(): void
  close(): void
}

export type OpenSocket = typeof openSocket

/** Disables the client's own timers: the machines own reconnecting, and the heartbeat is ours. */
const NEVER = 2 ** 31 - 1

/** @returns undefined if there is no WebSocket class */
export function openSocket(
  backend: SocketBackend,
  { heartbeatEvery, probeTimeout }: SocketInput,
  report: (event: SocketEvent) => void,
): SocketLife | undefined {
  const { clock, WebSocket } = backend
  if (!WebSocket) return undefined
  let socket: globalThis.WebSocket | undefined
  let heartbeat: ReturnType<typeof startHeartbeat> | undefined
  let isProbing = false
  let isClosed = false

  const transport = watched(WebSocket, born => {
    socket = born
    born.addEventListener('open', () => {
      if (isClosed) return
      const onSilent = () => report({ type: 'socket.silent' })
      heartbeat = startHeartbeat({
        intervalMs: heartbeatEvery,
        deadline: probeTimeout,
        clock,
        ping,
        onSilent,
      })
      report({ type: 'socket.opened' })
    })
    born.addEventListener('message', () => {
      heartbeat?.replied()
      if (!isProbing) return
      isProbing = false
      report({ type: 'socket.alive' })
    })
    born.addEventListener('close', ({ code, reason }) => {
      heartbeat?.stop()
      if (!isClosed) report({ type: 'socket.closed', code, reason })
    })
  })
  const client = createClient(backend, transport)
  const ping = () => client.push({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: 'heartbeat' })
  const fail = (error: unknown) => report({ type: 'socket.closed', code: 0, reason: String(error) })
  const authorise = () => client.setAuth().catch(fail)
  let authorised = authorise()
  // The token is set before the socket opens, so every join has it.
  void authorised.then(() => (isClosed ? undefined : client.connect())).catch(fail)

  return {
    client,
    leaving: new Map(),
    authorised: () => authorised,
    pushToken: () => void (authorised = authorise()),
    probe() {
      isProbing = true
      ping()
    },
    close() {
      isClosed = true
      heartbeat?.stop()
      if (socket) silence(socket)
      client.reconnectTimer.reset()
    },
  }
}

/**
 * The base class would close the socket when its last channel is removed, even if it is about to be joined
 * again.
 */
class OwnedClient extends RealtimeClient {
  override disconnect = () => Promise.resolve('ok' as const)
}

function createClient(
  { url, key, currentKey = () => key, accessToken, options = {} }: SocketBackend,
  transport: WebSocketLikeConstructor,
) {
  return new OwnedClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    ...options,
    params: { apikey: currentKey(), ...options.params },
    transport,
    heartbeatIntervalMs: NEVER,
    accessToken: () => Promise.resolve(accessToken() ?? null),
    // A message on a socket that just closed would otherwise be sent over HTTP, bypassing the machines.
    fetch: () => Promise.reject(new Error('the socket is gone')),
    reconnectAfterMs: () => NEVER,
    // Zero disables the timer; any other value leaves one behind.
    disconnectOnEmptyChannelsAfterMs: 0,
  })
}

/** Returns a socket class that reports each instance. */
function watched(
  Base: typeof globalThis.WebSocket,
  show: (socket: globalThis.WebSocket) => void,
): WebSocketLikeConstructor {
  return class extends Base {
    /** Replaces the client's own heartbeat, whose timers are throttled in hidden pages. */
    readonly skipHeartbeat = true
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      show(this)
    }
  }
}

/** Closes a socket without notifying its client. */
function silence(socket: globalThis.WebSocket): void {
  const nothing = () => undefined
  Object.assign(socket, { onopen: nothing, onmessage: nothing, onerror: nothing, onclose: nothing })
  socket.close()
}

interface HeartbeatOptions {
  readonly intervalMs: number
  /** Milliseconds within which a frame must arrive after a beat. */
  readonly deadline: number
  readonly clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>
  readonly ping: () => void
  readonly onSilent: () => void
}

/** Starts the heartbeat. Call `heard` for every frame that arrives; any frame counts as a response. */
export function startHeartbeat({ intervalMs, deadline, clock, ping, onSilent }: HeartbeatOptions) {
  let last = clock.now()
  let waiting: TimerHandle
  let timer: TimerHandle
  const replied = () => {
    clock.clearTimeout(waiting)
    waiting = undefined
  }
  const beat = () => {
    // The page timer and the worker both call this.
    if (clock.now() - last < intervalMs / 2) return
    last = clock.now()
    ping()
    waiting ??= clock.setTimeout(onSilent, deadline)
  }
  const tick = () => {
    timer = clock.setTimeout(tick, intervalMs)
    beat()
  }
  timer = clock.setTimeout(tick, intervalMs)
  const stopWorker = beatBehindHiddenPage(intervalMs, beat)
  return {
    replied,
    stop() {
      replied()
      clock.clearTimeout(timer)
      stopWorker()
    },
  }
}

/**
 * Browsers fire the timers of a hidden page once a minute at best, but those of a worker on time. If a page
 * forbids workers (Content-Security-Policy), the page's own timers remain.
 */
function beatBehindHiddenPage(intervalMs: number, beat: () => void): () => void {
  const page = globalThis.document
  if (!page || !globalThis.Worker) return () => undefined
  let worker: Worker | undefined
  const stop = () => {
    worker?.terminate()
    worker = undefined
  }
  const follow = () => {
    if (page.visibilityState !== 'hidden') return stop()
    try {
      worker ??= startWorker(intervalMs, beat, stop)
    } catch {
      stop()
    }
  }
  page.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    page.removeEventListener('visibilitychange', follow)
    stop()
  }
}

function startWorker(intervalMs: number, beat: () => void, stop: () => void): Worker {
  const code = new Blob([`setInterval(() => postMessage(0), ${intervalMs})`], { type: 'text/javascript' })
  const address = URL.createObjectURL(code)
  try {
    const worker = new Worker(address)
    worker.addEventListener('message', beat)
    worker.addEventListener('error', event => {
      event.preventDefault()
      stop()
    })
    return worker
  } finally {
    URL.revokeObjectURL(address)
  }
}
