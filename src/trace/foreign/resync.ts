// Detects repeated messages: on every new connection, an app sends the last messages it kept again.
import type { ForeignMessage } from './message.ts'

/** More than the default of any version of @statelyai/inspect. */
const REMEMBERED = 1_000

/** The messages of one app, over all its connections. */
export class Resync {
  /** A connection that opens late repeats the very first messages each time. */
  readonly #first: string[] = []
  readonly #recent: string[] = []
  /** Messages that may still be repeated, with their counts; absent when no repetition is expected. */
  #again: Map<string, number> | undefined

  /** Whether the message is a repetition. */
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

  /** Whether this message was among the last ones, so that the app is the same as before. */
  knows(message: ForeignMessage): boolean {
    const print = fingerprint(message)
    return this.#recent.includes(print) || this.#first.includes(print)
  }

  /** The app has reconnected. */
  begin(): void {
    const counts = new Map<string, number>()
    for (const print of [...this.#first, ...this.#recent]) counts.set(print, (counts.get(print) ?? 0) + 1)
    this.#again = counts
  }
}

/** Messages with equal fingerprints are counted, not distinguished: an app repeats them in order. */
function fingerprint(message: ForeignMessage): string {
  const what = message.kind === 'actor' ? message.name : message.event.type
  return `${message.at} ${message.session} ${message.kind} ${what}`
}
