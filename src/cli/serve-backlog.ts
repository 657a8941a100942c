// Earlier messages of apps, for pages that connect later: bounded, but always with the actors' announcements.

/** Maximum number of messages and characters. */
interface BacklogLimits {
  readonly messages: number
  readonly characters: number
}

const LIMITS: BacklogLimits = { messages: 100_000, characters: 96 * 2 ** 20 }

/** A message as received, with its connection. */
interface BacklogMessage {
  /** Counted over all connections, so that a page can detect duplicates. */
  readonly n: number
  readonly from: string
  readonly text: string
}

interface Actor {
  readonly announced: BacklogMessage
  /** The last snapshot among dropped messages. */
  last?: BacklogMessage
}

/** When messages are dropped, each actor's announcement and last snapshot are kept. */
export class Backlog {
  #messages: BacklogMessage[] = []
  #characters = 0
  readonly #actors = new Map<string, Actor>()
  readonly #limits: BacklogLimits

  constructor(limits: BacklogLimits = LIMITS) {
    this.#limits = limits
  }

  add(message: BacklogMessage): void {
    this.#messages.push(message)
    this.#characters += message.text.length
    if (this.#messages.length > this.#limits.messages || this.#characters > this.#limits.characters)
      this.#letGo()
  }

  /** Returns the messages in the order in which a page should receive them. */
  all(): readonly BacklogMessage[] {
    const actors = [...this.#actors.values()]
    return [
      ...actors.map(({ announced }) => announced),
      ...actors.flatMap(({ last }) => (last ? [last] : [])),
      ...this.#messages,
    ]
  }

  #letGo(): void {
    const dropped = this.#messages.splice(0, Math.ceil(this.#messages.length / 2))
    for (const message of dropped) {
      this.#characters -= message.text.length
      this.#remember(message)
    }
    // If an app creates actors without end, the oldest are dropped as well.
    const limit = Math.ceil(this.#limits.messages / 10)
    for (const key of this.#actors.keys()) {
      if (this.#actors.size <= limit) return
      this.#actors.delete(key)
    }
  }

  #remember(message: BacklogMessage): void {
    const { type, session, hasEnded } = glance(message.text)
    const key = `${message.from} ${String(session)}`
    if (type === '@xstate.actor') return void this.#actors.set(key, { announced: message })
    if (type !== '@xstate.snapshot') return
    if (hasEnded) return void this.#actors.delete(key)
    const actor = this.#actors.get(key)
    if (actor) actor.last = message
  }
}

/** Parses the relevant fields of a message; empty for an invalid one. */
function glance(text: string): { type?: unknown; session?: unknown; hasEnded?: boolean } {
  try {
    const { type, sessionId, snapshot } = JSON.parse(text) as {
      readonly type?: unknown
      readonly sessionId?: unknown
      readonly snapshot?: { readonly status?: unknown } | null
    }
    const status = snapshot?.status ?? 'active'
    return { type, session: sessionId, hasEnded: status !== 'active' }
  } catch {
    return {}
  }
}
