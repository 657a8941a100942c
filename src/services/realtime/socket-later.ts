// A life of the socket whose code is fetched with the first one: machines and ports are there before realtime-js.
import { broken } from '../effect.ts'
import { realtimeOver, type RealtimeHost } from './realtime-over.ts'
import type { OpenSocket, SocketLife } from './supabase-socket.ts'

type Load = () => Promise<{ readonly openSocket: OpenSocket }>

/** Code that does not come is a socket that did not open: whoever reconnects asks for it again. */
export const openLater =
  (load: Load): OpenSocket =>
  (backend, input, tell) => {
    if (!backend.WebSocket) return undefined
    let life: SocketLife | undefined
    let isClosed = false
    const open = ({ openSocket }: Awaited<ReturnType<Load>>) => {
      if (!isClosed) life = openSocket(backend, input, tell)
    }
    const opening = load().then(
      code => {
        try {
          open(code)
        } catch (error) {
          tell(broken(error))
        }
      },
      () => {
        const reason = 'the code for channels could not be loaded'
        if (!isClosed) tell({ type: 'socket.closed', code: 0, reason })
      },
    )
    return {
      get client() {
        // Topics join once the socket has told that it is open.
        if (!life) throw new Error('the socket has not been opened')
        return life.client
      },
      leaving: new Map(),
      authorised: () => opening.then(() => life?.authorised()),
      // A life that begins later begins with the token of then.
      pushToken: () => life?.pushToken(),
      probe: () => life?.probe(),
      close() {
        isClosed = true
        life?.close()
      },
    }
  }

/** Realtime that is there at once, but for the client of its sockets. */
export const createRealtimeBeforeSocket = (host: RealtimeHost) =>
  realtimeOver(
    host,
    openLater(() => import('./supabase-socket.ts')),
  )
