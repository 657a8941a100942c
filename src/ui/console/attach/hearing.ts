// What the server of `chartroom serve` says, over one connection after the other: nothing is taken twice.

export interface HearingOptions {
  readonly take: (text: string, from: string) => void
  readonly disconnected: (from: string) => void
}

/** A message of the server. */
export interface Said {
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
export class Hearing {
  readonly #options: HearingOptions
  #run = ''
  /** The last number that was heard, and that when the present connection began. */
  #heard = 0
  #before = 0
  readonly #apps = new Set<string>()

  constructor(options: HearingOptions) {
    this.#options = options
  }

  hear({ run, n = 0, from, text, disconnected, apps }: Said): void {
    if (run !== undefined) return this.#begin(run)
    if (disconnected !== undefined) return this.#lose(disconnected)
    if (apps) for (const app of this.#apps) if (!apps.includes(app)) this.#lose(app)
    if (from === undefined || text === undefined || n <= this.#before) return
    this.#heard = Math.max(this.#heard, n)
    this.#apps.add(from)
    this.#options.take(text, this.#nameOf(from))
  }

  #begin(run: string): void {
    if (run !== this.#run) {
      for (const app of this.#apps) this.#lose(app)
      this.#run = run
      this.#heard = 0
    }
    this.#before = this.#heard
  }

  #lose(app: string): void {
    this.#apps.delete(app)
    this.#options.disconnected(this.#nameOf(app))
  }

  #nameOf(app: string): string {
    return `${this.#run} ${app}`
  }
}
