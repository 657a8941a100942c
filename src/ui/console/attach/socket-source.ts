// Receives app messages from the `chartroom serve` server over a connection that reconnects automatically.

import { MessageDeduper, type MessageDeduperOptions, type Said } from './message-deduper.ts'

/** Path of the endpoint that the server's page reads from. */
const PATH = '/_chartroom/console'
const FIRST_WAIT = 500
const LONGEST_WAIT = 5_000

export interface SocketSourceOptions extends MessageDeduperOptions {
  readonly location: Location
  /** Whether the server is connected. */
  readonly onState: (isOpen: boolean) => void
}

/** Connects, and reconnects whenever the connection is lost; returns a close function. */
export function openSocketSource(options: SocketSourceOptions): () => void {
  const { protocol, host } = options.location
  const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${PATH}`
  const hearing = new MessageDeduper(options)
  let wait = FIRST_WAIT
  let timer: ReturnType<typeof setTimeout> | undefined
  let socket: WebSocket | undefined
  let hasEnded = false
  const connect = () => {
    socket = new WebSocket(url)
    socket.addEventListener('open', () => {
      wait = FIRST_WAIT
      options.onState(true)
    })
    socket.addEventListener('message', ({ data }: MessageEvent<string>) =>
      hearing.receive(JSON.parse(data) as Said),
    )
    socket.addEventListener('close', () => {
      options.onState(false)
      if (hasEnded) return
      timer = setTimeout(connect, wait)
      wait = Math.min(LONGEST_WAIT, wait * 2)
    })
  }
  connect()
  return () => {
    hasEnded = true
    clearTimeout(timer)
    socket?.close()
  }
}
