// One life of the realtime socket: a RealtimeClient of its own, watched from outside and never left to itself.
import { RealtimeClient, type WebSocketLikeConstructor } from '@supabase/realtime-js'
import type { SocketEvent, SocketInput } from '../../machines/ports.ts'
import type { Clock } from '../clock.ts'
import { startHeartbeat } from './heartbeat.ts'

export interface SocketBackend {
  readonly url: string
  readonly key: string
  /** The access token in use; without one the socket speaks with the API key alone. */
  readonly accessToken: () => string | undefined
  readonly WebSocket: typeof globalThis.WebSocket | undefined
  readonly clock: Clock
}

export interface SocketLife {
  readonly client: RealtimeClient
  /** Topics being left, which can't be joined again before that is over. */
  readonly leaving: Map<string, Promise<unknown>>
  /** Resolves when the token in use is the one that joins go out with. */
  authorised(): Promise<unknown>
  /** Tells the server and the joined topics of the token in use. */
  pushToken(): void
  /** Asks for a sign of life. */
  probe(): void
  close(): void
}

export type OpenSocket = typeof openSocket

/** The client's own timers are set past any page's life: the machines own reconnecting, the heartbeat is ours. */
const NEVER = 2 ** 31 - 1

/** @returns undefined when there is no such thing as a WebSocket. */
export function openSocket(
  backend: SocketBackend,
  { heartbeatEvery, probeTimeout }: SocketInput,
  tell: (event: SocketEvent) => void,
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
      const onSilent = () => tell({ type: 'socket.silent' })
      heartbeat = startHeartbeat({ every: heartbeatEvery, deadline: probeTimeout, clock, ping, onSilent })
      tell({ type: 'socket.opened' })
    })
    born.addEventListener('message', () => {
      heartbeat?.heard()
      if (!isProbing) return
      isProbing = false
      tell({ type: 'socket.alive' })
    })
    born.addEventListener('close', ({ code, reason }) => {
      heartbeat?.stop()
      if (!isClosed) tell({ type: 'socket.closed', code, reason })
    })
  })
  const client = createClient(backend, transport)
  const ping = () => client.push({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: 'heartbeat' })
  const fail = (error: unknown) => tell({ type: 'socket.closed', code: 0, reason: String(error) })
  const authorise = () => client.setAuth().catch(fail)
  let authorised = authorise()
  // The token is in place before the socket opens, so no join can go out without it.
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

/** Would close the socket by itself when its last channel goes, also when that is about to be joined again. */
class OwnedClient extends RealtimeClient {
  override disconnect = () => Promise.resolve('ok' as const)
}

function createClient({ url, key, accessToken }: SocketBackend, transport: WebSocketLikeConstructor) {
  return new OwnedClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: key },
    transport,
    heartbeatIntervalMs: NEVER,
    accessToken: () => Promise.resolve(accessToken() ?? null),
    // A message on a socket that just went would otherwise go out over HTTP, past every machine.
    fetch: () => Promise.reject(new Error('the socket is gone')),
    reconnectAfterMs: () => NEVER,
    // At once, which is never: any other figure leaves a timer behind.
    disconnectOnEmptyChannelsAfterMs: 0,
  })
}

/** A socket class that shows each socket as it is made. */
function watched(
  Base: typeof globalThis.WebSocket,
  show: (socket: globalThis.WebSocket) => void,
): WebSocketLikeConstructor {
  return class extends Base {
    /** Ours takes the place of the client's own heartbeat, whose timers behind a hidden page come too late. */
    readonly skipHeartbeat = true
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      show(this)
    }
  }
}

/** Closes a socket of which its client is to hear nothing more. */
function silence(socket: globalThis.WebSocket): void {
  const nothing = () => undefined
  Object.assign(socket, { onopen: nothing, onmessage: nothing, onerror: nothing, onclose: nothing })
  socket.close()
}
