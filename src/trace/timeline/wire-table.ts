// Assembles requests and sockets of Chartroom's own systems from the reports of their ports.
import type { ActorEntry } from '../format/records.ts'
import type { WireNote } from './block.ts'

/** One attempt of a request. */
export interface WireAttempt {
  /** The port's actor. */
  readonly actor: number
  /** Its first step. */
  readonly seq: number
  readonly start: number
  /** When the response headers, or the report of a missing response, arrived. */
  answered?: number
  /** Number of the step with the response. */
  answer?: number
  /** Absent without a response. */
  status?: number
  failure?: string
  /** Size of the response body, once known. */
  bytes?: number
  /** Why a socket closed, if the client did not close it. */
  closed?: SocketClose
}

export interface SocketClose {
  /** Number of the step that reported it. */
  readonly seq: number
  readonly code?: number
  readonly reason?: string
}

/** A request with its attempts, or a socket, which is a single attempt. */
export interface Wire {
  readonly kind: 'request' | 'socket'
  readonly actor: number
  /** Its first step. */
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

  /** Adds the next note, and the time of its step. */
  take(note: WireNote, t: number): void {
    if (note.kind === 'answer') return this.#answer(note, t)
    if (note.kind === 'body') return this.#body(note)
    if (note.kind === 'close') return this.#close(note)
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

  #close({ actor, seq, code, reason }: WireNote): void {
    const attempt = this.#attempts.get(actor)
    if (!attempt) return
    attempt.closed = { seq, ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) }
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
