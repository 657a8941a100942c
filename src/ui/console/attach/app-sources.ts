// Receives messages of attached apps: from `chartroom serve` over a connection that reconnects, and from the
// page that opened or frames this one.
import { sourceConnectionMachine } from '../../../machines/console/source-connection.ts'
import { startMachine } from '../../../services/runtime/index.ts'
import { fields, isCount, isText, listOf, maybe } from './checks.ts'

/** Path of the endpoint that the server's page reads from. */
const PATH = '/_chartroom/console'

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
  const { stop } = startMachine(sourceConnectionMachine, {
    connectSource: ({ sendBack }) => {
      const socket = new WebSocket(url)
      socket.addEventListener('open', () => {
        sendBack({ type: 'source.opened' })
        options.onState(true)
      })
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = readSaid(data)
        if (message) hearing.receive(message)
      })
      socket.addEventListener('close', () => {
        options.onState(false)
        sendBack({ type: 'source.lost' })
      })
      return () => socket.close()
    },
  })
  return stop
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

/** A message of the server, if the text is one. */
export function readSaid(text: unknown): Said | undefined {
  try {
    const message: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
    return isSaid(message) ? (message as Said) : undefined
  } catch {
    return undefined
  }
}

const isSaid = fields({
  run: maybe(isText),
  n: maybe(isCount),
  from: maybe(isText),
  text: maybe(isText),
  disconnected: maybe(isText),
  apps: maybe(listOf(isText)),
})

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

/** Message with which a receiver announces itself, as in @statelyai/inspect. */
const CONNECTED = '@statelyai.connected'

interface WindowSource {
  /** Whether there is an opener or parent page. */
  readonly isOpened: boolean
  /** Allows pages of this origin, which asked before. */
  readonly allow: (origin: string) => void
  readonly close: () => void
}

interface WindowSourceOptions {
  readonly window: Window
  readonly take: (message: unknown) => void
  /** Called when a page from another machine wants to send its actors. */
  readonly onStranger: (origin: string) => void
}

/** Messages buffered per origin until the user allows it. */
const MOST_HELD = 1_000

/** Listens only to the opener or the parent. */
export function openWindowSource({ window, take, onStranger }: WindowSourceOptions): WindowSource {
  const teller = window.self === window.top ? (window.opener as Window | null) : window.parent
  const allowed = new Set([window.location.origin])
  const held = new Map<string, unknown[]>()
  const listener = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (teller === null || source !== teller) return
    if (allowed.has(origin) || isLoopback(origin)) return take(data)
    const waiting = held.get(origin)
    if (waiting) return void (waiting.length < MOST_HELD && waiting.push(data))
    held.set(origin, [data])
    onStranger(origin)
  }
  window.addEventListener('message', listener)
  // The message only says that a receiver is ready; the opener's origin cannot be known.
  teller?.postMessage({ type: CONNECTED }, '*')
  return {
    isOpened: teller !== null,
    allow(origin) {
      allowed.add(origin)
      for (const message of held.get(origin) ?? []) take(message)
      held.delete(origin)
    },
    close: () => window.removeEventListener('message', listener),
  }
}

function isLoopback(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]'
}
