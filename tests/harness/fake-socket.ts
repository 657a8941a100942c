// A WebSocket answered by a function; every frame is recorded.

export type Frame = readonly [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: unknown,
]

export interface FakeSocket {
  readonly address: string
  readonly sent: readonly Frame[]
  /** Sends a frame to the client. */
  deliver(frame: Frame): void
  /** Breaks the connection. */
  drop(code?: number, reason?: string): void
  /** How many listeners of each kind were added and not removed. */
  readonly listeners: number
}

/** How the server end handles a frame. */
export type Answer = (frame: Frame, socket: FakeSocket) => void

/** How frames are written on the wire. */
export interface FrameFormat {
  read(data: string): Frame
  write(frame: Frame): string
}

const ARRAYS: FrameFormat = { read: data => JSON.parse(data) as Frame, write: frame => JSON.stringify(frame) }

/** Joins are accepted, leaves and heartbeats answered. */
const obliging: Answer = ([joinRef, ref, topic, event], socket) => {
  if (event === 'access_token') return
  const response = event === 'phx_join' ? { postgres_changes: [] } : {}
  socket.deliver([joinRef, ref, topic, 'phx_reply', { status: 'ok', response }])
}

/** A socket class, and every socket that was created with it. */
export function fakeSockets(answer: Answer = obliging, { read, write }: FrameFormat = ARRAYS) {
  const sockets: FakeSocket[] = []
  const open = new Set<FakeSocket>()
  class Socket extends EventTarget implements FakeSocket {
    readonly sent: Frame[] = []
    listeners = 0
    readyState = 0
    bufferedAmount = 0
    binaryType = ''
    onopen: ((event: Event) => void) | null = null
    onmessage: ((event: Event) => void) | null = null
    onerror: ((event: Event) => void) | null = null
    onclose: ((event: Event) => void) | null = null
    readonly address: string
    constructor(address: string | URL = '') {
      super()
      this.address = String(address)
      sockets.push(this)
      queueMicrotask(() => {
        if (this.readyState !== 0) return
        this.readyState = 1
        open.add(this)
        this.#dispatch('open')
      })
    }
    override addEventListener(...given: Parameters<EventTarget['addEventListener']>) {
      this.listeners++
      super.addEventListener(...given)
    }
    send(data: string) {
      const frame = read(data)
      this.sent.push(frame)
      queueMicrotask(() => this.readyState === 1 && answer(frame, this))
    }
    close() {
      this.drop(1000)
    }
    deliver(frame: Frame) {
      this.#dispatch('message', { data: write(frame) })
    }
    drop(code = 1006, reason = '') {
      if (this.readyState === 3) return
      this.readyState = 3
      open.delete(this)
      queueMicrotask(() => this.#dispatch('close', { code, reason }))
    }
    #dispatch(kind: 'open' | 'message' | 'close', data: object = {}) {
      const event = Object.assign(new Event(kind), data)
      this.dispatchEvent(event)
      this[`on${kind}`]?.(event)
    }
  }
  return { WebSocket: Socket as unknown as typeof globalThis.WebSocket, sockets, open }
}
