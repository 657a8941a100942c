// Assembles requests, other calls and sockets of Chartroom's own systems from the reports of their ports.
import type { ActorEntry } from '../format/records.ts'
import type { WireNote } from './block.ts'

/** One attempt of a request. */
export interface WireAttempt {
  /** The port's actor. */
  readonly actor: number
  /** Its first step, or the one that reports the call. */
  readonly seq: number
  readonly start: number
  /** When the response headers, or the report of a missing response, arrived. */
  answered?: number
  /** Number of the step with the response. */
  answer?: number
  /** Number of the step with what the port made of its last response. */
  result?: number
  /** Absent without a response. */
  status?: number
  failure?: string
  /** Code of the failure or refusal. */
  error?: string
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

/** A request with its attempts; another call of a port, or a socket, which are a single attempt. */
export interface Wire {
  /** Unique in the trace. */
  readonly id: number
  readonly kind: 'request' | 'call' | 'socket'
  /** That of the request; of the port for others, which may make several calls. */
  readonly actor: number
  /** Its first step, or the one that reports the call. */
  readonly seq: number
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly start: number
  readonly attempts: WireAttempt[]
}

/** An attempt with its request, call or socket. */
export interface WirePart {
  readonly wire: Wire
  readonly attempt: WireAttempt
}

const NONE: readonly WirePart[] = []

export class WireTable {
  readonly list: Wire[] = []
  readonly #actors: readonly ActorEntry[]
  readonly #requests = new Map<number, Wire>()
  /** By the port's actor, in the order of its calls. */
  readonly #parts = new Map<number, WirePart[]>()
  #next = 0

  constructor(actors: readonly ActorEntry[]) {
    this.#actors = actors
  }

  /** The attempts of a port. */
  partsOf(port: number): readonly WirePart[] {
    return this.#parts.get(port) ?? NONE
  }

  /** Adds the next note, and the time of its step. */
  take(note: WireNote, t: number): void {
    switch (note.kind) {
      case 'answer':
        return this.#answer(note, t)
      case 'result':
        return this.#result(note)
      case 'body':
        return this.#body(note)
      case 'close':
        return this.#close(note)
      case 'attempt': {
        const request = this.#requests.get(this.#actors[note.actor]?.parent ?? -1)
        if (request) this.#attempt(request, note, t)
        return
      }
      default:
        return this.#begin(note, note.kind, t)
    }
  }

  #begin({ actor, seq, method = 'GET', path = '/', ...note }: WireNote, kind: Wire['kind'], t: number): void {
    const wire: Wire = { id: this.#next++, kind, actor, seq, method, path, start: t, attempts: [] }
    // Calls of recordings of earlier versions are known when they end.
    let at = this.list.length
    while (at > 0 && (this.list[at - 1]?.start ?? 0) > t) at -= 1
    this.list.splice(at, 0, wire)
    if (kind === 'request') this.#requests.set(actor, wire)
    else this.#attempt(wire, { actor, seq, ...note }, t)
  }

  #attempt(wire: Wire, { actor, seq }: WireNote, start: number): void {
    const attempt: WireAttempt = { actor, seq, start }
    wire.attempts.push(attempt)
    const parts = this.#parts.get(actor)
    if (parts) parts.push({ wire, attempt })
    else this.#parts.set(actor, [{ wire, attempt }])
  }

  #body({ actor, bytes }: WireNote): void {
    const attempt = this.partsOf(actor)[0]?.attempt
    if (attempt && bytes !== undefined) attempt.bytes = bytes
  }

  #close({ actor, seq, code, reason }: WireNote): void {
    const attempt = this.partsOf(actor)[0]?.attempt
    if (!attempt) return
    attempt.closed = { seq, ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) }
  }

  #answer({ actor, call = 0, seq, status, failure, error, bytes }: WireNote, t: number): void {
    const attempt = this.partsOf(actor)[call]?.attempt
    if (!attempt || attempt.answered !== undefined) return
    attempt.answered = t
    attempt.answer = seq
    if (status !== undefined) attempt.status = status
    if (failure !== undefined) attempt.failure = failure
    if (error !== undefined) attempt.error = error
    if (bytes !== undefined) attempt.bytes = bytes
  }

  #result({ actor, seq, failure, error }: WireNote): void {
    const attempt = this.partsOf(actor).at(-1)?.attempt
    if (!attempt) return
    attempt.result = seq
    if (failure !== undefined) attempt.failure = failure
    if (error !== undefined) attempt.error = error
  }
}
