// Messages of the `chartroom serve` server across reconnects, without duplicates.

export interface MessageDeduperOptions {
  readonly take: (text: string, from: string) => void
  readonly disconnected: (from: string) => void
}

/** A message from the server. */
export interface Said {
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
