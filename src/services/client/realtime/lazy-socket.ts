// A socket connection whose code loads on first use: machines and ports are available before realtime-js.
import { broken } from '../../runtime/index.ts'
import { realtimeOver, type RealtimeHost } from './realtime-over.ts'
import type { OpenSocket, SocketLife } from './supabase-socket.ts'

type Load = () => Promise<{ readonly openSocket: OpenSocket }>

/**
 * Code that fails to load is reported as a socket that did not open, so reconnecting also retries loading.
 */
export const openLazily =
  (load: Load): OpenSocket =>
  (backend, input, report) => {
    if (!backend.WebSocket) return undefined
    let life: SocketLife | undefined
    let isClosed = false
    const open = ({ openSocket }: Awaited<ReturnType<Load>>) => {
      if (!isClosed) life = openSocket(backend, input, report)
    }
    const opening = load().then(
      code => {
        try {
          open(code)
        } catch (error) {
          report(broken(error))
        }
      },
      () => {
        const reason = 'the realtime code could not be loaded'
        if (!isClosed) report({ type: 'socket.closed', code: 0, reason })
      },
    )
    return {
      get client() {
        // Topics join only after the socket reported that it is open.
        if (!life) throw new Error('the socket has not been opened')
        return life.client
      },
      leaving: new Map(),
      authorised: () => opening.then(() => life?.authorised()),
      // A connection that opens later uses the token at that time.
      pushToken: () => life?.pushToken(),
      probe: () => life?.probe(),
      close() {
        isClosed = true
        life?.close()
      },
    }
  }

/** Realtime that is available immediately, except for the client of its sockets. */
export const createRealtimeBeforeSocket = (host: RealtimeHost) =>
  realtimeOver(
    host,
    openLazily(() => import('./supabase-socket.ts')),
  )
