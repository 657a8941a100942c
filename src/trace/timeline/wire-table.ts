// Requests and sockets of Chartroom's own systems, put together from what their ports told.
import type { ActorEntry } from '../format.ts'
import type { WireNote } from './block.ts'

/** One sending of a request. */
export interface WireAttempt {
  /** The port's actor. */
  readonly actor: number
  /** Its first view. */
  readonly seq: number
  readonly start: number
  /** When the answer's head came, or the news that none comes. */
  answered?: number
  /** Number of the view with the answer. */
  answer?: number
  /** Absent when there was no answer. */
  status?: number
  failure?: string
  /** Size of the answer's body, once that is known. */
  bytes?: number
}

/** A request with its attempts, or a socket, which is an attempt of its own. */
export interface Wire {
  readonly kind: 'request' | 'socket'
  readonly actor: number
  /** Its first view. */
  readonly seq: number
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly start: number
  readonly attempts: WireAttempt[]
}

export class WireTable {
  readonly list: Wire[] = []
  readonly #actors: readonly ActorEntry[]
  readonly #byActor = new Map<number, Wire>()
  readonly #attempts = new Map<number, WireAttempt>()

  constructor(actors: readonly ActorEntry[]) {
    this.#actors = actors
  }

  /** Takes the next note, and the time of its view. */
  take(note: WireNote, t: number): void {
    if (note.kind === 'answer') return this.#answer(note, t)
    if (note.kind === 'body') return this.#body(note)
    const attempt: WireAttempt = { actor: note.actor, seq: note.seq, start: t }
    if (note.kind === 'attempt') {
      const request = this.#byActor.get(this.#actors[note.actor]?.parent ?? -1)
      request?.attempts.push(attempt)
    } else {
      const { kind, actor, seq, method = 'GET', path = '/' } = note
      const attempts = kind === 'socket' ? [attempt] : []
      const wire: Wire = { kind, actor, seq, method, path, start: t, attempts }
      this.list.push(wire)
      this.#byActor.set(actor, wire)
    }
    if (note.kind !== 'request') this.#attempts.set(note.actor, attempt)
  }

  #body({ actor, bytes }: WireNote): void {
    const attempt = this.#attempts.get(actor)
    if (attempt && bytes !== undefined) attempt.bytes = bytes
  }

  #answer({ actor, seq, status, failure, bytes }: WireNote, t: number): void {
    const attempt = this.#attempts.get(actor)
    if (!attempt || attempt.answered !== undefined) return
    attempt.answered = t
    attempt.answer = seq
    if (status !== undefined) attempt.status = status
    if (failure !== undefined) attempt.failure = failure
    if (bytes !== undefined) attempt.bytes = bytes
  }
}
