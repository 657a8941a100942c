// Tells what an app says again: on every new connection it repeats the last messages, as many as it kept.
import type { ForeignMessage } from './message.ts'

/** More than any version of @statelyai/inspect keeps unless told. */
const REMEMBERED = 1_000

/** The messages of one app, over all its connections. */
export class Resync {
  /** A connection that opens late repeats the very first ones each time. */
  readonly #first: string[] = []
  readonly #recent: string[] = []
  /** What may still come again, and how often; absent while nothing is said again. */
  #again: Map<string, number> | undefined

  /** Whether it was said before. */
  isRepeated(message: ForeignMessage): boolean {
    const print = fingerprint(message)
    const left = this.#again?.get(print) ?? 0
    if (left > 0) {
      this.#again?.set(print, left - 1)
      return true
    }
    this.#again = undefined
    const kept = this.#first.length < REMEMBERED ? this.#first : this.#recent
    kept.push(print)
    if (this.#recent.length > REMEMBERED * 2) this.#recent.splice(0, REMEMBERED)
    return false
  }

  /** Whether this message was among the last ones: then the app is the same that spoke before. */
  knows(message: ForeignMessage): boolean {
    const print = fingerprint(message)
    return this.#recent.includes(print) || this.#first.includes(print)
  }

  /** The app has connected again. */
  begin(): void {
    const counts = new Map<string, number>()
    for (const print of [...this.#first, ...this.#recent]) counts.set(print, (counts.get(print) ?? 0) + 1)
    this.#again = counts
  }
}

/** Two that are alike in this are counted, not told apart: an app repeats them in their order. */
function fingerprint(message: ForeignMessage): string {
  const what = message.kind === 'actor' ? message.name : message.event.type
  return `${message.at} ${message.session} ${message.kind} ${what}`
}
