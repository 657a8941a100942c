// Receives app messages from the `chartroom serve` server over a connection that reconnects automatically.

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

interface MessageDeduperOptions {
  readonly take: (text: string, from: string) => void
  readonly disconnected: (from: string) => void
}

/** A message from the server. */
interface Said {
  /** Id of this server process; in its first message. */
  readonly run?: string
  /** Number of the message within this server process. */
  readonly n?: number
  readonly from?: string
  readonly text?: string
  readonly disconnected?: string
  /** Connected apps, sent once all earlier messages were sent. */
  readonly apps?: readonly string[]
}

/** Separates new messages from ones already received. */
export class MessageDeduper {
  readonly #options: MessageDeduperOptions
  #run = ''
  /** The last number received, now and when the present connection opened. */
  #received = 0
  #before = 0
  readonly #apps = new Set<string>()

  constructor(options: MessageDeduperOptions) {
    this.#options = options
  }

  receive({ run, n = 0, from, text, disconnected, apps }: Said): void {
    if (run !== undefined) return this.#begin(run)
    if (disconnected !== undefined) return this.#lose(disconnected)
    if (apps) for (const app of this.#apps) if (!apps.includes(app)) this.#lose(app)
    if (from === undefined || text === undefined || n <= this.#before) return
    this.#received = Math.max(this.#received, n)
    this.#apps.add(from)
    this.#options.take(text, this.#nameOf(from))
  }

  #begin(run: string): void {
    if (run !== this.#run) {
      for (const app of this.#apps) this.#lose(app)
      this.#run = run
      this.#received = 0
    }
    this.#before = this.#received
  }

  #lose(app: string): void {
    this.#apps.delete(app)
    this.#options.disconnected(this.#nameOf(app))
  }

  #nameOf(app: string): string {
    return `${this.#run} ${app}`
  }
}
