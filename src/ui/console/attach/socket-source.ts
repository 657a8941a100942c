// Takes what apps told the server of `chartroom serve`, over a connection that comes back by itself.

/** The server's word for where its page reads. */
const PATH = '/_chartroom/console'
const FIRST_WAIT = 500
const LONGEST_WAIT = 5_000

export interface SocketSourceOptions {
  readonly location: Location
  readonly take: (text: string, from: string) => void
  readonly disconnected: (from: string) => void
  /** Whether the server is there. */
  readonly onState: (isOpen: boolean) => void
}

/** Connects, and again whenever the connection is lost; returns what ends it. */
export function openSocketSource(options: SocketSourceOptions): () => void {
  const { protocol, host } = options.location
  const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${PATH}`
  const hearing = new Hearing(options)
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
      hearing.hear(JSON.parse(data) as Said),
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

interface Said {
  /** Which life of the server this is; the first that it says. */
  readonly run?: string
  /** A message, and its number in this life. */
  readonly n?: number
  readonly from?: string
  readonly text?: string
  readonly disconnected?: string
  /** Who is there, once all that was before has been said. */
  readonly apps?: readonly string[]
}

/** Tells what was heard before from what is new. */
class Hearing {
  readonly #options: SocketSourceOptions
  #run = ''
  #heard = 0
  readonly #apps = new Set<string>()

  constructor(options: SocketSourceOptions) {
    this.#options = options
  }

  hear({ run, n = 0, from, text, disconnected, apps }: Said): void {
    if (run !== undefined) return this.#begin(run)
    if (disconnected !== undefined) return this.#lose(disconnected)
    if (apps) for (const app of this.#apps) if (!apps.includes(app)) this.#lose(app)
    if (from === undefined || text === undefined || n <= this.#heard) return
    this.#heard = n
    this.#apps.add(from)
    this.#options.take(text, this.#nameOf(from))
  }

  #begin(run: string): void {
    if (run === this.#run) return
    for (const app of this.#apps) this.#lose(app)
    this.#run = run
    this.#heard = 0
  }

  #lose(app: string): void {
    this.#apps.delete(app)
    this.#options.disconnected(this.#nameOf(app))
  }

  #nameOf(app: string): string {
    return `${this.#run} ${app}`
  }
}
